//! Which file an import means.

mod javascript;
mod python;
mod rust;

use guard_sdk::Repo;
use guard_sdk::files::relative::{folder, join};

use crate::effort::Effort;
use crate::language::Language;
use guard_sdk::language::{Definition, DefinitionKind, Outline};

/// A file that others may import from, and what is needed to tell their imports from those of other files.
pub struct Target<'r> {
    language: Language,
    repo: Repo<'r>,
    pub path: String,
    /// What an import calls it: `a/b` for `a/b.py` and for `a/b/__init__.py`.
    key: String,
    /// Of Rust: where its crate begins, and what the crate is called.
    root: rust::Root,
}

impl<'r> Target<'r> {
    pub fn new(language: Language, path: &str, repo: Repo<'r>) -> Self {
        let key = match language {
            Language::Python => python::key(path),
            Language::JavaScript => javascript::key(path),
            Language::Rust => rust::key(path),
            Language::Other => path.to_owned(),
        };
        let root = if language == Language::Rust { rust::root(&repo, path) } else { rust::Root::default() };
        Target { language, repo, path: path.to_owned(), key, root }
    }

    /// The word without which no other file can name it.
    pub fn as_str(&self) -> &str {
        if let Some(name) = self.root.is_at(&self.key) {
            return name;
        }
        let last = self.key.rsplit('/').next().unwrap_or(&self.key);
        if self.language == Language::JavaScript { last.split('.').next().unwrap_or(last) } else { last }
    }

    /// Whether a file may name it without that word: `from . import x`, `super::x`.
    pub fn is_near(&self, importer: &str) -> bool {
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        importer.starts_with(folder) || importer.starts_with(&self.key)
    }

    /// Whether `module`, written in the file `importer`, means this file.
    pub fn is(&self, module: &str, importer: &str, outline: &Outline) -> bool {
        match self.language {
            Language::Python => python::is(self, module, importer),
            Language::JavaScript => javascript::is(self, module, importer),
            Language::Rust => {
                let is_module = |name: &str| {
                    outline.definitions.iter().any(|item| item.kind == DefinitionKind::Module && item.name == name)
                };
                rust::is(self, module, importer, &is_module)
            }
            Language::Other => false,
        }
    }

    /// Another file of the candidate that answers to the same imports.
    pub fn substitute(&self) -> Option<String> {
        let places = match self.language {
            Language::Python => python::places(&self.key),
            Language::JavaScript => javascript::places(&self.key),
            Language::Rust => vec![format!("{}.rs", self.key), format!("{}/mod.rs", self.key)],
            Language::Other => Vec::new(),
        };
        places.into_iter().find(|place| stands(&self.repo, place))
    }

    /// Whether the file `importer` says `mod name;` of this one.
    pub fn is_declared_in(&self, importer: &str, outline: &Outline) -> bool {
        let declares = |item: &Definition| item.owner.is_none() && rust::is_declaration(item, self.as_str());
        let parent = self.key.rsplit_once('/').map_or("", |(parent, _)| parent);
        self.language == Language::Rust && rust::key(importer) == parent && outline.definitions.iter().any(declares)
    }

    /// Whether a module around this one gets it from somewhere else.
    pub fn is_given_by_parent(&self, effort: &Effort) -> bool {
        match self.language {
            Language::Python => python::is_given(&self.repo, &self.key, effort),
            Language::JavaScript | Language::Other => false,
            Language::Rust => rust::is_given(&self.repo, &self.key, effort),
        }
    }

    /// Whether `name` is a module of its own below this one.
    pub fn has_child(&self, name: &str) -> bool {
        match self.language {
            Language::Python => {
                let child = format!("{}/{name}", self.key);
                self.repo.is_dir(&child) == Ok(true)
                    || python::places(&child).iter().any(|place| stands(&self.repo, place))
            }
            Language::JavaScript | Language::Rust | Language::Other => false,
        }
    }
}

/// Whether the file is known to belong to no program: an import in it needs nothing.
pub fn is_dead(language: Language, repo: &Repo, path: &str) -> bool {
    language == Language::Rust && !rust::is_compiled(repo, path)
}

/// What the pin does not grant counts as absent here; the guard fails when it asked for that.
pub fn stands(repo: &Repo, path: &str) -> bool {
    matches!(repo.stat(path), Ok(Some(_)))
}
