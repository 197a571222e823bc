//! What a file defines, what it uses, what it takes from other files, and which of its tests do not run.

mod asked;
mod asleep;
mod javascript;
pub mod language;
pub mod lines;
mod python;
mod rust;
mod unfinished;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub use asked::Asked;
pub use asleep::{Asleep, How};
use language::Language;

#[derive(Debug, Default)]
pub struct Outline {
    pub items: Vec<Item>,
    /// Functions inside of functions.
    pub inner: Vec<Item>,
    /// Names that the file gives a meaning to anywhere: definitions, parameters, assignments, imports.
    pub bound: BTreeSet<String>,
    /// Names that are bound at the top of the file.
    pub top: BTreeSet<String>,
    /// Names that others may take from it: what a module of Python or Rust holds, what one of JavaScript exports.
    pub offered: BTreeSet<String>,
    /// Where whole modules are poured in: what they are called in the file.
    pub globs: BTreeSet<String>,
    /// It may offer names that cannot be read from it.
    pub open: bool,
    /// Plain names that are read, each with the first line where; of Rust, `name::` where a path begins with it.
    pub uses: BTreeMap<String, u32>,
    /// `object.member` where the object is a plain or dotted name; `self` and `this` stand as their class.
    pub members: BTreeMap<(String, String), u32>,
    pub takes: Vec<Take>,
    /// Fixtures that tests and other fixtures ask for, each with the first line where.
    pub wants: BTreeMap<String, u32>,
    /// Parameters of tests that are given by hand.
    pub parametrized: BTreeSet<String>,
    pub comments: Vec<Comment>,
    /// Bytes that no program runs: comments, and strings that are statements. In order.
    pub dead: Vec<Range<usize>>,
    /// Marks such as `.only`, each with the title of what it stands at: the tests of the file without one do not run.
    pub focused: Vec<(String, Asleep)>,
}

/// A definition.
#[derive(Debug, Clone, Default)]
pub struct Item {
    pub name: String,
    /// The class, type or module inside which it stands.
    pub owner: Option<String>,
    pub kind: Kind,
    /// First and last, from 1; decorators and attributes belong to it.
    pub lines: (u32, u32),
    pub body: Body,
    /// Of a class: what else gives it members, as it is called in the file; `?` when that has no name.
    pub bases: Vec<String>,
    /// What its language calls it, where the kind's own word does not say it.
    pub noun: Option<&'static str>,
    /// Of a test: why it does not run, whatever the platform.
    pub asleep: Option<Asleep>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Function,
    Method,
    Class,
    Fixture,
    Test,
    Module,
    Value,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Body {
    /// It does something; or it has no body, as a class or a value.
    #[default]
    Real,
    /// Nothing at all: `pass`, `{}`.
    Empty,
    /// It says that it is still to be written: `...`, `todo!()`, `throw new Error("not implemented")`.
    Stub,
    /// A stub by design: an overload, an abstract method, a declaration.
    Declared,
}

/// An import.
#[derive(Debug)]
pub struct Take {
    /// As written: `..pkg.mod`, `./mod.js`, `crate::a::b`.
    pub module: String,
    /// None when the module itself is meant.
    pub name: Option<String>,
    /// What it is called in this file.
    pub local: String,
    pub line: u32,
    /// The file goes on without it: inside `try`.
    pub guarded: bool,
}

#[derive(Debug)]
pub struct Comment {
    pub line: u32,
    /// Without the comment's own signs.
    pub text: String,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Function => "function",
            Kind::Method => "method",
            Kind::Class => "class",
            Kind::Fixture => "fixture",
            Kind::Test => "test",
            Kind::Module => "module",
            Kind::Value => "value",
        }
    }
}

impl Item {
    /// What it is, in a sentence.
    pub fn word(&self) -> &'static str {
        self.noun.unwrap_or(self.kind.word())
    }

    /// The name with what it stands in.
    pub fn full_name(&self) -> String {
        match &self.owner {
            Some(owner) => format!("{owner}.{}", self.name),
            None => self.name.clone(),
        }
    }

    pub fn is(&self, other: &Item) -> bool {
        self.name == other.name && self.owner == other.owner
    }
}

impl Outline {
    /// None when the text does not parse, or nests deeper than can be followed.
    pub fn of(language: Language, path: &str, text: &str) -> Option<Outline> {
        match language {
            Language::Python => python::outline(path, text),
            Language::JavaScript => javascript::outline(path, text),
            Language::Rust => rust::outline(text),
        }
    }

    /// The text that it is the outline of, with spaces for what no program runs.
    pub fn code(&self, text: &str) -> String {
        let mut code = text.as_bytes().to_vec();
        for range in &self.dead {
            for byte in code.get_mut(range.clone()).into_iter().flatten().filter(|byte| !b"\r\n".contains(byte)) {
                *byte = b' ';
            }
        }
        // Only whole characters were replaced.
        String::from_utf8(code).unwrap_or_else(|_| text.to_owned())
    }

    pub fn has(&self, item: &Item) -> bool {
        self.items.iter().any(|other| other.is(item))
    }

    fn use_at(&mut self, name: &str, line: u32) {
        self.uses.entry(name.to_owned()).or_insert(line);
    }

    fn member_at(&mut self, object: &str, member: &str, line: u32) {
        self.members.entry((object.to_owned(), member.to_owned())).or_insert(line);
    }
}
