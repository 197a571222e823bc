//! `guards.toml`: which guards judge a repository, and how. Read from the base commit, never from the change.

mod altered;
mod changed_globs;
mod digest;
mod disclosure;
mod edit;
mod extends;
mod file_kinds;
mod fix;
mod folders;
mod linter;
mod location;
mod lock;
mod lock_check;
mod paths;
mod pin;
mod refusal;
mod registries;
mod rules;
mod runner;
mod scope;
mod size;
mod source;
mod source_prefix;
mod triage;
mod trust;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use guardhost_os::read_regular;

use std::sync::Arc;

use guardhost_core::change::{FileMode, Objects, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};

use guardhost_core::renamed_guards::{absorbed, notice};

use crate::guard_files::{in_repository, through_link};

use location::parse_fault;

pub use guardhost_engine::{did_you_mean, nearest};

pub use altered::{AlteredPin, with_guards};
pub use digest::Digest;
pub use disclosure::{CO_AUTHOR, DisclosureTrailers};
pub use edit::{NewPin, add_pin, extend, remove_pin, stop_extending};
pub use extends::{EXTENDED, Extends, ReadShared, nothing_shared};
pub use file_kinds::kinds;
pub use fix::FixSettings;
pub use lock::{LockFile, Locked};
pub use lock_check::{check_lock, mismatch_of, version_requirement};
pub use paths::Paths;
pub use pin::{Pin, PinKind, PinLimits};
pub use refusal::{ComponentFacts, ComponentRefusal};
pub use registries::RegistryRules;
pub use rules::{GuardsToml, PolicyRules, ProviderChains, Unjudged};
pub use runner::RunnerTable;
pub use scope::{ScopeRule, scope};
pub use size::ByteSize;
pub use source::{ComponentSource, OciSource};
pub use source_prefix::SourcePrefix;
pub use triage::TriageRules;
pub use trust::{RequiredSignatures, SourceTrust, Trust, TrustedKey};

/// The file that people write and review.
pub const FILE: &str = "guards.toml";
/// The origin of the rules of a repository without [`FILE`].
const DEFAULTS: &str = "the built-in defaults";
/// The file that pins the reviewed components.
pub const LOCK: &str = "guards.lock";
/// Bytes of a file of rules, or of a lock.
const LARGEST: u64 = 16 << 20;
/// The folder of vendored components, in the repository.
pub const VENDOR: &str = ".guards";

/// The rules and where they come from.
#[derive(Debug, Clone)]
pub struct Config {
    pub rules: GuardsToml,
    /// For messages: `guards.toml at 1a2b3c4`, a path, or `the built-in defaults`.
    pub origin: String,
    /// As it was read, to find what is wrong in it; empty for the defaults.
    text: String,
    /// Former ids of guards, where rules or options have them.
    pub notices: Vec<String>,
}

/// The bytes of rules. A link or a submodule in their place holds none.
fn file(objects: &dyn Objects, entry: TreeEntry, origin: &str) -> Result<Arc<[u8]>> {
    match entry.mode {
        FileMode::File | FileMode::Executable => objects.blob(entry.oid),
        FileMode::Symlink | FileMode::Submodule => {
            let kind = if entry.mode == FileMode::Symlink { "symbolic link" } else { "submodule" };
            let what = format!("{origin} is a {kind}: expected a file");
            Err(Fault::new(FaultKind::Config, what).hint("put the file itself there").into())
        }
    }
}

impl Config {
    /// The rules of a commit's tree. A tree without `guards.toml` gets the guards `builtin` and the default policy.
    ///
    /// # Errors
    /// `Kind::Config` with file, line and column when the file is wrong.
    pub fn from_tree(objects: &dyn Objects, tree: Oid, label: &str, builtin: Vec<Pin>) -> Result<Config> {
        match objects.entry(tree, &RepoPath::from(FILE))? {
            None => Ok(Config {
                rules: GuardsToml::with_defaults(builtin),
                origin: DEFAULTS.into(),
                text: String::new(),
                notices: Vec::new(),
            }),
            Some(entry) => {
                let origin = format!("{FILE} at {label}");
                let bytes = file(objects, entry, &origin)?;
                Config::parse(&bytes, origin, &|path| in_tree(objects, tree, path))
            }
        }
    }

    /// Of the bytes of a file, which messages call `origin`, and of the rules that it extends.
    ///
    /// # Errors
    /// `Kind::Config`, as of [`Rules::parse`].
    pub fn parse(bytes: &[u8], origin: impl Into<String>, shared: ReadShared) -> Result<Config> {
        let origin = origin.into();
        let rules = GuardsToml::parse(bytes, &origin, shared)?;
        let notices = rules.notices(&origin);
        Ok(Config { rules, origin, text: String::from_utf8_lossy(bytes).into_owned(), notices })
    }

    /// An error that is about an entry of the file, with its place there.
    pub fn with_location(&self, error: Error) -> Error {
        location::with_location(error, &self.text, &self.origin)
    }

