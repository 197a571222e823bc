//! Where in a repository a guard judges: everywhere, below a folder, or wherever no other pin of the same guard does.

use std::fmt;

use guardhost_core::change::RepoPath;
use serde::Deserialize;

/// A folder below the root of the repository, without a slash at either end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Folder(String);

impl TryFrom<String> for Folder {
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        let path = written.strip_suffix('/').unwrap_or(&written);
        let is_name = |part: &str| !matches!(part, "" | "." | "..");
        match path.split('/').all(is_name) {
            true => Ok(Folder(path.to_owned())),
            false => Err(format!("folder {written:?} is no path of a folder below the root, such as \"services/api\"")),
        }
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Folder {
    /// Whether the path lies below it. Letter case counts, as in git.
    pub fn has(&self, path: &[u8]) -> bool {
        path.strip_prefix(self.0.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'/'))
    }

    /// Whether the other one lies below it.
    pub fn encloses(&self, other: &Folder) -> bool {
        self.has(other.0.as_bytes())
    }
}

/// The part of a repository that a pin is for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JudgedFolders {
    /// None: the whole repository.
    pub within: Option<Folder>,
    /// Folders of it in which another pin of the same guard judges.
    pub without: Vec<Folder>,
}

impl JudgedFolders {
    pub fn has(&self, path: &RepoPath) -> bool {
        let path = path.as_bytes();
        self.within.as_ref().is_none_or(|folder| folder.has(path))
            && !self.without.iter().any(|folder| folder.has(path))
    }

    /// Whether it is the whole repository.
    pub fn is_everything(&self) -> bool {
        *self == JudgedFolders::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Folder, JudgedFolders};
    use guardhost_core::change::RepoPath;

    fn folder(path: &str) -> Folder {
        Folder::try_from(path.to_owned()).unwrap()
    }

    #[test]
    fn a_folder_has_what_lies_below_it() {
        let api = folder("services/api/");
        for (path, has) in [
            ("services/api/a.py", true),
            ("services/api/deep/a.py", true),
            ("services/api", false),
            ("services/apis/a.py", false),
            ("services/a.py", false),
            ("Services/api/a.py", false),
            ("other/services/api/a.py", false),
        ] {
            assert_eq!(api.has(path.as_bytes()), has, "{path}");
        }
        assert!(folder("services").encloses(&api) && !api.encloses(&api) && !api.encloses(&folder("services")));
        let all_but = JudgedFolders { within: Some(folder("services")), without: vec![api] };
        let has = |path: &str| all_but.has(&RepoPath::from(path));
        assert!(has("services/web/a.py") && !has("services/api/a.py") && !has("a.py") && !all_but.is_everything());
        assert!(JudgedFolders::default().has(&RepoPath::from("a.py")));
    }

    #[test]
    fn what_is_no_folder_below_the_root() {
        for wrong in ["", "/", "/api", "api//x", "./api", "api/..", "api//"] {
            assert!(Folder::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
