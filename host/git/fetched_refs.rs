//! Refs that stand for what a remote has.

use git2::{Direction, Remote, Repository};

use super::{Repo, failed};
use guardhost_core::change::Oid;
use guardhost_core::error::Result;

impl Repo {
    /// The refs below `refs/remotes/` that the fetch of a configured remote writes. Any other ref of such a name has no witness: whoever may
    /// push could have made it. So a bare repository, which others push to, has none.
    ///
    /// # Errors
    /// Refs or settings cannot be read.
    pub fn fetched_refs(&self) -> Result<Vec<(String, Oid)>> {
        if self.is_bare() {
            return Ok(Vec::new());
        }
        let refs = self.refs("refs/remotes/")?;
        if refs.is_empty() {
            return Ok(refs);
        }
        let store = self.store();
        let handle = store.handle();
        let failed = |cause| failed("cannot list the remotes", cause);
        let names = handle.remotes().map_err(failed)?;
        let mut remotes = Vec::new();
        // A name that is no UTF-8 is left out: what it fetched is then judged.
        for name in names.iter().filter_map(|name| name.ok().flatten()) {
            let remote = handle.find_remote(name).map_err(failed)?;
            if !is_this_repository(&remote, &handle) {
                remotes.push(remote);
            }
        }
        let writes = |remote: &Remote, name: &str| {
            remote.refspecs().any(|spec| spec.direction() == Direction::Fetch && spec.dst_matches(name))
        };
        Ok(refs.into_iter().filter(|(name, _)| remotes.iter().any(|remote| writes(remote, name))).collect())
    }

    /// The ref that stands for the upstream of a branch, by its full name; None where none is configured.
    pub fn upstream_of(&self, branch: &str) -> Option<String> {
        let store = self.store();
        let handle = store.handle();
        handle.branch_upstream_name(branch).ok()?.as_str().ok().map(str::to_owned)
    }
}

/// A repository that is its own remote fetches from itself what nobody judged.
fn is_this_repository(remote: &Remote, handle: &Repository) -> bool {
    let Ok(url) = remote.url() else { return true };
    let path = url.strip_prefix("file://").unwrap_or(url);
    let real = |path: &std::path::Path| path.canonicalize().ok();
    let here = handle.workdir().unwrap_or(handle.path());
    match real(&here.join(path)) {
        Some(there) => [Some(handle.path()), Some(handle.commondir()), handle.workdir()]
            .into_iter()
            .flatten()
            .any(|own| real(own).as_ref() == Some(&there)),
        None => false,
    }
}
