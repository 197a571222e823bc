//! Tokens of a model's own, such as `<|cursor|>`, at the beginning or the end of a line that is written into code.

use super::text::{TextKind, from_path};
use super::{BaseFile, lines_of};
use guardhost_core::change::{FileOp, Line};
use guardhost_core::error::Result;

pub(super) const HELD: &str = "its new lines have tokens of a model, such as `<|name|>`, which are none of the file. Send the lines without them.";

/// Whether new lines have one, and the file has none: then they are what a model marks its text with.
///
/// # Errors
/// When the repository's objects cannot be read.
pub(super) fn are_held(op: &FileOp, base: &BaseFile) -> Result<bool> {
    let holds = match op {
        FileOp::Create(bytes) | FileOp::Write(bytes) => lines_of(bytes).into_iter().any(is_marked),
        FileOp::Modify(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } => {
            let added = |line: &'_ &Line| matches!(line, Line::Add(_));
            hunks.iter().any(|hunk| hunk.lines.iter().filter(added).any(|line| is_marked(line.bytes())))
        }
        FileOp::Delete(_) => false,
    };
    let is_code = matches!(from_path(base.path(), &[]), TextKind::Python | TextKind::Stubs | TextKind::Other);
    if !holds || !is_code {
        return Ok(false);
    }
    Ok(base.text()?.is_none_or(|text| !lines_of(&text).into_iter().any(is_marked)))
}

/// A token in quotes has the quotes at the ends of the line.
fn is_marked(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_name = |name: &[u8]| name.len() > 2 && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let first = || line.strip_prefix(b"<|").and_then(|rest| rest.split(|byte| *byte == b'|').next());
    let last = || line.strip_suffix(b"|>").and_then(|rest| rest.rsplit(|byte| *byte == b'|').next());
    let begins = || first().is_some_and(|name| is_name(name) && line[2 + name.len()..].starts_with(b"|>"));
    let ends = || last().is_some_and(|name| is_name(name) && line[..line.len() - 2 - name.len()].ends_with(b"<|"));
    begins() || ends()
}

#[cfg(test)]
mod tests {
    use super::is_marked;

    #[test]
    fn at_an_end_of_the_line() {
        assert!(is_marked(b"<|editable_region_start|>"));
        assert!(is_marked(b"  return items;<|user_cursor_is_here|>"));
        assert!(!is_marked(b"  const END = \"<|im_end|>\";"));
        assert!(!is_marked(b"let f = xs |> map |> first"));
        assert!(!is_marked(b"a <|> b"));
    }
}
