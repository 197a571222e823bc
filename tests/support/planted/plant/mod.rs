//! Mistakes as models make them, one class each: something that was asked for or not, and that nobody would have accepted.
//!
//! A plant that does not suit a tree, or would not be a mistake there, says None, and another place is tried.

mod asleep;
mod block;
mod code;
mod config;
mod docs;
mod gone;
mod ground;
mod link;
mod syntax;
mod whole;

use guardhost_core::change::Task;

use super::super::random::Random;
use super::files::Files;
use super::verify;

/// A file as the mistake leaves it.
#[derive(Default)]
pub struct Planted {
    pub path: String,
    pub text: String,
    /// What was done, and where.
    pub what: String,
    /// Told apart in the figures: a language, a format, a way of doing it.
    pub kind: String,
    /// The file in the base, where it is not the tree's.
    pub base: Option<String>,
    /// Further files that the change touches.
    pub also: Vec<(String, String)>,
    pub task: Option<Task>,
}

impl Planted {
    pub fn new(path: &str, text: String, kind: impl Into<String>, what: impl Into<String>) -> Self {
        Planted { path: path.to_owned(), text, kind: kind.into(), what: what.into(), ..Planted::default() }
    }

    pub fn edits(&self) -> impl Iterator<Item = (&str, &str)> {
        let also = self.also.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        [(self.path.as_str(), self.text.as_str())].into_iter().chain(also)
    }
}

pub type Plant = fn(&Files, &mut Random) -> Option<Planted>;

pub struct Class {
    pub name: &'static str,
    /// Guards that say they find it; the bar holds for these.
    pub claimed: &'static [&'static str],
    pub plant: Plant,
}

const fn class(name: &'static str, claimed: &'static [&'static str], plant: Plant) -> Class {
    Class { name, claimed, plant }
}

pub const CLASSES: &[Class] = &[
    class("definition dropped, its file uses it", &["definitions-kept"], gone::used_here),
    class("definition dropped, others import it", &["definitions-kept"], gone::imported),
    class("test deleted", &["definitions-kept"], code::test_deleted),
    class("test weakened", &["definitions-kept"], code::test_weakened),
    class("test deleted, another added", &["definitions-kept"], code::test_deleted_beside_another),
    class("test weakened, another added", &["definitions-kept"], code::test_weakened_beside_another),
    class("test commented out", &["definitions-kept"], asleep::commented_out),
    class("test put to sleep", &["tests-awake"], asleep::skipped),
    class("test ends early", &["tests-awake"], asleep::ends_early),
    class("body gutted", &["definitions-kept"], code::gutted),
    class("truncation marker in code", &["definitions-kept"], code::marker),
    class("truncation marker in a document", &["docs-kept"], docs::marker),
    class("code block lost", &["docs-kept"], docs::block_lost),
    class("every code block lost", &["docs-kept"], docs::blocks_lost),
    class("code block swapped", &["docs-kept"], docs::swapped),
    class("newlines collapsed", &["docs-kept"], docs::collapsed),
    class("whole document shrunk", &["docs-kept"], docs::shrunk),
    class("framework invented", &["frameworks-grounded"], ground::framework),
    class("package invented", &["packages-grounded"], ground::package),
    class("link invented", &["links-resolve"], link::invented),
    class("anchor broken", &["links-resolve"], link::anchor),
    class("config key of the wrong type", &["schema-holds"], config::wrong_type),
    class("syntax broken", &["syntax-holds"], syntax::broken),
    class("file wrapped in a fence", &["syntax-holds"], whole::fenced),
    class("conflict markers left in", &["syntax-holds"], whole::conflict),
    class("manifest touched unasked", &["scope-kept"], whole::manifest),
];

/// Test data, other people's code, what a program wrote: a mistake there may be meant.
pub fn is_own(path: &str) -> bool {
    #[rustfmt::skip]
    const NOT: [&str; 23] = [
        "fixture", "testdata", "test-data", "test_data", "snapshot", "vendor", "third_party", "third-party", "node_modules", "generated", "dist/", "template",
        ".min.", "corpus", "benchmark", "syntax-tests", "migrat", "samples", "contrib/", "/data/", "/specs/", "/ui/", "archive",
    ];
    let lower = path.to_ascii_lowercase();
    !NOT.iter().any(|word| lower.contains(word))
}

/// One of a list.
pub fn one<'l, T>(list: &'l [T], random: &mut Random) -> Option<&'l T> {
    list.get(random.below(list.len()))
}

/// Documents of the project itself: not its tests', not others' programs.
pub fn is_doc(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let other = [
        "change",
        "release",
        "test/",
        "tests/",
        "compar",
        "tutorial",
        "alternatives",
        "integrations",
        ".github/",
        "/faq",
    ];
    path.ends_with(".md") && is_own(path) && !other.iter().any(|word| lower.contains(word))
}
