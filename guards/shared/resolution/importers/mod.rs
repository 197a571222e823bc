//! From a file to the imports that mean it. The file may be gone, and with it what a tree would answer, so that an import is compared with the
//! names that the file has, and not looked up.

mod javascript;
mod python;
mod rust;

use guard_sdk::Repo;
use guard_sdk::files::Language;
use guard_sdk::language::Outline;

/// Reads the outline of a file, if there is one and it may still be read.
pub type Read<'r> = dyn Fn(&str) -> Option<Outline> + 'r;

/// What is known of a language here.
struct Ways {
    language: Language,
    /// What an import calls a file: `a/b` for `a/b.py` and for `a/b/__init__.py`.
    key: fn(&str) -> String,
    /// Files that answer to the same imports.
    places: fn(&str) -> Vec<String>,
    /// The word of a key without which no other file can name it.
    word: for<'t> fn(&'t Target) -> &'t str,
    is_meant: fn(&Target, &str, &str, &Outline) -> bool,
    /// How an import writes the module `name` of a module.
    below: fn(&str, &str) -> String,
    is_declared_in: fn(&Target, &str, &Outline) -> bool,
    is_given_by_parent: fn(&Target, &Read) -> bool,
    has_child: fn(&Target, &str) -> bool,
    is_dead: fn(&Repo, &str) -> bool,
}

const WAYS: [Ways; 3] = [python::WAYS, javascript::WAYS, rust::WAYS];

/// The languages of which this is known.
pub fn languages() -> impl Iterator<Item = Language> {
    WAYS.iter().map(|ways| ways.language)
}

/// A file that others may import from, and what is needed to tell their imports from those of other files.
pub struct Target<'r> {
    ways: &'static Ways,
    repo: Repo<'r>,
    pub path: String,
    key: String,
    root: rust::Root,
}

impl<'r> Target<'r> {
    /// None in a language of which nothing is known here.
    pub fn new(language: Language, path: &str, repo: Repo<'r>) -> Option<Self> {
        let ways = ways(language)?;
        let root = if language == Language::Rust { rust::root(&repo, path) } else { rust::Root::default() };
        Some(Target { ways, repo, path: path.to_owned(), key: (ways.key)(path), root })
    }

    /// The word without which no other file can name it.
    pub fn as_str(&self) -> &str {
        (self.ways.word)(self)
    }

    /// Whether a file may name it without that word: `from . import x`, `super::x`.
    pub fn is_near(&self, importer: &str) -> bool {
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        importer.starts_with(folder) || importer.starts_with(&self.key)
    }

    /// Whether `module`, written in the file `importer`, means this file.
    pub fn is(&self, module: &str, importer: &str, outline: &Outline) -> bool {
        (self.ways.is_meant)(self, module, importer, outline)
    }

    /// Whether `name`, out of the module `module`, means this file.
    pub fn is_taken(&self, (module, name): (&str, &str), importer: &str, outline: &Outline) -> bool {
        self.is(&(self.ways.below)(module, name), importer, outline)
    }

    /// Another file of the candidate that answers to the same imports.
    pub fn substitute(&self) -> Option<String> {
        (self.ways.places)(&self.key).into_iter().find(|place| stands(&self.repo, place))
    }

    /// Whether the file `importer` says `mod name;` of this one.
    pub fn is_declared_in(&self, importer: &str, outline: &Outline) -> bool {
        (self.ways.is_declared_in)(self, importer, outline)
    }

    /// Whether a module around this one gets it from somewhere else.
    pub fn is_given_by_parent(&self, read: &Read) -> bool {
        (self.ways.is_given_by_parent)(self, read)
    }

    /// Whether `name` is a module of its own below this one.
    pub fn has_child(&self, name: &str) -> bool {
        (self.ways.has_child)(self, name)
    }

    fn last(&self) -> &str {
        self.key.rsplit('/').next().unwrap_or(&self.key)
    }
}

fn ways(language: Language) -> Option<&'static Ways> {
    WAYS.iter().find(|ways| ways.language == language)
}

/// Whether the file is known to belong to no program: an import in it needs nothing.
pub fn is_dead(language: Language, repo: &Repo, path: &str) -> bool {
    ways(language).is_some_and(|ways| (ways.is_dead)(repo, path))
}

/// What the pin does not grant counts as absent here; the guard fails when it asked for that.
pub fn stands(repo: &Repo, path: &str) -> bool {
    matches!(repo.stat(path), Ok(Some(_)))
}
