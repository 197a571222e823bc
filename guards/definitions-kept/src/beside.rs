//! What a change does beside losing tests.

use std::collections::BTreeSet;

use guard_sdk::{Change, Version};

use crate::effort::Effort;
use outline::language::{FileKind, Language, is_test, kind_of_file};
use outline::{Item, Kind, Outline};
use crate::phrases::{Phrases, words};
use crate::touched::{Lines, Touched};

/// Share of a test that must be found again for it to have been moved, renamed, or made one case of many.
const SAME: f64 = 0.5;
/// Share of it that stands in another test, so that nothing is lost.
const TWIN: f64 = 0.97;
const MANY_CASES: [&str; 8] =
    ["parametrize", "subTest", ".each", "forEach", "for ", "test_case", "#[case", "macro_rules!"];

#[derive(Default)]
pub struct Beside {
    /// All lines that come in, wherever, and all tests that were not there, or not like this.
    came: Phrases,
    pub new_tests: usize,
    /// A test comes in that is run with many values.
    pub many_cases: bool,
    /// Tests that stay as they were.
    old_tests: Vec<Phrases>,
    /// Words of code that comes or goes, and the names of its files.
    changed: BTreeSet<String>,
    /// Lines of tests that come in.
    pub test_lines: usize,
    /// Lines of code that is no test.
    pub code_came: usize,
    pub code_went: usize,
    /// What the project is made with may have changed what its tests may expect.
    pub manifests: bool,
    /// The change is too large to be read whole.
    pub cut_short: bool,
}

impl Beside {
    pub fn of(change: &Change, effort: &Effort, touched: &[Touched]) -> Self {
        let mut beside = Beside::default();
        for file in change.files() {
            let kind = kind_of_file(file.path());
            beside.manifests |= kind == FileKind::Manifest;
            let text = |side: Version| if side.is_regular() { side.text().unwrap_or_default() } else { String::new() };
            let lines = Lines { before: text(file.before()), after: text(file.after()), hunks: file.hunks() };
            if !effort.compare(lines.after.len()) {
                beside.cut_short = true;
                break;
            }
            let added: Vec<&str> = lines.added().map(|(_, line)| line).collect();
            beside.came.add(&added.join("\n"));
            if kind != FileKind::Code {
                continue;
            }
            match touched.iter().find(|one| one.path() == file.path() && one.is_worth(effort)) {
                Some(known) => beside.count(file.path(), &lines, known.before(), known.after()),
                None => {
                    let new = Language::of(file.path()).filter(|language| effort.read(*language, lines.after.len()));
                    let new = new.and_then(|language| Outline::of(language, file.path(), &lines.after));
                    let tests = new.iter().flat_map(|new| &new.items).filter(|item| item.kind == Kind::Test);
                    beside.new_tests += tests.count();
                    beside.count(file.path(), &lines, None, new.as_ref());
                }
            }
        }
        for file in touched.iter().filter(|file| file.is_worth(effort)) {
            let (Some(before), Some(after)) = (file.before(), file.after()) else { continue };
            let is_test = |item: &&Item| item.kind == Kind::Test;
            let old: BTreeSet<&str> = before.items.iter().filter(is_test).map(|item| file.text_before(item)).collect();
            for test in after.items.iter().filter(is_test).map(|item| file.text_after(item)) {
                if old.contains(test) {
                    beside.old_tests.push(Phrases::of(test));
                } else {
                    beside.came.add(test);
                    beside.new_tests += 1;
                }
            }
        }
        beside
    }

    fn count(&mut self, path: &str, lines: &Lines, before: Option<&Outline>, after: Option<&Outline>) {
        let in_test = |outline: Option<&Outline>, line: u32| {
            is_test(path)
                || outline.is_some_and(|outline| {
                    let tests = outline
                        .items
                        .iter()
                        .filter(|item| item.kind == Kind::Test || matches!(item.name.as_str(), "tests" | "test"));
                    tests.into_iter().any(|item| (item.lines.0..=item.lines.1).contains(&line))
                })
        };
        let counted = (self.code_came, self.code_went);
        for (number, line) in lines.added().filter(|(_, line)| says_something(line)) {
            if in_test(after, number) {
                self.test_lines += 1;
                self.many_cases |= MANY_CASES.iter().any(|sign| line.contains(sign));
            } else {
                self.code_came += 1;
                self.changed.extend(telling(line).map(str::to_owned));
            }
        }
        for (number, line) in lines.removed().filter(|(_, line)| says_something(line)) {
            if !in_test(before, number) {
                self.code_went += 1;
                self.changed.extend(telling(line).map(str::to_owned));
            }
        }
        if counted != (self.code_came, self.code_went) {
            self.changed.extend(stem_words(path).map(str::to_owned));
        }
    }

    /// Whether a test is found again: in what comes in, or in a test of another name.
    pub fn has(&self, test: &str) -> bool {
        let phrases = Phrases::of(test);
        phrases.share_in(&self.came) >= SAME || self.old_tests.iter().any(|other| phrases.share_in(other) >= TWIN)
    }

    /// Whether what a test tests is being changed: then it may be outdated, and only people can tell.
    pub fn concerns(&self, test: &str, path: &str) -> bool {
        // `req.host.test.js` tests `request.js`.
        let named_alike = |stem: &str| self.changed.iter().any(|word| word.starts_with(stem));
        telling(test).any(|word| self.changed.contains(word)) || stem_words(path).any(named_alike)
    }
}

/// Words that name something in particular.
fn telling(text: &str) -> impl Iterator<Item = &str> {
    let compound = |word: &str| {
        let inner = word.trim_matches('_');
        inner.contains('_') || inner.chars().skip(1).any(char::is_uppercase) || inner.len() >= 9
    };
    words(text).filter(move |word| word.len() >= 5 && compound(word))
}

/// What a file is called, without what it is.
fn stem_words(path: &str) -> impl Iterator<Item = &str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem =
        name.split('.').filter(|part| !matches!(*part, "test" | "spec" | "py" | "js" | "ts" | "tsx" | "jsx" | "rs"));
    stem.flat_map(|part| part.split(['_', '-'])).filter(|word| word.len() >= 3 && !matches!(*word, "test" | "tests"))
}

fn says_something(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with(['#', '*']) && !line.starts_with("//") && !line.starts_with("/*")
}
