//! Headers of a diff in a file that is none.

use guard_sdk::Finding;

use crate::added::Added;
use crate::place::{self, Kind};

pub fn judge(added: &Added) -> Vec<Finding> {
    if added.kind == Kind::Open || place::is_about_diffs(added.path()) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (at, line) in added.new_lines() {
        let Some(what) = header(line, added.lines.get(at + 1).copied()) else { continue };
        if !added.is_in_code(at) || handles_diffs(added.before()) {
            continue;
        }
        let message = format!("line {} is {what} of a diff, and {} is no diff", at + 1, added.path());
        let help = "Remove the lines of the diff itself, and write the file as it stands once the diff is applied.";
        findings.push(Finding::error("diff-left", message).at(added.path(), at as u32 + 1).help(help));
    }
    findings
}

/// What the line is, if it can be nothing but a part of a diff.
fn header(line: &str, next: Option<&str>) -> Option<&'static str> {
    let line = line.trim_end();
    match line.as_bytes().first()? {
        b'@' if is_hunk(line) => Some("the header of a hunk"),
        b'd' if line.starts_with("diff --git a/") => Some("the header"),
        b'i' if is_index(line) => Some("the index line"),
        b'-' if line.starts_with("--- ") && next.is_some_and(|next| next.starts_with("+++ ")) => {
            Some("the name of the old file")
        }
        b'+' if line.starts_with("+++ b/") => Some("the name of the new file"),
        b'\\' if line == "\\ No newline at end of file" => Some("a remark"),
        b'*' if ["*** Begin Patch", "*** End Patch", "*** End of File"].contains(&line) => Some("a marker"),
        b'*' if ["*** Update File: ", "*** Add File: ", "*** Delete File: "]
            .iter()
            .any(|mark| line.starts_with(mark)) =>
        {
            Some("a marker")
        }
        _ => None,
    }
}

/// `@@ -1,3 +1,4 @@`, and what may stand behind it.
fn is_hunk(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("@@ -") else { return false };
    let Some((old, rest)) = rest.split_once(" +") else { return false };
    let Some((new, _)) = rest.split_once(" @@") else { return false };
    [old, new].iter().all(|range| !range.is_empty() && range.bytes().all(|byte| byte.is_ascii_digit() || byte == b','))
}

/// `index 0123abc..4567def 100644`.
fn is_index(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("index ") else { return false };
    let Some((old, new)) = rest.split_once("..") else { return false };
    let new = new.split(' ').next().unwrap_or_default();
    [old, new].iter().all(|id| (7..=40).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether the base's file already speaks of diffs: then their lines may be what it works on.
pub fn handles_diffs(before: &str) -> bool {
    before.contains("@@ -") || before.contains("diff --git") || before.contains("*** Begin Patch")
}
