//! Settings of git by the beginning of their name, and the files in which git finds them.

use std::path::{Path, PathBuf};

use super::{Repo, failed};
use guardhost_core::error::Result;

impl Repo {
    /// Name, in lower case but for a subsection, and value of every setting whose name begins with one of `prefixes`, in the order in which
    /// git reads them: of one name the last counts. Values that are no UTF-8 are compared by what is left of them.
    ///
    /// # Errors
    /// The settings cannot be read.
    pub fn config_entries(&self, prefixes: &[&str]) -> Result<Vec<(String, String)>> {
        let store = self.store();
        let failed = |cause| failed("cannot read the settings of git", cause);
        let config = store.handle().config().and_then(|mut config| config.snapshot()).map_err(failed)?;
        let mut entries = config.entries(None).map_err(failed)?;
        let mut found = Vec::new();
        while let Some(entry) = entries.next() {
            let entry = entry.map_err(failed)?;
            let name = String::from_utf8_lossy(entry.name_bytes()).into_owned();
            if prefixes.iter().any(|prefix| name.starts_with(prefix)) {
                found.push((name, String::from_utf8_lossy(entry.value_bytes()).into_owned()));
            }
        }
        Ok(found)
    }

    /// The files of settings that belong to this repository, or to the user with this home, whether they are there or not. Those of the
    /// machine belong to its administrator.
    pub fn config_files(&self, home: Option<&Path>) -> Vec<PathBuf> {
        let own = [self.common_dir().join("config"), self.git_dir().join("config.worktree")];
        let of_user = home.into_iter().flat_map(|home| [home.join(".gitconfig"), home.join(".config/git/config")]);
        own.into_iter().chain(of_user).collect()
    }
}
