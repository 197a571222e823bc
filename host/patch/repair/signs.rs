//! Typographic characters in the place of the signs of a diff: a dash or a minus that an editor has made of `-`, and a no-break space
//! for the blank of every context line.

use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

/// The characters, and the signs that they were.
const SIGNS: [(&str, u8); 5] =
    [("\u{2013}", b'-'), ("\u{2014}", b'-'), ("\u{2212}", b'-'), ("\u{ff0d}", b'-'), ("\u{ff0b}", b'+')];

const NO_BREAK: &str = "\u{a0}";

/// At the beginning of lines below a hunk's header. Context begins with a blank, and placing asks the file for every removed line.
pub(super) fn strip(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    let mut is_hunk = false;
    let mut is_mended = false;
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    // Where a context line has its blank, the others have lost theirs in another way.
    let has_blank = || lines.iter().any(|line| line.starts_with(b" ") && line.len() > 1);
    let is_no_break = lines.iter().any(|line| line.starts_with(NO_BREAK.as_bytes())) && !has_blank();
    let line = |(at, line): (usize, &&[u8])| {
        watch.visit();
        let line = *line;
        if line.starts_with(b"@@ -") {
            is_hunk = true;
        } else if line.starts_with(b"```") {
            is_hunk = false;
        }
        if let Some(name) = lines.get(at + 1).filter(|next| next.starts_with(b"+++ ")).and_then(|_| old_name(line)) {
            is_mended = true;
            return [b"--- ", name].concat();
        }
        let found = SIGNS.iter().find_map(|(typed, sign)| Some((line.strip_prefix(typed.as_bytes())?, *sign)));
        let blank = || Some((line.strip_prefix(NO_BREAK.as_bytes()).filter(|_| is_no_break)?, b' '));
        match found.or_else(blank).filter(|_| is_hunk) {
            Some((rest, sign)) => {
                is_mended = true;
                [&[sign], rest].concat()
            }
            None => line.to_vec(),
        }
    };
    let lines: Vec<Vec<u8>> = lines.iter().enumerate().map(line).collect();
    is_mended.then(|| {
        (
            lines.join(&b'\n'),
            Note::new("signs", "typographic characters were written in the place of the signs of a diff"),
        )
    })
}

/// The name behind the three hyphens above `+++`, of which an editor has made dashes: one for each, or one for two.
fn old_name(line: &[u8]) -> Option<&[u8]> {
    let mut rest = line;
    while let Some(next) =
        SIGNS.iter().find_map(|(typed, sign)| rest.strip_prefix(typed.as_bytes()).filter(|_| *sign == b'-'))
    {
        rest = next;
    }
    let is_typed = rest.len() < line.len();
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    rest.strip_prefix(b" ").filter(|_| is_typed)
}
