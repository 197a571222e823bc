//! Characters without width in the headers of a patch: no parser recognises such a header.

use crate::formats;
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

const CHARACTERS: [&str; 5] = ["\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}"];

/// Removed from markers and from lines that name files. Content keeps them, since they may be the change itself. `sanitize`
/// checks the names as they are after this.
pub(super) fn strip(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    if !CHARACTERS.iter().any(|c| text.windows(c.len()).any(|at| at == c.as_bytes())) {
        return None;
    }
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let plain: Vec<Vec<u8>> = lines.iter().inspect(|_| watch.visit()).map(|line| without(line)).collect();
    let repaired: Vec<&[u8]> =
        (0..lines.len()).map(|at| if header(&plain, at) { plain[at].as_slice() } else { lines[at] }).collect();
    let repaired = repaired.join(&b'\n');
    (repaired.len() < text.len())
        .then(|| (repaired, Note::new("zero-width", "characters without width in the headers")))
}

fn without(line: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some(&byte) = rest.first() {
        match CHARACTERS.iter().find(|c| rest.starts_with(c.as_bytes())) {
            Some(c) => rest = &rest[c.len()..],
            None => {
                plain.push(byte);
                rest = &rest[1..];
            }
        }
    }
    plain
}

fn header(lines: &[Vec<u8>], at: usize) -> bool {
    let begins =
        |at: Option<usize>, with: &[u8]| at.and_then(|at| lines.get(at)).is_some_and(|line| line.starts_with(with));
    let here = Some(at);
    formats::begins_with(&lines[at], |row| row.markers)
        // A removed line `-- x` looks like `--- x`, but no `+++` follows it.
        || (begins(here, b"--- ") && begins(Some(at + 1), b"+++ "))
        || (begins(here, b"+++ ") && begins(at.checked_sub(1), b"--- "))
        || bare_hunk_header(&lines[at])
}

/// Without a heading, which is a line of the file.
fn bare_hunk_header(line: &[u8]) -> bool {
    line.starts_with(b"@@ -") && line.trim_ascii_end().ends_with(b" @@")
}
