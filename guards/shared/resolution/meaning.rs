//! What becomes of an import.

/// What an import means in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// A file of the tree.
    File(String),
    /// A folder of the tree without a file of its own: a namespace package, a package of Go.
    Folder(String),
    /// The language or its runtime brings it.
    Standard,
    /// A package that a manifest, a workspace or a lock file has, or that the tree imports already.
    Package(String),
    /// It cannot be known from the tree.
    Unknown,
    /// No such file or module is in the tree, and it can come from nowhere else.
    NoModule {
        /// Where it would stand in the tree; None for a module that the language or a manifest would have to bring.
        place: Option<String>,
        /// The nearest name that stands there.
        nearest: Option<String>,
    },
    /// The file is there, and does not offer the name.
    NoName { file: String, name: String, nearest: Option<String> },
    /// No manifest, workspace or lock file has the package.
    NoPackage {
        name: String,
        /// Declared names that are spelled much alike, the nearest first.
        nearest: Vec<String>,
        /// How many packages the project declares.
        declared: usize,
    },
}

impl Meaning {
    pub fn is_missing(&self) -> bool {
        match self {
            Meaning::NoModule { .. } | Meaning::NoName { .. } | Meaning::NoPackage { .. } => true,
            Meaning::File(_) | Meaning::Folder(_) | Meaning::Standard | Meaning::Package(_) | Meaning::Unknown => false,
        }
    }
}

/// Whether a module has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    Yes,
    No,
    /// Its text does not tell: it makes names while it runs, or takes all of those of a package.
    Unknown,
}

impl Offer {
    /// Of two modules that may both give the name.
    pub fn or(self, other: Offer) -> Offer {
        match (self, other) {
            (Offer::Yes, _) | (_, Offer::Yes) => Offer::Yes,
            (Offer::Unknown, _) | (_, Offer::Unknown) => Offer::Unknown,
            (Offer::No, Offer::No) => Offer::No,
        }
    }
}
