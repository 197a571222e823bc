//! Writes commits and refs.

use std::collections::BTreeSet;

use git2::{BranchType, ErrorCode, Repository, Signature};

use super::store::sync_objects;
use super::sync::{sync_all, sync_parent};
use super::{Head, Repo, failed};
use guardhost_core::change::{NullObserver, Oid};
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};

/// Refs of rejected attempts are `REJECTED/RUN/ROUND`.
pub(super) const REJECTED: &str = "refs/guardhost/rejected";

/// How the ref of the acceptable part of an attempt ends.
pub(super) const PART: &str = "-part";

impl Repo {
    /// Writes `tree`, all objects below it and a commit of it to disk. No ref names the commit yet, and no hook runs.
    ///
    /// The author is the one in git's configuration, else `Guardhost <guardhost@localhost>`.
    pub fn commit(&self, tree: Oid, parents: &[Oid], message: &str) -> Result<Oid> {
        let store = self.store();
        self.on_disk(|repo| {
            store.write_to_disk(tree, repo, &NullObserver)?;
            let failed = |cause| failed("cannot write the commit", cause);
            let tree = repo.find_tree(tree).map_err(failed)?;
            let parents =
                parents.iter().map(|oid| repo.find_commit(*oid)).collect::<Result<Vec<_>, _>>().map_err(failed)?;
            let parents: Vec<_> = parents.iter().collect();
            let author = author(repo)?;
            let commit = repo.commit(None, &author, &author, message, &tree, &parents).map_err(failed)?;
            let synced = sync_objects(repo, &[commit], &NullObserver);
            synced.with_context(|| Fault::new(FaultKind::Git, "cannot write the commit")).map(|()| commit)
        })
    }

    /// Writes `tree` and all objects below it to disk, where other programs find them. Nothing names the tree: git removes it after a while.
    pub fn write_tree(&self, tree: Oid) -> Result<()> {
        let store = self.store();
        self.on_disk(|repo| store.write_to_disk(tree, repo, &NullObserver))
    }

    /// Creates a branch. An error if it exists.
    pub fn create_branch(&self, name: &str, commit: Oid) -> Result<()> {
        self.compare_and_swap(&valid_ref(branch_ref(name))?, None, commit)
    }

    /// Moves a branch from `old` to `new`. An error if it points elsewhere by now, or if it is checked out in a work tree: git would show
    /// the change there as undone.
    pub fn move_branch(&self, name: &str, old: Oid, new: Oid) -> Result<()> {
        self.compare_and_swap(&valid_ref(branch_ref(name))?, Some(old), new)
    }

    /// The commit of a branch; None when there is no such branch.
    pub fn branch(&self, name: &str) -> Result<Option<Oid>> {
        let name = valid_ref(branch_ref(name))?;
        self.on_disk(|repo| target(repo, &name))
    }

    /// Moves what HEAD names (its branch, or HEAD itself when it is detached) from `head` to `new`. Index and work tree stay as they are:
    /// call it after they hold the tree of `new`. An error if HEAD points elsewhere by now.
    pub fn advance_head(&self, head: &Head, new: Oid) -> Result<()> {
        let name = match (&head.branch, head.detached) {
            (Some(branch), false) => valid_ref(branch_ref(branch))?,
            (None, _) | (_, true) => "HEAD".to_owned(),
        };
        self.swap(&name, head.commit, new, HeadTip::OfHead)
    }

    /// Deletes a branch that points at `commit`. An error if it points elsewhere, or if it is checked out in a work tree.
    pub fn delete_branch(&self, name: &str, commit: Oid) -> Result<()> {
        let name = valid_ref(branch_ref(name))?;
        self.on_disk(|repo| {
            check_not_checked_out(repo, &name)?;
            delete(repo, &name, commit)
        })
    }

    /// The runs with rejected attempts that a ref keeps reachable.
    pub fn runs_with_rejected(&self) -> Result<BTreeSet<String>> {
        self.on_disk(|repo| {
            let failed = |cause| failed("cannot list the rejected attempts", cause);
            let mut runs = BTreeSet::new();
            for name in repo.references_glob(&format!("{REJECTED}/*")).map_err(failed)?.names() {
                let name = name.map_err(failed)?;
                let run = name.strip_prefix(REJECTED).and_then(|rest| rest.strip_prefix('/')?.split('/').next());
                runs.extend(run.map(str::to_owned));
            }
            Ok(runs)
        })
    }

