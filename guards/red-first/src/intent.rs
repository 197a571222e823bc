//! What a change is for, as its task or its commit messages say.

use guard_sdk::Change;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Something was wrong.
    Fix,
    /// Something new.
    Feature,
    /// The behaviour stays: refactorings, documents, dependencies, tests.
    Upkeep,
    Unclear,
}

/// Types of conventional commits (<https://www.conventionalcommits.org>).
const TYPES: [(&str, Intent); 18] = [
    ("fix", Intent::Fix),
    ("bugfix", Intent::Fix),
    ("hotfix", Intent::Fix),
    ("bug", Intent::Fix),
    ("feat", Intent::Feature),
    ("feature", Intent::Feature),
    ("refactor", Intent::Upkeep),
    ("perf", Intent::Upkeep),
    ("style", Intent::Upkeep),
    ("chore", Intent::Upkeep),
    ("docs", Intent::Upkeep),
    ("doc", Intent::Upkeep),
    ("test", Intent::Upkeep),
    ("tests", Intent::Upkeep),
    ("build", Intent::Upkeep),
    ("ci", Intent::Upkeep),
    ("revert", Intent::Upkeep),
    ("deps", Intent::Upkeep),
];

/// First words of a sentence that says what was done.
const FEATURES: [&str; 9] = ["add", "implement", "support", "introduce", "allow", "create", "enable", "new", "expose"];
const UPKEEP: [&str; 15] = [
    "refactor", "rename", "move", "extract", "clean", "simplif", "reformat", "bump", "upgrade", "update", "document",
    "remove", "drop", "deprecat", "merge",
];

/// What may be fixed without a change of behaviour.
const NO_DEFECTS: [&str; 12] =
    ["typo", "lint", "test", "ci", "doc", "format", "style", "warning", "comment", "spelling", "flaky", "build"];

/// The same behind the name of a tool: `fix revive linting`.
const WHATEVER_STANDS_BEFORE: [&str; 3] = ["lint", "typo", "warning"];

/// What may stand between a fix and what is fixed.
const FILLERS: [&str; 12] =
    ["a", "an", "the", "some", "minor", "small", "few", "various", "more", "all", "remaining", "failing"];

impl Intent {
    /// A task decides alone. Of several commits all that change behaviour must say the same.
    pub fn from_change(change: &Change) -> Intent {
        let texts = match change.task() {
            Some(task) if task.is_compile_fix => return Intent::Upkeep,
            Some(task) => vec![task.text],
            // Unlike a wish, a claim counts whoever makes it: an agent that says "fix" is held to it.
            None => change.commits().into_iter().map(|commit| commit.message).collect(),
        };
        let mut said: Vec<Intent> = texts.iter().map(|text| Intent::from_text(text)).collect();
        if said.iter().any(|intent| *intent != Intent::Upkeep) {
            said.retain(|intent| *intent != Intent::Upkeep);
        }
        match said.as_slice() {
            [] => Intent::Unclear,
            [first, rest @ ..] if rest.iter().all(|intent| intent == first) => *first,
            _ => Intent::Unclear,
        }
    }

    fn from_text(text: &str) -> Intent {
        let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_lowercase();
        if let Some((kind, _)) = line.split_once(':') {
            let kind = kind.split('(').next().unwrap_or_default().trim_end_matches('!').trim();
            if let Some((_, intent)) = TYPES.iter().find(|(name, _)| *name == kind) {
                return *intent;
            }
        }
        // `parser: fix the loop`, `[3.13] gh-123: Fix …`.
        let line = line.rsplit_once(": ").map_or(line.as_str(), |(_, rest)| rest);
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let first = words.first().copied().unwrap_or_default();
        if let Some(at) = words.iter().position(|word| is_repair(word)) {
            let mut about = words.iter().skip(at + 1).filter(|word| !FILLERS.contains(word));
            let starts = |word: &&&str, with: &[&str]| with.iter().any(|start| word.starts_with(start));
            let none = about.next().is_some_and(|word| starts(&word, &NO_DEFECTS))
                || about.next().is_some_and(|word| starts(&word, &WHATEVER_STANDS_BEFORE));
            return if none { Intent::Upkeep } else { Intent::Fix };
        }
        match first {
            first if FEATURES.iter().any(|start| first.starts_with(start)) => Intent::Feature,
            first if UPKEEP.iter().any(|start| first.starts_with(start)) => Intent::Upkeep,
            _ => Intent::Unclear,
        }
    }
}

fn is_repair(word: &str) -> bool {
    matches!(
        word,
        "fix"
            | "fixes"
            | "fixed"
            | "fixing"
            | "bug"
            | "bugfix"
            | "regression"
            | "repair"
            | "repairs"
            | "correct"
            | "corrects"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_people_write() {
        for (text, intent) in [
            ("fix(parser)!: empty input", Intent::Fix),
            ("Fix crash on empty input\n\nFixes #3", Intent::Fix),
            ("\nloader: fixed the loop", Intent::Fix),
            ("Find users whose name is in upper case (bug 12)", Intent::Fix),
            ("Fix a typo in the docs", Intent::Upkeep),
            ("Fix printing of types", Intent::Fix),
            ("Fix #218: Fix and document the decorator", Intent::Fix),
            ("Fix spelling mistakes", Intent::Upkeep),
            ("fix flaky test", Intent::Upkeep),
            ("fix revive linting", Intent::Upkeep),
            ("feat: more", Intent::Feature),
            ("Adds a cache of pages", Intent::Feature),
            ("Simplify the reader", Intent::Upkeep),
            ("docs: how to fix it", Intent::Upkeep),
            ("Names are compared without case", Intent::Unclear),
            ("", Intent::Unclear),
        ] {
            assert_eq!(Intent::from_text(text), intent, "{text}");
        }
    }
}
