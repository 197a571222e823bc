//! A mail whose header says that its text is encoded as quoted-printable.

use bstr::ByteSlice;
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

use crate::quoted_printable::{HEADER, decoded};

/// Decodes what stands below the header. It stays as it is if any line of it is not encoded so; lines that end in `=` go on in the next.
/// The header goes, so that nothing is decoded twice.
pub(super) fn strip(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    let is_header = |line: &[u8]| line.trim_ascii().eq_ignore_ascii_case(HEADER);
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let at = lines.iter().position(|line| is_header(line))?;
    let body = (at..lines.len()).find(|at| lines[*at].trim_ascii().is_empty())?;
    let mut plain: Vec<u8> = lines[..at].iter().flat_map(|line| line.iter().copied().chain([b'\n'])).collect();
    for line in &lines[at + 1..body] {
        plain.extend_from_slice(line);
        plain.push(b'\n');
    }
    for (nth, line) in lines[body..].iter().enumerate() {
        watch.visit();
        let is_last = body + nth + 1 == lines.len();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let (line, ends) = line.strip_suffix(b"=").map_or((line, !is_last), |line| (line, false));
        plain.extend(decoded(line)?);
        if ends {
            plain.push(b'\n');
        }
    }
    (!plain.contains_str("\0"))
        .then(|| (plain, Note::new("quoted-printable", "the mail was encoded as quoted-printable")))
}
