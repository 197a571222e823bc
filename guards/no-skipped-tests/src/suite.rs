//! The tests of a file.

use guard_sdk::language::{DefinitionKind, Skip};
use guard_sdk::{Change, Side};

use crate::go;
use crate::test::Test;

#[derive(Default)]
pub struct Suite {
    pub tests: Vec<Test>,
    /// Marks by which only some tests run, each with the title that it stands at.
    pub focused: Vec<(String, Skip)>,
}

impl Suite {
    /// Whether tests may stand in a file of that name.
    pub fn reads(change: &Change, path: &str) -> bool {
        let has_outline = || change.languages(Side::After).language(path).is_some_and(|language| language.has_outline);
        path.ends_with("_test.go") || (!path.ends_with(".go") && has_outline())
    }

    /// None when the text does not parse, or was not read.
    pub fn new(change: &Change, side: Side, path: &str, text: &str) -> Option<Suite> {
        if text.is_empty() {
            return Some(Suite::default());
        }
        // By its tokens, wherever the host was built without a parser of Go.
        if path.ends_with(".go") {
            return Some(Suite { tests: go::tests(text), focused: Vec::new() });
        }
        let outline = change.languages(side).outline(path).ok()?;
        let tests = outline.definitions.into_iter().filter(|one| one.kind == DefinitionKind::Test);
        let tests = tests.map(|test| Test { name: test.full_name(), skip: test.skip });
        let focused = outline.focused.into_iter().map(|focus| (focus.title, focus.mark));
        Some(Suite { tests: tests.collect(), focused: focused.collect() })
    }

    pub fn has(&self, test: &Test) -> bool {
        self.tests.iter().any(|other| other.name == test.name)
    }

    /// How many tests of that name run: two groups may have tests of one title.
    pub fn ran(&self, test: &Test) -> usize {
        self.tests.iter().filter(|other| other.name == test.name && other.skip.is_none()).count()
    }
}
