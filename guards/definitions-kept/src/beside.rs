//! What a change does beside losing tests.

use std::collections::BTreeSet;
use std::ops::Range;

use guard_sdk::{Change, Side, Version};

use crate::effort::Effort;
use crate::gone::Gone;
use crate::phrases::{Phrases, words};
use crate::touched::{Lines, Touched};
use guard_sdk::language::{Definition, DefinitionKind, Outline};
use guard_sdk::text::LineStarts as Starts;
use outline::{FileKind, is_test, kind_of_file, name_words};

/// Share of a test that must be found again for it to have been moved, renamed, or made one case of many.
const SAME: f64 = 0.5;
/// Share of it that stands in another test, so that nothing is lost.
const TWIN: f64 = 0.97;
/// Share of the words of a test's name, or of the things that it names, that another has if it replaces it.
const ALIKE: f64 = 0.55;
/// The same of one that stands where the other stood, and has at least half of its lines.
const ALIKE_IN_PLACE: f64 = 0.3;
const MANY_CASES: [&str; 8] =
    ["parametrize", "subTest", ".each", "forEach", "for ", "test_case", "#[case", "macro_rules!"];

/// A test of a name that its file did not have.
struct NewTest {
    path: String,
    /// Its first line, in the candidate; of a test that went, the lines that came in its place.
    place: Range<u32>,
    name: BTreeSet<String>,
    words: BTreeSet<String>,
    lines: usize,
    /// It is run with many values.
    many_cases: bool,
}

#[derive(Default)]
pub struct Beside {
    /// All lines that come in, wherever, and all tests that were not there, or not like this.
    came: Phrases,
    new_tests: Vec<NewTest>,
    /// How many tests come in files that were not there, and their lines.
    suite: (usize, usize),
    /// Tests that stay as they were.
    old_tests: Vec<Phrases>,
    /// Words of code that comes or goes, and the names of its files.
    changed: BTreeSet<String>,
    /// Lines of code that is no test.
    pub code_came: usize,
    pub code_went: usize,
    /// Words of the code that goes.
    went: BTreeSet<String>,
    /// Those of them that its file does not have any more: a parameter, an option, a name.
    vanished: BTreeSet<String>,
    /// What the project is made with may have changed what its tests may expect.
    pub manifests: bool,
    /// The change is too large to be read whole.
    pub cut_short: bool,
}

impl Beside {
    pub fn new(change: &Change, effort: &Effort, touched: &[Touched]) -> Self {
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
            if kind != FileKind::Code {
                beside.add(&lines);
                continue;
            }
            match touched.iter().find(|one| one.path() == file.path() && one.is_worth()) {
                Some(known) => {
                    beside.add(known.code());
                    beside.count(file.path(), known.code(), known.before(), known.after());
                }
                None => {
                    let language = effort.language(file.path()).filter(|_| file.after().is_regular());
                    let worth = language.is_some_and(|language| effort.read(language, lines.after.len()));
                    let new = if worth { effort.outline(Side::After, file.path()) } else { None };
                    let code =
                        new.as_ref().map_or_else(|| without_comments(&lines.after), |new| new.code(&lines.after));
                    let lines = Lines { after: code, ..lines };
                    beside.add(&lines);
                    beside.count(file.path(), &lines, None, new.as_ref());
                    let starts = Starts::new(&lines.after);
                    for test in
                        new.iter().flat_map(|new| &new.definitions).filter(|item| item.kind == DefinitionKind::Test)
                    {
                        let text = starts.slice(&lines.after, (test.lines.first, test.lines.last));
                        let test = NewTest::new(file.path(), test, text);
                        if !file.before().exists() {
                            beside.suite = (beside.suite.0 + 1, beside.suite.1 + test.lines);
                        }
                        beside.new_tests.push(test);
                    }
                }
            }
        }
        for file in touched.iter().filter(|file| file.is_worth()) {
            let (Some(before), Some(after)) = (file.before(), file.after()) else { continue };
            let is_test = |item: &&Definition| item.kind == DefinitionKind::Test && item.skip.is_none();
            let old: BTreeSet<&str> =
                before.definitions.iter().filter(is_test).map(|item| file.text_before(item)).collect();
            for test in after.definitions.iter().filter(is_test) {
                let text = file.text_after(test);
                if old.contains(text) {
                    beside.old_tests.push(Phrases::new(text));
                    continue;
                }
                beside.came.add(text);
                // One that was there and is edited stands for itself.
                if !before.defines(test) {
                    beside.new_tests.push(NewTest::new(file.path(), test, text));
                }
            }
        }
        beside
    }

    fn count(&mut self, path: &str, lines: &Lines, before: Option<&Outline>, after: Option<&Outline>) {
        let in_test = |outline: Option<&Outline>, line: u32| {
            is_test(path)
                || outline.is_some_and(|outline| {
                    let tests = outline.definitions.iter().filter(|item| {
                        item.kind == DefinitionKind::Test || matches!(item.name.as_str(), "tests" | "test")
                    });
                    tests.into_iter().any(|item| (item.lines.first..=item.lines.last).contains(&line))
                })
        };
        let counted = (self.code_came, self.code_went);
        let mut gone: BTreeSet<&str> = BTreeSet::new();
        for (number, line) in lines.added().filter(|(_, line)| says_something(line)) {
            if !in_test(after, number) {
                self.code_came += 1;
                self.changed.extend(telling(line).map(str::to_owned));
            }
        }
        for (number, line) in lines.removed().filter(|(_, line)| says_something(line)) {
            if !in_test(before, number) {
                self.code_went += 1;
                self.went.extend(name_words(line));
                gone.extend(words(line).filter(|word| word.len() >= 3));
                self.changed.extend(telling(line).map(str::to_owned));
            }
        }
        if !gone.is_empty() {
            for word in words(&lines.after) {
                gone.remove(word);
            }
            self.vanished.extend(gone.into_iter().map(str::to_owned));
        }
        if counted != (self.code_came, self.code_went) {
            self.changed.extend(stem_words(path).chain(package(path)).map(str::to_owned));
        }
    }

    fn add(&mut self, lines: &Lines) {
        let added: Vec<&str> = lines.added().map(|(_, line)| line).collect();
        self.came.add(&added.join("\n"));
    }

    /// Takes out the tests for which new ones come that are like them, one for each; for many, if it is run with many values.
    pub fn replaced(&self, lost: &mut Vec<&Gone>) {
        let mut free: Vec<&NewTest> = self.new_tests.iter().collect();
        lost.retain(|gone| {
            let mut test = NewTest::new(gone.touched.path(), gone.item, gone.text);
            test.place = gone.touched.lines.came_for(gone.item.lines.first);
            match free.iter().position(|new| new.is_like(&test)) {
                Some(at) if free[at].many_cases => false,
                Some(at) => {
                    free.swap_remove(at);
                    false
                }
                None => true,
            }
        });
    }

    /// Whether files of tests come that may stand for files with so many lines of tests.
    pub fn writes_a_suite(&self, lines: usize) -> bool {
        const SEVERAL: usize = 4;
        self.suite.0 >= SEVERAL && 4 * self.suite.1 >= 3 * lines
    }

    /// Whether code goes that speaks of what the test is called after, and more goes than comes.
    pub fn went_with_code(&self, test: &Definition) -> bool {
        let name = name_words(&test.name);
        let named = name.intersection(&self.went).count();
        self.code_went > self.code_came && named > 1 && named as f64 > ALIKE * name.len() as f64
    }

    /// Whether a test is found again: in what comes in, or in a test of another name.
    pub fn has(&self, test: &str) -> bool {
        let phrases = Phrases::new(test);
        phrases.share_in(&self.came) >= SAME || self.old_tests.iter().any(|other| phrases.share_in(other) >= TWIN)
    }

    /// Whether what a test tests is being changed: then it may be outdated, and only people can tell.
    pub fn concerns(&self, test: &str, path: &str) -> bool {
        // `req.host.test.js` tests `request.js`.
        let named_alike = |stem: &str| self.changed.iter().any(|word| word.starts_with(stem));
        telling(test).any(|word| self.changed.contains(word))
            || stem_words(path).any(named_alike)
            || words(test).any(|word| self.vanished.contains(word) && gives(test, word))
    }
}

