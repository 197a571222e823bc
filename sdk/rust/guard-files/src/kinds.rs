//! The kinds of a repository: the built-in rules, and what its `[paths]` add.

use crate::{Globs, Kind};

/// Globs of `[paths]`, of which the first list that names a path decides before any built-in rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct PathGlobs {
    /// What the built-in rules take for something else.
    pub code: Vec<String>,
    /// What others wrote, in a copy.
    pub vendored: Vec<String>,
    /// What programs write.
    pub generated: Vec<String>,
    /// What tests read.
    pub test_data: Vec<String>,
}

/// A glob of [`PathGlobs`] that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongGlob {
    /// Of the list.
    pub key: &'static str,
    /// None: the list has too many.
    pub index: Option<usize>,
    pub why: String,
}

/// What every path of a repository is.
#[derive(Debug, Clone, Default)]
pub struct Kinds {
    written: PathGlobs,
    added: Vec<(Kind, Globs)>,
}

impl PathGlobs {
    /// In their order, with the keys of `[paths]`.
    pub fn lists(&self) -> [(&'static str, Kind, &[String]); 4] {
        [
            ("code", Kind::Code, &self.code),
            ("vendored", Kind::Vendored, &self.vendored),
            ("generated", Kind::Generated, &self.generated),
            ("test_data", Kind::TestData, &self.test_data),
        ]
    }
}

impl Kinds {
    /// # Errors
    /// For a glob that cannot be read.
    pub fn new(written: PathGlobs) -> Result<Self, WrongGlob> {
        let lists = written.lists().into_iter().filter(|(.., globs)| !globs.is_empty());
        let added = lists
            .map(|(key, kind, globs)| {
                let wrong = |why| WrongGlob { key, index: Globs::first_wrong(globs), why };
                Globs::new(globs).map(|globs| (kind, globs)).map_err(wrong)
            })
            .collect::<Result<_, _>>()?;
        Ok(Kinds { written, added })
    }

    pub fn kind(&self, path: &str) -> Kind {
        let added = self.added.iter().find(|(_, globs)| globs.matches(path.as_bytes()));
        match added {
            // The lists say that a path is no test data and the like; which kind of code it is, its name says.
            Some((Kind::Code, _)) => crate::names::kind(&path.to_ascii_lowercase()),
            Some((kind, _)) => *kind,
            None => Kind::from_path(path),
        }
    }

    /// None where nothing is added.
    pub fn written(&self) -> Option<&PathGlobs> {
        (!self.added.is_empty()).then_some(&self.written)
    }
}