    /// The rules of a file that was named on the command line.
    ///
    /// # Errors
    /// `Kind::Config` when it cannot be read or is wrong.
    pub fn from_file(path: &Path) -> Result<Config> {
        let origin = path.display().to_string();
        let mut bytes = Vec::new();
        // The user names it, and it may be a pipe.
        let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
        read.with_context(|| Fault::new(FaultKind::Config, format!("cannot read {origin}")))?;
        if bytes.len() as u64 > LARGEST {
            return Err(Fault::new(FaultKind::Config, format!("{origin} has more than {} MiB", LARGEST >> 20)).into());
        }
        // Paths are those of the folder in which it lies, as in the root of a repository.
        let folder = path.parent().unwrap_or(Path::new(""));
        Config::parse(&bytes, origin, &|shared| in_folder(folder, shared))
    }

    /// The lock of the same tree, and its origin for messages; None when there is none.
    ///
    /// # Errors
    /// `Kind::Config`: the lock is wrong, or the tree has no `guards.toml`.
    pub fn lock_from_tree(&self, objects: &dyn Objects, tree: Oid, label: &str) -> Result<Option<(LockFile, String)>> {
        let Some(entry) = objects.entry(tree, &RepoPath::from(LOCK))? else { return Ok(None) };
        let origin = format!("{LOCK} at {label}");
        if self.is_default() {
            let what = format!("{origin} has no {FILE} beside it: expected both or none");
            return Err(Fault::new(FaultKind::Config, what).hint(format!("restore {FILE}, or remove {LOCK}")).into());
        }
        let lock = LockFile::parse(&file(objects, entry, &origin)?, &origin)?;
        Ok(Some((lock, origin)))
    }

    /// The lock beside a rules file: the same name with the extension `.lock`.
    ///
    /// # Errors
    /// `Kind::Config` when it is wrong.
    pub fn lock_from_file(rules: &Path) -> Result<Option<(LockFile, String)>> {
        let path = rules.with_extension("lock");
        let origin = path.display().to_string();
        match read_regular(&path, LARGEST) {
            Ok(bytes) => Ok(Some((LockFile::parse(&bytes, &origin)?, origin))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(guardhost_core::error::Error::new(error)
                .context(Fault::new(FaultKind::Config, format!("cannot read {origin}")))),
        }
    }

    /// Whether a file of a work tree has this text, whatever ends its lines.
    pub fn is_text(&self, file: &[u8]) -> bool {
        same_lines(self.text.as_bytes(), file)
    }

    /// Whether the repository has no `guards.toml`.
    pub fn is_default(&self) -> bool {
        self.origin == DEFAULTS
    }

    /// Keeps only the guards named in `only` (all when empty), without those in `skip`.
    ///
    /// # Errors
    /// `Kind::Usage` for an unknown name.
    pub fn select(mut self, only: &[String], skip: &[String]) -> Result<Config> {
        let known: Vec<&str> = self.rules.guards.iter().map(|pin| pin.id.as_str()).collect();
        for name in only.iter().chain(skip) {
            let Some(pin) = self.rules.guards.iter().find(|pin| pin.is_meant(name)) else {
                let near = match absorbed(name) {
                    Some(guard) => format!("it is no more, and `{}` judges what it judged; ", guard.current),
                    None => did_you_mean(name, &known),
                };
                let what = format!("no guard `{name}` in {}", self.origin);
                return Err(Fault::new(FaultKind::Usage, what)
                    .hint(format!("{near}it has: {}", known.join(", ")))
                    .into());
            };
            if *name != pin.id && *name != pin.component_id() {
                self.notices.push(notice("the command line", name));
            }
        }
        let among = |names: &[String], pin: &Pin| names.iter().any(|name| pin.is_meant(name));
        self.rules.guards.retain(|pin| (only.is_empty() || among(only, pin)) && !among(skip, pin));
        Ok(self)
    }

    /// With the default set, where the file leaves the choice of guards to the host.
    #[must_use]
    pub fn with_default_set(mut self, builtin: Vec<Pin>) -> Config {
        self.rules.add_default_set(builtin);
        self
    }

    /// Only the pins that are wanted.
    pub fn retain(mut self, wanted: impl Fn(&Pin) -> bool) -> Config {
        self.rules.guards.retain(wanted);
        self
    }
}

/// The file of shared rules in a tree. No link is followed, as for components.
fn in_tree(objects: &dyn Objects, tree: Oid, path: &str) -> Result<Option<Vec<u8>>> {
    let path = in_repository(path);
    let file = match through_link(objects, tree, &path)? {
        Some(_) => None,
        None => objects.entry(tree, &path)?,
    };
    Ok(file.map(|entry| objects.blob(entry.oid)).transpose()?.map(|bytes| bytes.to_vec()))
}

/// The file of shared rules below a folder.
///
/// # Errors
/// It is there and cannot be read.
pub fn in_folder(folder: &Path, path: &str) -> Result<Option<Vec<u8>>> {
    let path = folder.join(path);
    match read_regular(&path, LARGEST) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(guardhost_core::error::Error::new(error)
            .context(Fault::new(FaultKind::Config, format!("cannot read {}", path.display())))),
    }
}

/// Whether two files have the same text, whatever ends its lines.
pub fn same_lines(one: &[u8], other: &[u8]) -> bool {
    lines(one).eq(lines(other))
}

/// Without their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}
