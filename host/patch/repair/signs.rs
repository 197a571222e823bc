//! Typographic characters in the place of the signs of a diff: a dash or a minus that an editor has made of `-`.

use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

/// The characters, and the signs that they were.
const SIGNS: [(&str, u8); 5] =
    [("\u{2013}", b'-'), ("\u{2014}", b'-'), ("\u{2212}", b'-'), ("\u{ff0d}", b'-'), ("\u{ff0b}", b'+')];

/// At the beginning of lines below a hunk's header. Context begins with a blank, and placing asks the file for every removed line.
pub(super) fn strip(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    let mut is_hunk = false;
    let mut is_mended = false;
    let line = |line: &[u8]| {
        watch.visit();
        if line.starts_with(b"@@ -") {
            is_hunk = true;
        } else if line.starts_with(b"```") {
            is_hunk = false;
        }
        let found = SIGNS.iter().find_map(|(typed, sign)| Some((line.strip_prefix(typed.as_bytes())?, *sign)));
        match found.filter(|_| is_hunk) {
            Some((rest, sign)) => {
                is_mended = true;
                [&[sign], rest].concat()
            }
            None => line.to_vec(),
        }
    };
    let lines: Vec<Vec<u8>> = text.split(|byte| *byte == b'\n').map(line).collect();
    is_mended
        .then(|| (lines.join(&b'\n'), Note::new("signs", "dashes were written in the place of the signs of a diff")))
}