impl NewTest {
    fn new(path: &str, item: &Definition, text: &str) -> Self {
        let name = name_words(&item.full_name());
        let words = telling(text).map(str::to_owned).filter(|word| *word != item.name).collect();
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        let many_cases = MANY_CASES.iter().any(|sign| text.contains(sign));
        NewTest { path: path.to_owned(), place: item.lines.first..item.lines.first + 1, name, words, lines, many_cases }
    }

    /// Whether it may stand for a test that went: it is called alike, or names most of the same things. One that is written anew
    /// may take a quarter of the lines.
    fn is_like(&self, lost: &NewTest) -> bool {
        let share = |ours: &BTreeSet<String>, theirs: &BTreeSet<String>| match theirs.len() {
            0 => 0.0,
            all => ours.intersection(theirs).count() as f64 / all as f64,
        };
        let in_place = self.path == lost.path
            && lost.place.contains(&self.place.start)
            && self.lines * 2 >= lost.lines
            && lost.words.len() > 3
            && share(&self.words, &lost.words) > ALIKE_IN_PLACE;
        let anywhere = self.lines * 4 >= lost.lines
            && (share(&self.name, &lost.name) > ALIKE
                || (lost.words.len() > usize::from(!self.many_cases) && share(&self.words, &lost.words) > ALIKE));
        in_place || anywhere
    }
}

/// The lines of a file in a language that is not read, without those that are comments.
fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| if says_something(line) { line } else { "" });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a test gives something by that name, or asks a value for it: `tax=1`, `tax: 1`, `.tax`.
fn gives(test: &str, word: &str) -> bool {
    const OTHER: [&str; 6] = ["else", "try", "finally", "default", "lambda", "case"];
    let is_name = |at: usize| {
        let (before, behind) = (&test[..at], &test[at + word.len()..]);
        let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_given = (behind.starts_with('=') && !behind.starts_with("==")) || behind.starts_with(':');
        is_whole && (is_given || before.ends_with('.'))
    };
    !OTHER.contains(&word) && test.match_indices(word).any(|(at, _)| is_name(at))
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

/// The folder of a file, where it is a part of a package and no whole one: `tests/test_forms.py` tests `shop/forms/fields.py`.
fn package(path: &str) -> Option<&str> {
    const GENERAL: [&str; 12] =
        ["src", "lib", "core", "internal", "pkg", "app", "source", "python", "rust", "js", "packages", "crates"];
    let folders: Vec<&str> = path.split('/').collect();
    let (_, folders) = folders.split_last()?;
    let mut own = folders.iter().filter(|folder| !GENERAL.contains(folder));
    let first = own.next()?;
    let last = folders.last().filter(|last| last.len() >= 4 && !GENERAL.contains(last))?;
    (own.next().is_some() && first != last).then_some(*last)
}

fn says_something(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with(['#', '*']) && !line.starts_with("//") && !line.starts_with("/*")
}
