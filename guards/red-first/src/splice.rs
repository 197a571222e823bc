//! A file that holds both code and tests: the base's code with the candidate's tests.

use std::collections::BTreeSet;

use guard_sdk::language::{DefinitionKind, Outline};
use guard_sdk::{File, Hunk};

/// Lines of a file that belong to its tests.
pub struct Regions(Vec<(u32, u32)>);

impl Regions {
    /// Modules that hold tests (`mod tests`), with what helps the tests in them, and tests that stand alone.
    pub fn new(outline: &Outline) -> Self {
        let lines = |kind: DefinitionKind| {
            let of_kind = outline.definitions.iter().filter(move |definition| definition.kind == kind);
            of_kind.map(|definition| (definition.lines.first, definition.lines.last))
        };
        let tests: Vec<(u32, u32)> = lines(DefinitionKind::Test).collect();
        let is_for_tests =
            |name: &str| matches!(name, "test" | "tests") || name.ends_with("_test") || name.ends_with("_tests");
        let modules = outline
            .definitions
            .iter()
            .filter(|definition| definition.kind == DefinitionKind::Module && is_for_tests(&definition.name));
        let modules = modules.map(|module| (module.lines.first, module.lines.last));
        let holds_tests = |module: &(u32, u32)| tests.iter().any(|test| module.0 <= test.0 && test.1 <= module.1);
        let modules: Vec<(u32, u32)> = modules.filter(holds_tests).collect();
        Regions(modules.into_iter().chain(tests.iter().copied()).collect())
    }

    fn has(&self, line: u32) -> bool {
        self.0.iter().any(|(first, last)| (*first..=*last).contains(&line))
    }
}

/// None when no line of a test differs.
pub fn splice(old: &str, new: &str, hunks: &[Hunk], before: &Regions, after: &Regions) -> Option<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let (mut text, mut at, mut differs) = (String::new(), 0, false);
    for hunk in hunks {
        // Where lines are only added, `old_start` is the line behind which they come.
        let start = if hunk.old_lines == 0 { hunk.old_start } else { hunk.old_start.saturating_sub(1) } as usize;
        text.extend(old.get(at..start)?.iter().copied());
        at = start + hunk.old_lines as usize;
        for line in start..at {
            let is_test = before.has(line as u32 + 1);
            differs |= is_test;
            text.push_str(if is_test { "" } else { old.get(line)? });
        }
        for line in (hunk.new_start..hunk.new_start + hunk.new_lines).filter(|line| after.has(*line)) {
            differs = true;
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(new.get(line as usize - 1)?);
        }
    }
    text.extend(old.get(at..)?.iter().copied());
    differs.then_some(text)
}

/// Names that stand in the candidate's file and not in the base's, and that of a module that is new.
pub fn added_words(file: &File) -> Vec<String> {
    let before = file.before().text().unwrap_or_default();
    let known: BTreeSet<&str> = words(&before).collect();
    let added = file.added_lines().unwrap_or_default();
    let new = added.iter().flat_map(|line| words(&line.text)).filter(|word| !known.contains(word));
    let mut new: BTreeSet<String> = new.map(str::to_owned).collect();
    if !file.before().exists() || file.old_path().is_some() {
        let stem = file.name().split('.').next().unwrap_or_default();
        new.insert(stem.to_owned());
        new.extend(file.path().rsplit('/').nth(1).map(str::to_owned));
    }
    new.into_iter().collect()
}

/// What may be a name in any language.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
    parts.filter(|word| word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_the_base_with_the_tests_of_the_candidate() {
        let old = "fn add() {\n    1\n}\nmod tests {\n    // old\n}\n";
        let new = "fn more() {}\nfn add() {\n    2\n}\nmod tests {\n    // new\n    // more\n}\n";
        let hunk = |old_start, old_lines, new_start, new_lines| Hunk { old_start, old_lines, new_start, new_lines };
        let hunks = [hunk(0, 0, 1, 1), hunk(2, 1, 3, 1), hunk(5, 1, 6, 2)];
        let (before, after) = (Regions(vec![(4, 6)]), Regions(vec![(5, 8)]));
        let spliced = splice(old, new, &hunks, &before, &after).unwrap();
        assert_eq!(spliced, "fn add() {\n    1\n}\nmod tests {\n    // new\n    // more\n}\n");
        assert_eq!(splice(old, new, &hunks[..2], &before, &after), None, "no line of a test differs");
    }

    #[test]
    fn a_first_module_of_tests_behind_code_that_changed() {
        let (old, new) = ("a\nb", "a\nc\nmod tests {\n}\n");
        let hunk = Hunk { old_start: 2, old_lines: 1, new_start: 2, new_lines: 3 };
        let spliced = splice(old, new, &[hunk], &Regions(vec![]), &Regions(vec![(3, 4)])).unwrap();
        assert_eq!(spliced, "a\nb\nmod tests {\n}\n");
    }
}
