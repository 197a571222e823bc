//! What a lock file says, whatever its format.

/// Which tool writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Cargo,
    Npm,
    Yarn,
    Pnpm,
    Poetry,
    Uv,
    Pipenv,
    Go,
    Bundler,
    Composer,
}

#[derive(Debug, Default)]
pub struct Lock {
    pub entries: Vec<Entry>,
    /// What the manifests of the repository require, as the lock repeats it.
    pub roots: Vec<Root>,
    /// Packages for which the project asks for another version than its manifests do.
    pub overrides: Vec<String>,
    /// The tool's digest of the manifest.
    pub content: Option<String>,
    /// What a regenerated file has changed as a whole, such as the version of its format.
    pub generation: String,
}

/// A locked version of a package.
#[derive(Debug, Default, Clone)]
pub struct Entry {
    pub name: String,
    pub version: String,
    /// Where it comes from; empty when the format does not say.
    pub source: String,
    /// Which it is of several entries that one version has by right, such as the peers that were chosen for it, or of npm the
    /// folder in which it is installed; empty for the only one.
    pub variant: String,
    pub digests: Vec<Digest>,
    /// Address, or names of files, that hold the version.
    pub addresses: Vec<String>,
    /// Names that it requires, perhaps with a version behind a blank.
    pub requires: Vec<String>,
    /// From 1.
    pub line: u32,
    /// A package of the repository itself, or one whose need the lock does not show.
    pub is_own: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Digest {
    pub algorithm: Algorithm,
    pub value: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Digits of hexadecimal.
    Hex(usize),
    /// Bytes, in base 64.
    Base64(usize),
    /// Not one whose form is known.
    Other,
}

/// A dependency of a manifest, as a lock repeats it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Root {
    /// Folder or name of the manifest's package.
    pub of: String,
    pub name: String,
    pub requirement: String,
}

impl Format {
    /// By the file's name.
    pub fn from_path(path: &str) -> Option<Format> {
        Some(match path.rsplit('/').next()? {
            "Cargo.lock" => Format::Cargo,
            "package-lock.json" | "npm-shrinkwrap.json" => Format::Npm,
            "yarn.lock" => Format::Yarn,
            "pnpm-lock.yaml" => Format::Pnpm,
            "poetry.lock" => Format::Poetry,
            "uv.lock" => Format::Uv,
            "Pipfile.lock" => Format::Pipenv,
            "go.sum" => Format::Go,
            "Gemfile.lock" => Format::Bundler,
            "composer.lock" => Format::Composer,
            _ => return None,
        })
    }

    /// How to write it anew.
    pub fn command(self) -> &'static str {
        match self {
            Format::Cargo => "cargo update --workspace",
            Format::Npm => "npm install --package-lock-only",
            Format::Yarn => "yarn install",
            Format::Pnpm => "pnpm install --lockfile-only",
            Format::Poetry => "poetry lock",
            Format::Uv => "uv lock",
            Format::Pipenv => "pipenv lock",
            Format::Go => "go mod tidy",
            Format::Bundler => "bundle lock",
            Format::Composer => "composer update --lock",
        }
    }

    /// Whether each entry has all of its digests at once, and a registry never changes them.
    pub fn has_one_digest(self) -> bool {
        matches!(self, Format::Cargo | Format::Npm | Format::Yarn | Format::Pnpm | Format::Go)
    }

    /// Whether every name that an entry requires is an entry, too.
    pub fn locks_all(self) -> bool {
        matches!(self, Format::Cargo | Format::Npm | Format::Uv)
    }
}

impl Lock {
    /// What one manifest requires. Needs the order that [`crate::format::read`] gives the roots.
    pub fn roots_of(&self, of: &str) -> &[Root] {
        let start = self.roots.partition_point(|root| root.of.as_str() < of);
        let end = self.roots.partition_point(|root| root.of.as_str() <= of);
        &self.roots[start..end]
    }

    /// What one manifest requires of one package.
    pub fn declared(&self, of: &str, name: &str) -> &[Root] {
        let roots = self.roots_of(of);
        let start = roots.partition_point(|root| root.name.as_str() < name);
        let end = roots.partition_point(|root| root.name.as_str() <= name);
        &roots[start..end]
    }
}

impl Digest {
    pub fn hex(value: &str, length: usize) -> Digest {
        Digest { algorithm: Algorithm::Hex(length), value: value.to_owned() }
    }

    /// `sha512-…` in base 64, as browsers and npm write it.
    pub fn integrity(value: &str) -> Digest {
        let bytes = match value.split_once('-').map(|(algorithm, _)| algorithm) {
            Some("sha512") => Algorithm::Base64(64),
            Some("sha384") => Algorithm::Base64(48),
            Some("sha256") => Algorithm::Base64(32),
            Some("sha1") => Algorithm::Base64(20),
            _ => Algorithm::Other,
        };
        Digest { algorithm: bytes, value: value.to_owned() }
    }

    /// `sha256:…` in hexadecimal.
    pub fn prefixed(value: &str) -> Digest {
        let algorithm = match value.split_once(':').map(|(algorithm, _)| algorithm) {
            Some("sha256") => Algorithm::Hex(64),
            Some("sha384") => Algorithm::Hex(96),
            Some("sha512") => Algorithm::Hex(128),
            Some("md5") => Algorithm::Hex(32),
            _ => Algorithm::Other,
        };
        Digest { algorithm, value: value.to_owned() }
    }

    pub fn is_well_formed(&self) -> bool {
        let value = self.value.split(['-', ':']).next_back().unwrap_or_default();
        match self.algorithm {
            Algorithm::Hex(length) => value.len() == length && value.bytes().all(|byte| byte.is_ascii_hexdigit()),
            Algorithm::Base64(bytes) => {
                // A list of digests, or one with options, is not read.
                let value = self.value.split_once([':', '-']).map_or(self.value.as_str(), |(_, value)| value);
                let digits = value.trim_end_matches('=');
                value.contains([' ', '?'])
                    || (value.len() == bytes.div_ceil(3) * 4
                        && digits.len() == (bytes * 8).div_ceil(6)
                        && digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')))
            }
            Algorithm::Other => true,
        }
    }
}

/// A package of Python by its canonical name.
pub fn canonical(name: &str) -> String {
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}