    /// Whether a branch has a commit, beside those whose names begin with `except`.
    pub fn is_on_branch(&self, commit: Oid, except: &str) -> Result<bool> {
        /// Branches that are compared: each may cost a walk through history.
        const MOST: usize = 200;
        self.on_disk(|repo| {
            let failed = |cause| failed(format!("cannot look for {commit} on branches"), cause);
            for branch in repo.branches(Some(BranchType::Local)).map_err(failed)?.take(MOST) {
                let (branch, _) = branch.map_err(failed)?;
                let is_excepted = branch.name_bytes().is_ok_and(|name| name.starts_with(except.as_bytes()));
                let Some(tip) = branch.get().target().filter(|_| !is_excepted) else { continue };
                if tip == commit || repo.graph_descendant_of(tip, commit).unwrap_or(false) {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// Deletes the refs that keep the rejected attempts of a run reachable, and returns how many there were.
    pub fn drop_rejected(&self, run: &str) -> Result<usize> {
        let prefix = valid_ref(format!("{REJECTED}/{run}"))?;
        self.on_disk(|repo| {
            let failed = |cause| failed("cannot list the rejected attempts", cause);
            let mut attempts = Vec::new();
            for reference in repo.references_glob(&format!("{prefix}/*")).map_err(failed)? {
                let reference = reference.map_err(failed)?;
                attempts.extend(reference.name().ok().map(str::to_owned).zip(reference.target()));
            }
            attempts.iter().try_for_each(|(name, commit)| delete(repo, name, *commit))?;
            Ok(attempts.len())
        })
    }

    /// Creates a ref that keeps a rejected attempt reachable, and returns its name.
    pub fn keep_rejected(&self, run: &str, round: u32, commit: Oid) -> Result<String> {
        let name = valid_ref(format!("{REJECTED}/{run}/{round}"))?;
        self.compare_and_swap(&name, None, commit)?;
        Ok(name)
    }

    /// Creates a ref for the part of a rejected attempt that the guards accept, and returns its name. It goes with the attempt.
    pub fn keep_part(&self, run: &str, round: u32, commit: Oid) -> Result<String> {
        let name = part_ref(run, round)?;
        self.compare_and_swap(&name, None, commit)?;
        Ok(name)
    }

    /// The part that was kept of a round: its ref, and the commit there.
    pub fn part(&self, run: &str, round: u32) -> Result<Option<(String, Oid)>> {
        let name = part_ref(run, round)?;
        let commit = self.on_disk(|repo| target(repo, &name))?;
        Ok(commit.map(|commit| (name, commit)))
    }

    /// The rejected attempt of a round, if it is still kept.
    pub fn rejected_attempt(&self, run: &str, round: u32) -> Result<Option<Oid>> {
        let name = valid_ref(format!("{REJECTED}/{run}/{round}"))?;
        self.on_disk(|repo| target(repo, &name))
    }

    fn compare_and_swap(&self, name: &str, old: Option<Oid>, new: Oid) -> Result<()> {
        self.swap(name, old, new, HeadTip::Elsewhere)
    }

    /// Checks and writes under git's own lock on the ref, so that of two racing writers, git included, exactly one wins.
    fn swap(&self, name: &str, old: Option<Oid>, new: Oid, tip: HeadTip) -> Result<()> {
        self.on_disk(|repo| {
            let mut transaction = repo.transaction().map_err(|cause| failed(format!("cannot lock {name}"), cause))?;
            transaction.lock_ref(name).map_err(|cause| cannot_lock(name, cause))?;
            let found = target(repo, name)?;
            if found != old {
                return Err(unexpected_target(name, old, found).into());
            }
            check_no_conflicting_ref(repo, name)?;
            match tip {
                HeadTip::Elsewhere => check_not_checked_out(repo, name)?,
                HeadTip::OfHead => {}
            }
            let written = author(repo).and_then(|author| {
                transaction
                    .set_target(name, new, Some(&author), "guardhost")
                    .map_err(|cause| failed(format!("cannot set {name}"), cause))
            });
            written?;
            transaction.commit().map_err(|cause| failed(format!("cannot set {name}"), cause))?;
            let file = repo.commondir().join(name);
            let synced = sync_all(std::slice::from_ref(&file)).and_then(|()| sync_parent(&file));
            synced.with_context(|| Fault::new(FaultKind::Git, format!("cannot write {name}")))
        })
    }
}

/// Whether a ref that moves may be the one that HEAD names.
#[derive(Clone, Copy)]
enum HeadTip {
    Elsewhere,
    OfHead,
}

/// Under git's lock on the ref. An error if the ref points elsewhere.
fn delete(repo: &Repository, name: &str, commit: Oid) -> Result<()> {
    let failed = |cause| failed(format!("cannot delete {name}"), cause);
    let mut transaction = repo.transaction().map_err(failed)?;
    transaction.lock_ref(name).map_err(|cause| cannot_lock(name, cause))?;
    let found = target(repo, name)?;
    if found != Some(commit) {
        return Err(unexpected_target(name, Some(commit), found).into());
    }
    transaction.remove(name).map_err(failed)?;
    transaction.commit().map_err(failed)
}

fn branch_ref(name: &str) -> String {
    format!("refs/heads/{name}")
}

fn part_ref(run: &str, round: u32) -> Result<String> {
    valid_ref(format!("{REJECTED}/{run}/{round}{PART}"))
}

fn valid_ref(name: String) -> Result<String> {
    match git2::Reference::is_valid_name(&name) {
        true => Ok(name),
        false => Err(Fault::new(FaultKind::Git, format!("`{}` is not a name for a ref", name.escape_debug())).into()),
    }
}

/// The object that a ref names; None when there is no such ref.
fn target(repo: &Repository, name: &str) -> Result<Option<Oid>> {
    match repo.find_reference(name) {
        Ok(reference) => match reference.target() {
            Some(oid) => Ok(Some(oid)),
            None => Err(Fault::new(FaultKind::Git, format!("{name} is a symbolic ref"))
                .hint("name a branch that is not a symbolic ref")
                .into()),
        },
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(cause) => Err(failed(format!("cannot read {name}"), cause)),
    }
}

fn unexpected_target(name: &str, old: Option<Oid>, found: Option<Oid>) -> Fault {
    let fault = |what: String| Fault::new(FaultKind::Git, what);
    match (old, found) {
        (None, _) => fault(format!("{name} exists already")).hint("choose another branch, or delete that one"),
        (Some(_), None) => fault(format!("{name} is gone")).hint("it was deleted meanwhile: run again"),
        (Some(old), Some(found)) => fault(format!("{name} moved from {old} to {found} meanwhile"))
            .hint("the change was judged on the old tip: run again on the new one"),
    }
}

fn cannot_lock(name: &str, cause: git2::Error) -> Error {
    let fault = Fault::new(FaultKind::Git, format!("cannot lock {name}"));
    let fault = match cause.code() {
        ErrorCode::Locked => fault.hint("another process is writing it; if none is, delete the .lock file beside it"),
        _ => fault,
    };
    crate::without_class(&cause).context(fault)
}

/// git cannot hold both `a` and `a/b`. The lock detects that only for loose refs, so packed ones are checked here.
fn check_no_conflicting_ref(repo: &Repository, name: &str) -> Result<()> {
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
        Some(taken) => Err(Fault::new(FaultKind::Git, format!("{name} cannot exist beside {taken}"))
            .hint("choose another branch")
            .into()),
    }
}

/// An error if a work tree has this branch checked out: if it moved, git would show the change there as undone.
fn check_not_checked_out(repo: &Repository, name: &str) -> Result<()> {
    let common = repo.commondir();
    // For a repository opened from a linked work tree, libgit2's `is_bare` is false even if the main repository is bare.
    let bare = repo.config().and_then(|config| config.get_bool("core.bare")).unwrap_or(false);
    let main = (!bare).then(|| common.join("HEAD"));
    let linked = std::fs::read_dir(common.join("worktrees")).into_iter().flatten();
    let linked = linked.filter_map(|entry| Some(entry.ok()?.path().join("HEAD")));
    for head in main.into_iter().chain(linked) {
        let content = std::fs::read_to_string(&head)
            .with_context(|| Fault::new(FaultKind::Git, format!("cannot read {}", head.display())))?;
        if content.strip_prefix("ref:").is_some_and(|target| target.trim() == name) {
            return Err(Fault::new(FaultKind::Git, format!("{name} is checked out ({})", head.display()))
                .hint("name another branch; merge it afterwards")
                .into());
        }
    }
    Ok(())
}

/// From the configuration, not from `GIT_AUTHOR_*` in the environment: a commit made by a tool names the user who set it up.
fn author(repo: &Repository) -> Result<Signature<'static>> {
    match repo.signature() {
        Ok(signature) => Ok(signature),
        Err(_) => Signature::now("Guardhost", "guardhost@localhost")
            .map_err(|cause| failed("cannot make the author's signature", cause)),
    }
}
