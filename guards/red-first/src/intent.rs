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

/// The same behind the name of a tool, or of what is tested: `fix revive linting`.
const WHATEVER_STANDS_BEFORE: [&str; 4] = ["lint", "tests", "typo", "warning"];

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
        // `fix(parser)!: …`, and `[Fix] parser: …`.
        let tag = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        if let Some((kind, _)) = tag.or_else(|| line.split_once(':')) {
            let kind = kind.split('(').next().unwrap_or_default().trim_end_matches('!').trim();
            if let Some((_, intent)) = TYPES.iter().find(|(name, _)| *name == kind) {
                return *intent;
            }
        }
        // `parser: fix the loop`, `[3.13] gh-123: Fix …`. What stands before `: ` says no more than that: `Fix #12: Use another cache` closes a wish.
        let line = line.rsplit_once(": ").map_or(line.as_str(), |(_, rest)| rest);
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let repaired = repaired(&words);
        match words.first().copied().unwrap_or_default() {
            _ if repaired == Some(Intent::Fix) => Intent::Fix,
            first if FEATURES.iter().any(|start| first.starts_with(start)) => Intent::Feature,
            first if UPKEEP.iter().any(|start| first.starts_with(start)) => Intent::Upkeep,
            _ => repaired.unwrap_or(Intent::Unclear),
        }
    }
}

/// What the words say was repaired: behaviour, or something without any. None when they speak of no repair.
fn repaired(words: &[&str]) -> Option<Intent> {
    let starts = |word: &str, with: &[&str]| with.iter().any(|start| word.starts_with(start));
    let is_defect = |at: usize| {
        let mut about = words.iter().skip(at + 1).filter(|word| !FILLERS.contains(word));
        !about.next().is_some_and(|word| starts(word, &NO_DEFECTS))
            && !about.next().is_some_and(|word| starts(word, &WHATEVER_STANDS_BEFORE))
    };
    let mut repairs = (0..words.len()).filter(|at| is_repair(words[*at])).map(is_defect).peekable();
    repairs.peek()?;
    Some(if repairs.any(|is_defect| is_defect) { Intent::Fix } else { Intent::Upkeep })
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
            ("Fix datetime tests with timezone", Intent::Upkeep),
            ("Fix #260: Use another cache", Intent::Unclear),
            ("[Fix] `parse`: handle nested groups and add regression tests", Intent::Fix),
            ("[3.13] gh-1: Handle nested groups, fix their tests and a bug", Intent::Fix),
            ("add support of TextVar(), also fixes the test failure of #368", Intent::Feature),
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
