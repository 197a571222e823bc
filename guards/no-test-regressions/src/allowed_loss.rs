//! Whether the task asked for a test to go: a hint at its file, or a sentence that says so.

use guard_sdk::{Task, Test};

use crate::names;

/// Beginnings of the verbs that take a test away or put another in its place.
const VERBS: [&str; 13] = [
    "remov", "delet", "drop", "skip", "disabl", "replac", "renam", "rewrit", "rework", "merg", "mov", "deprecat",
    "obsolet",
];

const NEGATIONS: [&str; 7] = ["not", "don't", "never", "without", "no", "cannot", "keep"];

pub fn allows_loss(task: Option<&Task>, test: &Test) -> bool {
    let Some(task) = task else { return false };
    let hinted = test.path.as_ref().is_some_and(|path| task.hints.contains(path));
    hinted
        || task
            .text
            .split(['.', ';', '\n', '!', '?'])
            .any(|sentence| says(sentence, test) || names_file(&task.text, test))
}

/// "Remove the tests of the old parser", "skip test_slow", and no "not" in it.
fn says(sentence: &str, test: &Test) -> bool {
    let words: Vec<String> = sentence
        .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let bare = names::bare(&test.id).split('[').next().unwrap_or_default().to_lowercase();
    let about = words.iter().any(|word| *word == "test" || *word == "tests" || *word == bare);
    about
        && words.iter().any(|word| VERBS.iter().any(|verb| word.starts_with(verb)))
        && !words.iter().any(|word| NEGATIONS.contains(&word.as_str()))
}

/// The sentence would be cut in the middle of a file's name.
fn names_file(text: &str, test: &Test) -> bool {
    let Some(path) = &test.path else { return false };
    let lower = text.to_lowercase();
    lower.contains(&path.to_lowercase())
        && VERBS.iter().any(|verb| lower.contains(verb))
        && !lower.split_whitespace().any(|word| NEGATIONS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use guard_sdk::TestOutcome;

    fn is_asked(text: &str) -> bool {
        let path = Some("tests/test_a.py".to_string());
        let (id, detail) = ("tests/test_a.py::test_old[1]".to_string(), String::new());
        let task = Task { text: text.into(), hints: vec![], is_compile_fix: false };
        allows_loss(Some(&task), &Test { id, path, outcome: TestOutcome::Passed, detail })
    }

    #[test]
    fn only_a_task_that_says_so() {
        for text in ["Remove test_old.", "Drop the obsolete tests; then tidy up", "Delete tests/test_a.py"] {
            assert!(is_asked(text), "{text}");
        }
        for text in ["Mend the parser", "Do not delete any tests", "Make the tests pass", "Remove the old parser", ""] {
            assert!(!is_asked(text), "{text}");
        }
    }
}
