//! What names a repository on every machine: the commits without parents that HEAD stands on, and where it comes from.

use git2::{ErrorCode, Repository};

use super::{Repo, failed};
use guardhost_core::change::Oid;
use guardhost_core::error::Result;

/// Root commits that were found earlier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownRoots {
    /// The commit from which they were found.
    pub head: Oid,
    pub roots: Vec<Oid>,
}

impl Repo {
    /// The root commits of HEAD, sorted; None without a commit, and in a shallow clone, which does not have them. Visits every commit
    /// that `known` does not cover.
    pub fn roots(&self, known: Option<&KnownRoots>) -> Result<Option<KnownRoots>> {
        let Some(head) = self.head()?.commit else { return Ok(None) };
        if let Some(known) = known.filter(|known| known.head == head) {
            return Ok(Some(known.clone()));
        }
        self.on_disk(|repo| {
            if repo.is_shallow() {
                return Ok(None);
            }
            let roots = roots(repo, head, known).map_err(|cause| failed("cannot walk the history", cause))?;
            Ok(Some(KnownRoots { head, roots }))
        })
    }

    /// Who commits here, by git's configuration; None where it names nobody.
    pub fn user_name(&self) -> Option<String> {
        let name =
            self.on_disk(|repo| Ok(repo.signature().ok().and_then(|author| author.name().ok().map(str::to_owned))));
        name.ok().flatten().filter(|name| !name.is_empty())
    }

    /// The URL of `origin`, else of the only remote.
    pub fn remote_url(&self) -> Result<Option<String>> {
        self.on_disk(|repo| {
            let failed = |cause| failed("cannot read the remotes", cause);
            let names = repo.remotes().map_err(failed)?;
            let mut names = names.iter().filter_map(|name| name.ok().flatten());
            let name = match (names.next(), names.next()) {
                (Some(only), None) => only,
                _ => "origin",
            };
            match repo.find_remote(name) {
                Ok(remote) => Ok(Some(String::from_utf8_lossy(remote.url_bytes()).into_owned())),
                Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
                Err(cause) => Err(failed(cause)),
            }
        })
    }
}

fn roots(repo: &Repository, head: Oid, known: Option<&KnownRoots>) -> Result<Vec<Oid>, git2::Error> {
    let mut walk = repo.revwalk()?;
    walk.push(head)?;
    let mut roots = Vec::new();
    // What was known of commits that HEAD does not stand on says nothing.
    if let Some(known) = known
        && repo.graph_descendant_of(head, known.head).unwrap_or(false)
    {
        walk.hide(known.head)?;
        roots.clone_from(&known.roots);
    }
    for commit in walk {
        let commit = commit?;
        if repo.find_commit(commit)?.parent_count() == 0 {
            roots.push(commit);
        }
    }
    roots.sort();
    roots.dedup();
    Ok(roots)
}
