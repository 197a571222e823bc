//! The kinds of files.

use crate::{folders, names};

/// What a file is to its repository, as far as its path tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Text of a programming language that is part of the program.
    Code,
    /// A test, or something that serves tests and is run.
    Test,
    /// What tests read. It may be wrong on purpose.
    TestData,
    /// What shows how the program is used.
    Example,
    /// What other files are made from.
    Template,
    /// What a program wrote.
    Generated,
    /// What others wrote, in a copy.
    Vendored,
    /// What people read.
    Document,
    /// What tools read to know what to do.
    Configuration,
    /// The exact versions of what is needed, as a tool wrote them.
    Lock,
    /// Data, images, and whatever else the path does not tell.
    Other,
}

impl Kind {
    pub const ALL: [Kind; 11] = [
        Kind::Code,
        Kind::Test,
        Kind::TestData,
        Kind::Example,
        Kind::Template,
        Kind::Generated,
        Kind::Vendored,
        Kind::Document,
        Kind::Configuration,
        Kind::Lock,
        Kind::Other,
    ];

    /// By the built-in rules: the folders decide, then the name.
    pub fn from_path(path: &str) -> Kind {
        let lower = path.to_ascii_lowercase();
        folders::kind(path, &lower).unwrap_or_else(|| names::kind(&lower))
    }

    /// As the contract calls it.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Code => "code",
            Kind::Test => "test",
            Kind::TestData => "test-data",
            Kind::Example => "example",
            Kind::Template => "template",
            Kind::Generated => "generated",
            Kind::Vendored => "vendored",
            Kind::Document => "document",
            Kind::Configuration => "configuration",
            Kind::Lock => "lock",
            Kind::Other => "other",
        }
    }

    /// None for a word of a later version.
    pub fn from_name(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}
