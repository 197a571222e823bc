//! Why tests do not build or load on the base: red only if what is missing there is what the change adds.

use crate::splice::words;

/// What compilers, loaders and interpreters say of a name that is not there.
const MARKS: [&str; 34] = [
    "cannot import name",
    "no module named",
    "has no attribute",
    "is not defined",
    "cannot find",
    "could not find",
    "unresolved import",
    "unresolved name",
    "undefined",
    "no method named",
    "no field",
    "no variant",
    "no associated item",
    "no function or associated item",
    "use of undeclared",
    "undeclared",
    "failed to resolve",
    "does not exist",
    "unknown field",
    "not found in",
    "has no field or method",
    "is not a function",
    "is not a constructor",
    "does not provide an export",
    "no exported member",
    "no such file or directory",
    "cannot resolve",
    "failed to load",
    "no matching function",
    "is not a member",
    "uninitialized constant",
    "does not contain",
    "not declared",
    "unexpected keyword argument",
];

#[derive(Debug, PartialEq, Eq)]
pub enum Missing {
    /// All that is missing, the change adds.
    OfTheChange,
    /// Something else, or nothing that is known; the line that says so.
    Else(String),
}

/// What the output of a run that did not come to its tests says is missing.
pub fn missing(output: &str, added: &[String]) -> Missing {
    let lacks = |line: &&str| {
        let lower = line.to_lowercase();
        MARKS.iter().any(|mark| lower.contains(mark))
    };
    let is_added = |line: &str| words(line).any(|word| added.binary_search_by(|name| name.as_str().cmp(word)).is_ok());
    let mut lines = output.lines().filter(lacks).peekable();
    let last =
        || output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing").trim().to_owned();
    if lines.peek().is_none() {
        return Missing::Else(last());
    }
    match lines.find(|line| !is_added(line)) {
        Some(other) => Missing::Else(other.trim().to_owned()),
        None => Missing::OfTheChange,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_change_adds() {
        let added = ["find_all".to_owned(), "pages".to_owned()];
        for red in [
            "E   ImportError: cannot import name 'find_all' from 'users' (users.py)",
            "error[E0425]: cannot find function `find_all` in this scope\n --> src/lib.rs:3:5",
            "./a_test.go:7:2: undefined: find_all\nFAIL a [build failed]",
            "Error: Cannot find module './pages'",
        ] {
            assert_eq!(missing(red, &added), Missing::OfTheChange, "{red}");
        }
        for unknown in [
            "E   ModuleNotFoundError: No module named 'numpy'",
            "undefined: find_all\nundefined: other",
            "Segmentation fault",
            "",
        ] {
            assert!(matches!(missing(unknown, &added), Missing::Else(_)), "{unknown}");
        }
    }
}
