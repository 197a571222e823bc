//! Notices what another program did to a repository between two moments: to HEAD, branches and tags, to what is staged, to what else in
//! the git directory steers git, to configuration and hooks wherever they lie, and to the files of the work tree.
//!
//! - `look` compares files: by their stamps, or by content where the file system does not stamp every write.
//! - `refs`, `git_dir`, `settings`, `work_tree` say which files; `index` and `commit_graph` compare what two of them mean.
//!
//! Nothing is opened that is no regular file: a program can leave a FIFO in the place of any file. A folder of the work tree without a
//! tracked file (`target`, `node_modules`) is not entered. Nobody can tell which program made a change.

mod commit_graph;
mod git_dir;
mod index;
mod look;
mod refs;
mod settings;
mod work_tree;

use std::hash::RandomState;
use std::io;
use std::path::{Path, PathBuf};

use super::Repo;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use look::{Look, LookState};
use settings::WatchedSetting;

/// The state of a repository at one moment.
pub struct RepoWatch {
    folders: WatchedFolders,
    settings: Vec<WatchedSetting>,
    /// Its keys are random, so that no program can make content of the same hash.
    hasher: RandomState,
    before: LookState,
}

struct WatchedFolders {
    git: PathBuf,
    common: PathBuf,
    work_tree: Option<PathBuf>,
}

impl RepoWatch {
    /// Errors ([`FaultKind::Git`]): what cannot be looked at.
    pub fn begin(repo: &Repo) -> Result<Self> {
        let folders = WatchedFolders {
            git: repo.git_dir().to_owned(),
            common: repo.common_dir().to_owned(),
            work_tree: repo.workdir().map(Path::to_owned),
        };
        let settings = folders.cannot_look(settings::find(&folders))?;
        let hasher = RandomState::new();
        let before = folders.state(&settings, Look::first(&hasher))?;
        Ok(RepoWatch { folders, settings, hasher, before })
    }

    /// What is not as it was, sorted; with `(new)` or `(removed)`.
    pub fn changes(self) -> Result<Vec<String>> {
        let after = self.folders.state(&self.settings, Look::second(&self.hasher, &self.before))?;
        let mut found = look::changes(&self.before, after);
        // Maintenance of git writes it anew.
        if found.iter().all(|name| name.starts_with(git_dir::COMMIT_GRAPH)) && self.commit_graph_is_true() {
            found.clear();
        }
        Ok(found)
    }

    fn commit_graph_is_true(&self) -> bool {
        commit_graph::is_true(&self.folders.git, &self.folders.common.join("objects/info")).unwrap_or_default()
    }
}

impl WatchedFolders {
    fn state(&self, settings: &[WatchedSetting], mut look: Look<'_>) -> Result<LookState> {
        let looked = refs::look_at(self, &mut look)
            .and_then(|()| git_dir::look_at(self, &mut look))
            .and_then(|()| settings::look_at(settings, &mut look))
            .and_then(|()| work_tree::look_at(self, &mut look));
        self.cannot_look(looked)?;
        Ok(look.found)
    }

    fn cannot_look<T>(&self, looked: io::Result<T>) -> Result<T> {
        looked.with_context(|| Fault::new(FaultKind::Git, format!("cannot look at {}", self.git.display())))
    }

    /// As a person would call a file: relative to the root of the work tree, or absolute.
    fn name_of(&self, path: &Path) -> PathBuf {
        let in_git = |folder: &Path| Some(Path::new(".git").join(path.strip_prefix(folder).ok()?));
        let in_work_tree = || Some(path.strip_prefix(self.work_tree.as_deref()?).ok()?.to_owned());
        in_git(&self.git).or_else(|| in_git(&self.common)).or_else(in_work_tree).unwrap_or_else(|| path.to_owned())
    }

    /// Where git looks up relative paths of settings.
    fn root(&self) -> &Path {
        self.work_tree.as_deref().unwrap_or(&self.git)
    }
}
