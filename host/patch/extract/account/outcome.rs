//! Results of tools right below an edit: one that says that the edit was not made, or shows the file without it.

use super::super::lines::blank;
use super::contradicted::hunks;
use crate::numbered::numbered;
use bstr::ByteSlice;
use guardhost_core::change::{FilePatch, Line};

/// Beginnings of words, each of a result that is none.
const FAILURES: [&str; 12] = [
    "reject",
    "denied",
    "declin",
    "refus",
    "cancel",
    "abort",
    "fail",
    "error",
    "unable",
    "interrupt",
    "not applied",
    "not found",
];

/// What such a line begins with, after its marks: the name that a program gives to results.
const LABELS: [&str; 8] =
    ["tool_result", "tool result", "tool_response", "function_result", "result", "output", "observation", "error"];

/// Marks of a terminal before a result.
const MARKS: [char; 8] = ['⎿', '└', '✗', '✘', '❌', '⚠', '×', '⛔'];

/// Whether the line is a result that says that what stands above it did not happen.
pub(super) fn is_failure(line: &[u8]) -> bool {
    let text = line.to_str_lossy().to_lowercase();
    let text = text.trim();
    let has_mark = text.starts_with(MARKS);
    let bare = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_framed = text.starts_with(['[', '<', '(', '*'])
        || bare.split_once(':').is_some_and(|(label, _)| LABELS.contains(&label.trim()));
    let is_labelled = is_framed && LABELS.iter().any(|label| bare.starts_with(label));
    (has_mark || is_labelled) && FAILURES.iter().any(|failure| bare.contains(failure))
}

/// Whether the text that a tool gave back for an edit may say that it was not made. Below its first line it shows the file.
pub(in super::super) fn reports_failure(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default().to_lowercase();
    let denies = ["not ", "n't ", "no "].iter().any(|word| first.contains(word));
    denies || FAILURES.iter().any(|failure| first.contains(failure))
}

/// Lines with numbers that show a part of a file, and no list of a few.
const SNIPPET: usize = 3;

/// Whether the text below an edit is a tool's result that shows the file, and none of the lines that the edit adds is in it.
pub(super) fn shows_another(text: &[&[u8]], edit: &FilePatch) -> bool {
    let mut below = text.iter().skip_while(|line| blank(line));
    let is_result = below.next().is_some_and(|line| {
        let text = line.to_str_lossy().to_lowercase();
        let label = text.trim_start_matches(|c: char| !c.is_alphanumeric());
        LABELS.iter().any(|name| label.starts_with(name))
    });
    let shown: Vec<&[u8]> = below.map_while(|line| numbered(line)).map(|(_, line)| line.trim_ascii()).collect();
    let added = || {
        let lines = hunks(&edit.op).iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|line| matches!(line, Line::Add(text) if !blank(text))).map(|line| line.bytes().trim_ascii())
    };
    is_result && shown.len() >= SNIPPET && added().count() > 0 && !added().any(|line| shown.contains(&line))
}

#[cfg(test)]
mod tests {
    use super::{is_failure, reports_failure, shows_another};
    use guardhost_core::change::{FileOp, FilePatch, Hunk, Line, RepoPath};

    #[test]
    fn what_a_result_shows() {
        let lines = vec![Line::Remove("LIMIT = 8".into()), Line::Add("LIMIT = 16".into())];
        let hunk = Hunk { lines, ..Hunk::default() };
        let edit = FilePatch::new(RepoPath::from("a.py"), FileOp::Modify(vec![hunk]));
        let shows = |line: &str| {
            let third = format!("     3\t{line}");
            let text = ["tool result: The file a.py has been edited:", "     1\timport a", "     2\t", &third];
            shows_another(&text.map(str::as_bytes), &edit)
        };
        assert!(shows("LIMIT = 51"));
        assert!(!shows("LIMIT = 16"));
        assert!(!shows_another(&[&b"tool result: edited"[..]], &edit));
    }

    #[test]
    fn results_of_edits() {
        assert!(!reports_failure("The file a.py has been edited. Here is the result:\n1 raise Error"));
        for text in ["No replacement was performed.", "The user doesn't want to proceed", "Permission denied"] {
            assert!(reports_failure(text), "{text}");
        }
    }

    #[test]
    fn results_and_prose() {
        for line in [
            "  ⎿  User rejected update to a.py",
            "[tool_result error] Permission denied by user; edit not applied.",
            "Error: the string was not found",
            "<tool_response>The edit failed.</tool_response>",
        ] {
            assert!(is_failure(line.as_bytes()), "{line}");
        }
        for line in
            ["  ⎿  Updated a.py with 1 addition", "Error handling is stricter now.", "- failed logins are counted"]
        {
            assert!(!is_failure(line.as_bytes()), "{line}");
        }
    }
}
