//! The tests of a file.

use outline::language::Language;
use outline::{Asleep, Kind, Outline};

use crate::go;
use crate::test::Test;

#[derive(Default)]
pub struct Suite {
    pub tests: Vec<Test>,
    /// Marks by which only some tests run, each with the title that it stands at.
    pub focused: Vec<(String, Asleep)>,
}

impl Suite {
    /// Whether tests may stand in a file of that name.
    pub fn reads(path: &str) -> bool {
        path.ends_with("_test.go") || Language::of(path).is_some()
    }

    /// None when the text does not parse.
    pub fn of(path: &str, text: &str) -> Option<Suite> {
        if text.is_empty() {
            return Some(Suite::default());
        }
        if path.ends_with(".go") {
            return Some(Suite { tests: go::tests(text), focused: Vec::new() });
        }
        let outline = Outline::of(Language::of(path)?, path, text)?;
        let tests = outline.items.into_iter().filter(|item| item.kind == Kind::Test);
        let tests = tests.map(|item| Test { name: item.full_name(), asleep: item.asleep });
        Some(Suite { tests: tests.collect(), focused: outline.focused })
    }

    pub fn has(&self, test: &Test) -> bool {
        self.tests.iter().any(|other| other.name == test.name)
    }

    /// How many tests of that name run: two groups may have tests of one title.
    pub fn ran(&self, test: &Test) -> usize {
        self.tests.iter().filter(|other| other.name == test.name && other.asleep.is_none()).count()
    }
}
