//! Lists below the edits of what is done, of which a part is not.

use super::super::lines::Lines;
use bstr::ByteSlice;

/// The first item without a check, in a list that has one with it: a plan of tests has none, and what is finished has all. `text`: the lines
/// below the last edit.
pub(super) fn unchecked(lines: &Lines, text: impl Iterator<Item = usize>) -> Option<usize> {
    let (mut open, mut has_done, mut is_in_tag) = (None, false, false);
    for at in text {
        match item(lines[at]) {
            // The list of a tool, which goes on to the next call.
            Some(_) if is_in_tag => {}
            Some(true) => has_done = true,
            Some(false) => open = open.or(Some(at)),
            None => is_in_tag = lines[at].trim_ascii_start().starts_with(b"<"),
        }
    }
    open.filter(|_| has_done)
}

/// Whether the item of a task list is checked; None of another line.
fn item(line: &[u8]) -> Option<bool> {
    let text = line.trim_ascii_start();
    let rest = text.strip_prefix(b"- ").or_else(|| text.strip_prefix(b"* "))?.trim_ascii_start();
    let (mark, rest) = rest.strip_prefix(b"[")?.split_first()?;
    match mark {
        _ if !rest.starts_with(b"]") => None,
        b'x' | b'X' => Some(true),
        b' ' => Some(false),
        _ => None,
    }
}

/// The last line that a tool's list of tasks is on, if one of them is done and another is not. `below`: the lines below the last edit.
pub(super) fn open_task(lines: &Lines, below: impl Iterator<Item = usize>) -> Option<usize> {
    let at = below.filter(|at| lines[*at].contains_str("\"todos\"")).last()?;
    let text: String = lines[at].to_str_lossy().split_whitespace().collect();
    let has = |status: &str| text.contains(&format!("\"status\":\"{status}\""));
    (has("completed") && (has("pending") || has("in_progress"))).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items() {
        assert_eq!(item(b"- [x] accept NULL"), Some(true));
        assert_eq!(item(b"  * [ ] the error path"), Some(false));
        assert_eq!(item(b"- [link](x)"), None);
        assert_eq!(item(b"- []"), None);
    }
}
