//! `path:line: message`, as compilers have always written it.

use crate::job::FinishedJob;
use crate::linters::{LintSeverity, Linter};
use crate::report::Diagnostic;

/// Lines that begin with no file of the tree are the linter's other words.
pub fn objections(finished: &FinishedJob<Linter>, text: &str) -> Vec<(LintSeverity, Diagnostic)> {
    text.lines()
        .filter_map(|line| {
            let (path, number, message) = parts(line)?;
            let path = finished.file(path)?;
            let severity = severity(message)?;
            Some((severity, Diagnostic { path: Some(path), line: Some(number), message: message.to_owned() }))
        })
        .collect()
}

/// Whether a line, of whatever tool, says what is wrong at a line of a file.
pub fn error_at_a_place(line: &str) -> bool {
    let is_error = |(path, _, message): (&str, u32, &str)| {
        path.contains(['.', '/']) && severity(message) == Some(LintSeverity::Error)
    };
    parts(line).is_some_and(is_error)
}

/// `a.py:3:5: message`, `a.py:3: message` and `a.py:3:5 - message`.
fn parts(line: &str) -> Option<(&str, u32, &str)> {
    let line = line.trim_start();
    for (at, _) in line.match_indices(':') {
        let (path, rest) = (&line[..at], &line[at + 1..]);
        let Some((number, rest)) = leading_number(rest) else { continue };
        let rest = rest.strip_prefix(':').and_then(|rest| Some(leading_number(rest)?.1)).unwrap_or(rest);
        let message = rest.strip_prefix(':').or_else(|| rest.strip_prefix(" - "))?.trim();
        return (!path.is_empty() && !message.is_empty()).then_some((path, number, message));
    }
    None
}

fn leading_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// None: a note, which belongs to another objection. What names no severity counts as an error, because it makes a linter fail.
fn severity(message: &str) -> Option<LintSeverity> {
    let first = message.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    match first.to_ascii_lowercase().as_str() {
        "note" | "info" | "information" | "hint" | "help" => None,
        "warning" => Some(LintSeverity::Warning),
        _ => Some(LintSeverity::Error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_linters_write_them() {
        for (line, expected) in [
            ("a.py:1:8: F401 [*] `os` imported but unused", Some(("a.py", 1, "F401 [*] `os` imported but unused"))),
            (
                "src/a.py:12: error: Name \"x\" is not defined  [name-defined]",
                Some(("src/a.py", 12, "error: Name \"x\" is not defined  [name-defined]")),
            ),
            (
                "  /t/a.py:3:5 - error: \"x\" is not defined (reportX)",
                Some(("/t/a.py", 3, "error: \"x\" is not defined (reportX)")),
            ),
            ("/t/a.rb:3:1: C: [Correctable] Style/X: Use y.", Some(("/t/a.rb", 3, "C: [Correctable] Style/X: Use y."))),
            ("./a.go:3:5: undefined: x", Some(("./a.go", 3, "undefined: x"))),
            ("1 error, 0 warnings, 0 informations", None),
            ("/t/a.py", None),
            ("Found 3 errors at 12:30", None),
            ("12:30:01: started", None),
        ] {
            // `12` is no file of any tree, which is looked at afterwards.
            let found = parts(line).filter(|(path, ..)| *path != "12");
            assert_eq!(found, expected, "{line}");
        }
        assert_eq!(severity("note: see here"), None);
        assert_eq!(severity("warning: unused"), Some(LintSeverity::Warning));
        assert_eq!(severity("W0611: unused"), Some(LintSeverity::Error));
    }
}
