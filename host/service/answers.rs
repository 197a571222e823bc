//! What the server asks about repositories on this machine's disk. The application answers: it has the parsers.

use std::path::{Path, PathBuf};

use guardhost_observer::wire::{
    BlameLine, Churn, Diff, FileExports, FileFingerprint, ImportedName, RepositoryContext, Symbol, TreeFacts,
};

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    /// The question is wrong: no such revision, no such file.
    Wrong(String),
    /// It is right and cannot be answered here: a language that is not read, a shallow clone.
    Unknown(String),
    Failed(String),
}

pub type Answer<T> = Result<T, NoAnswer>;

/// Answers take a while and block: the server asks on threads for it, a few at once. `target` is a folder that the server may read.
pub trait AnswerService: Send + Sync {
    fn fingerprint(&self, target: &Path) -> Answer<TreeFacts>;
    fn context(&self, target: &Path) -> Answer<RepositoryContext>;
    fn blame(&self, target: &Path, path: &str) -> Answer<Vec<BlameLine>>;
    /// `since`: RFC 3339.
    fn churn(&self, target: &Path, path: &str, since: Option<&str>) -> Answer<Churn>;
    fn diff(&self, target: &Path, base: &str, branch: &str) -> Answer<Diff>;
    /// Of the file in HEAD, as all that follow.
    fn file_fingerprint(&self, target: &Path, path: &str) -> Answer<FileFingerprint>;
    fn imports(&self, target: &Path, path: &str) -> Answer<Vec<ImportedName>>;
    fn exports(&self, target: &Path, path: &str) -> Answer<FileExports>;
    fn symbol(&self, target: &Path, path: &str, name: &str) -> Answer<Symbol>;
}

/// The folders below which `target=` may name repositories.
#[derive(Debug, Clone, Default)]
pub struct Roots(Vec<PathBuf>);

impl Roots {
    /// Folders that do not exist are left out.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Roots(folders.into_iter().filter_map(|folder| folder.canonicalize().ok()).collect())
    }

    /// The folder itself, all links followed, if it lies below a root; without a target the first root.
    pub fn allow(&self, target: Option<&str>) -> Option<PathBuf> {
        let Some(target) = target else { return self.0.first().cloned() };
        let target = Path::new(target).canonicalize().ok().filter(|path| path.is_dir())?;
        self.0.iter().any(|root| target.starts_with(root)).then_some(target)
    }
}

impl Roots {
    /// The repository below a root in which a file lies, and the file's path in it. An absolute path needs no target.
    pub fn file(&self, path: &str) -> Option<(PathBuf, String)> {
        let file = Path::new(path).canonicalize().ok()?;
        let root = file.ancestors().skip(1).find(|folder| folder.join(".git").exists())?;
        let inside = file.strip_prefix(root).ok()?.to_str()?.to_owned();
        Some((self.allow(root.to_str())?, inside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_out_of_a_root_are_not_followed() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::create_dir(inside.path().join("a")).unwrap();
        std::os::unix::fs::symlink(outside.path(), inside.path().join("out")).unwrap();
        let roots = Roots::new([inside.path().to_owned(), "/nowhere/at/all".into()]);
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        assert!(roots.allow(Some(&text(inside.path().join("a")))).is_some());
        for wrong in ["out", "a/../..", "missing"] {
            assert_eq!(roots.allow(Some(&text(inside.path().join(wrong)))), None, "{wrong}");
        }
        assert_eq!(roots.allow(None), inside.path().canonicalize().ok());
        assert_eq!(Roots::default().allow(None), None);
    }
}
