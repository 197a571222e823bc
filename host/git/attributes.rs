//! Conversions that attributes and configuration demand for files of the work tree.

use git2::{AttrCheckFlags, AttrValue, Repository};
use guardhost_os::KEEPS_MODES;

use super::{Repo, failed};
use guardhost_core::change::RepoPath;
use guardhost_core::error::Result;

/// Whether git keeps other text than the file of the work tree holds, because a program of the user's converts it, or another encoding is set.
///
/// # Errors
/// The attributes or the configuration cannot be read.
pub fn is_converted(repo: &Repo, path: &RepoPath) -> Result<bool> {
    Ok(unsupported_conversion(&repo.store().handle(), path)?.is_some())
}

/// Why libgit2 cannot convert between the file in the work tree and git's blob. It runs no filter programs.
pub(super) fn unsupported_conversion(repo: &Repository, path: &RepoPath) -> Result<Option<&'static str>> {
    let value = |name| -> Result<Option<String>> {
        let value = repo.get_attr_bytes(&path.to_os(), name, AttrCheckFlags::FILE_THEN_INDEX);
        let value = value.map_err(|cause| failed("cannot read the attributes", cause))?;
        Ok(match AttrValue::from_bytes(value) {
            AttrValue::String(value) => Some(value.to_owned()),
            AttrValue::Bytes(value) => Some(String::from_utf8_lossy(value).into_owned()),
            AttrValue::True | AttrValue::False | AttrValue::Unspecified => None,
        })
    };
    if let Some(filter) = value("filter")? {
        let config = repo.config().map_err(|cause| failed("cannot read git's configuration", cause))?;
        // A filter without a program converts nothing.
        if ["clean", "smudge", "process"]
            .iter()
            .any(|kind| config.get_entry(&format!("filter.{filter}.{kind}")).is_ok())
        {
            return Ok(Some("converted by a filter program, as by git-lfs"));
        }
    }
    Ok(value("working-tree-encoding")?.map(|_| "kept in another encoding by working-tree-encoding"))
}

/// Whether the executable bit of files means anything (`core.fileMode`), and there is one.
pub(super) fn trusts_modes(repo: &Repository) -> bool {
    KEEPS_MODES && repo.config().and_then(|config| config.get_bool("core.fileMode")).unwrap_or(true)
}
