//! Commits, and the refs that publish them.

use git2::{ErrorCode, Repository, Signature};

use super::{Repo, failed};
use guardhost_core::change::Oid;
use guardhost_core::error::{Context, Error, Fault, Kind, Result};

/// Rejected attempts stay reachable below this, by run and round.
pub(super) const REJECTED: &str = "refs/guardhost/rejected";

impl Repo {
    /// Writes `tree` and what it needs to disk, and a commit of it that nothing refers to yet. No hook runs.
    ///
    /// The author is the one that git's configuration names, else `Guardhost <guardhost@localhost>`.
    pub fn commit(&self, tree: Oid, parents: &[Oid], message: &str) -> Result<Oid> {
        let store = self.store();
        self.on_disk(|repo| {
            store.keep(tree, repo)?;
            let failed = |cause| failed("cannot write the commit", cause);
            let tree = repo.find_tree(tree).map_err(failed)?;
            let parents =
                parents.iter().map(|oid| repo.find_commit(*oid)).collect::<Result<Vec<_>, _>>().map_err(failed)?;
            let parents: Vec<_> = parents.iter().collect();
            let author = author(repo)?;
            repo.commit(None, &author, &author, message, &tree, &parents).map_err(failed)
        })
    }

    /// Makes a branch; an error if it exists.
    pub fn create_branch(&self, name: &str, commit: Oid) -> Result<()> {
        self.swap(&valid(branch_ref(name))?, None, commit)
    }

    /// Moves a branch from `old` to `new`; an error if it stands elsewhere by now, or if a work tree has it checked out:
    /// its files would seem to be changed back.
    pub fn move_branch(&self, name: &str, old: Oid, new: Oid) -> Result<()> {
        self.swap(&valid(branch_ref(name))?, Some(old), new)
    }

    /// Where a branch stands; None when there is none.
    pub fn branch(&self, name: &str) -> Result<Option<Oid>> {
        let name = valid(branch_ref(name))?;
        self.on_disk(|repo| target(repo, &name))
    }

    /// Keeps a rejected attempt reachable; the name of the ref.
    pub fn keep_rejected(&self, run: &str, round: u32, commit: Oid) -> Result<String> {
        let name = valid(format!("{REJECTED}/{run}/{round}"))?;
        self.swap(&name, None, commit)?;
        Ok(name)
    }

    /// Compare and swap: all is checked and written under git's own lock on the ref, so that of two racing writers, git
    /// itself included, exactly one wins.
    fn swap(&self, name: &str, old: Option<Oid>, new: Oid) -> Result<()> {
        self.on_disk(|repo| {
            let mut transaction = repo.transaction().map_err(|cause| failed(format!("cannot lock {name}"), cause))?;
            transaction.lock_ref(name).map_err(|cause| locked(name, cause))?;
            let found = target(repo, name)?;
            if found != old {
                return Err(moved(name, old, found).into());
            }
            free_of_neighbours(repo, name)?;
            not_checked_out(repo, name)?;
            let written = author(repo).and_then(|author| {
                transaction
                    .set_target(name, new, Some(&author), "guardhost")
                    .map_err(|cause| failed(format!("cannot set {name}"), cause))
            });
            written?;
            transaction.commit().map_err(|cause| failed(format!("cannot set {name}"), cause))
        })
    }
}

fn branch_ref(name: &str) -> String {
    format!("refs/heads/{name}")
}

fn valid(name: String) -> Result<String> {
    match git2::Reference::is_valid_name(&name) {
        true => Ok(name),
        false => Err(Fault::new(Kind::Git, format!("`{}` is not a name for a ref", name.escape_debug())).into()),
    }
}

/// Where a ref stands; None when there is none.
fn target(repo: &Repository, name: &str) -> Result<Option<Oid>> {
    match repo.find_reference(name) {
        Ok(reference) => match reference.target() {
            Some(oid) => Ok(Some(oid)),
            None => {
                Err(Fault::new(Kind::Git, format!("{name} is a symbolic ref")).hint("name a branch of its own").into())
            }
        },
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(cause) => Err(failed(format!("cannot read {name}"), cause)),
    }
}

fn moved(name: &str, old: Option<Oid>, found: Option<Oid>) -> Fault {
    let fault = |what: String| Fault::new(Kind::Git, what);
    match (old, found) {
        (None, _) => fault(format!("{name} exists already")).hint("choose another branch, or delete that one"),
        (Some(_), None) => fault(format!("{name} is gone")).hint("somebody deleted it meanwhile: run again"),
        (Some(old), Some(found)) => fault(format!("{name} moved from {old} to {found} meanwhile"))
            .hint("the change was judged on the old tip: run again on the new one"),
    }
}

fn locked(name: &str, cause: git2::Error) -> Error {
    let fault = Fault::new(Kind::Git, format!("cannot lock {name}"));
    let fault = match cause.code() {
        ErrorCode::Locked => fault.hint("another process is writing it; if none is, delete the .lock file beside it"),
        _ => fault,
    };
    Error::new(cause).context(fault)
}

/// The lock sees files only: a packed `a` in the way of `a/b`, or the reverse, would go unnoticed and break both.
fn free_of_neighbours(repo: &Repository, name: &str) -> Result<()> {
    let parents = name.match_indices('/').map(|(at, _)| &name[..at]).filter(|parent| parent.matches('/').count() >= 2);
    let mut taken: Vec<String> =
        parents.filter(|parent| repo.find_reference(parent).is_ok()).map(String::from).collect();
    let below = repo.references_glob(&format!("{name}/*")).map_err(|cause| failed("cannot list refs", cause))?;
    for reference in below {
        let reference = reference.map_err(|cause| failed("cannot list refs", cause))?;
        taken.push(String::from_utf8_lossy(reference.name_bytes()).into_owned());
    }
    match taken.first() {
        None => Ok(()),
        Some(taken) => Err(Fault::new(Kind::Git, format!("{name} cannot stand beside {taken}"))
            .hint("choose another branch")
            .into()),
    }
}

/// A work tree stays as its HEAD says: were its branch moved, all its files would seem to be changed back.
fn not_checked_out(repo: &Repository, name: &str) -> Result<()> {
    let common = repo.commondir();
    // Opened from a linked work tree, libgit2 does not call the repository bare even if the main one is.
    let bare = repo.config().and_then(|config| config.get_bool("core.bare")).unwrap_or(false);
    let main = (!bare).then(|| common.join("HEAD"));
    let linked = std::fs::read_dir(common.join("worktrees")).into_iter().flatten();
    let linked = linked.filter_map(|entry| Some(entry.ok()?.path().join("HEAD")));
    for head in main.into_iter().chain(linked) {
        let content = std::fs::read_to_string(&head)
            .with_context(|| Fault::new(Kind::Git, format!("cannot read {}", head.display())))?;
        if content.strip_prefix("ref:").is_some_and(|target| target.trim() == name) {
            return Err(Fault::new(Kind::Git, format!("{name} is checked out ({})", head.display()))
                .hint("name another branch; merge it when you like it")
                .into());
        }
    }
    Ok(())
}

/// Not the environment's `GIT_AUTHOR_*`: a commit made by a tool names who set the tool up.
fn author(repo: &Repository) -> Result<Signature<'static>> {
    match repo.signature() {
        Ok(signature) => Ok(signature),
        Err(_) => {
            Signature::now("Guardhost", "guardhost@localhost").map_err(|cause| failed("cannot name the author", cause))
        }
    }
}
