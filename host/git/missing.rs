//! Objects that a partial clone does not have. libgit2 does not fetch them; whoever opened the repository may know how.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use git2::{ObjectType, Odb, Repository};

use super::repo::unpoisoned;
use super::{failed, tree};
use guardhost_core::change::{MissingObject, Oid};
use guardhost_core::error::{Error, Fault, FaultKind, Result};

/// Brings objects from the remote of this name.
pub type FetchObjects = dyn Fn(&str, &BTreeSet<Oid>) -> Result<()> + Send + Sync;

/// Requests to a remote by one command: the trees that are judged, and what else is read. More would be one for each object.
const REQUESTS: usize = 8;
/// Trees whose missing blobs are asked for together: those before and after the change, and those of its rules.
const ROOTS: usize = 8;
/// Objects in one request.
const MOST: usize = 1_000_000;

/// What is known of a partial clone's objects.
#[derive(Default)]
pub(super) struct MissingObjects {
    fetch: Option<Arc<FetchObjects>>,
    state: Mutex<MissingState>,
}

#[derive(Default)]
struct MissingState {
    /// Trees that were asked for paths.
    roots: BTreeSet<Oid>,
    requests: usize,
}

impl MissingObjects {
    pub fn set(&mut self, fetch: Arc<FetchObjects>) {
        self.fetch = Some(fetch);
    }

    pub fn fetcher(&self) -> Option<Arc<FetchObjects>> {
        self.fetch.clone()
    }

    /// A tree of whose files some will be read.
    pub fn root(&self, tree: Oid) {
        if self.fetch.is_some() {
            let mut state = unpoisoned(&self.state);
            if state.roots.len() < ROOTS {
                state.roots.insert(tree);
            }
        }
    }

    /// Runs `work`, and again after what it did not find was fetched: that object, `more`, and all blobs of the trees that were asked for paths.
    ///
    /// # Errors
    /// Those of `work`. Where something is missing and cannot be fetched, the hint says why.
    pub fn retrying<T>(
        &self,
        repo: &Repository,
        more: impl Fn() -> Vec<Oid>,
        mut work: impl FnMut() -> Result<T>,
    ) -> Result<T> {
        let mut before = None;
        loop {
            let error = match work() {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            let missing = error.downcast_ref::<MissingObject>().copied();
            let (Some(MissingObject(oid)), Some(fetch)) = (missing, &self.fetch) else { return Err(error) };
            // The remote does not have it either.
            if before.replace(oid) == Some(oid) {
                return Err(error);
            }
            if let Err(why) = self.bring(repo, oid, more(), fetch) {
                let hint = format!("git could not fetch it ({why:#}); {}", MissingObject::REMEDY);
                return Err(
                    error.context(Fault::new(FaultKind::Git, "a partial clone lacks what is judged").hint(hint))
                );
            }
        }
    }

    fn bring(&self, repo: &Repository, oid: Oid, more: Vec<Oid>, fetch: &Arc<FetchObjects>) -> Result<()> {
        let remote = promisor(repo).ok_or_else(|| Error::msg("no remote promised it"))?;
        let mut state = unpoisoned(&self.state);
        if state.requests >= REQUESTS {
            return Err(Error::msg(format!("the remote was asked {REQUESTS} times already")));
        }
        state.requests += 1;
        let odb = repo.odb().map_err(|cause| failed("cannot open the repository's objects", cause))?;
        let mut all = BTreeSet::from([oid]);
        all.extend(more.into_iter().filter(|oid| !is_here(&odb, *oid)));
        for root in &state.roots {
            missing_blobs(repo, &odb, *root, &mut all)?;
        }
        fetch(&remote, &all)?;
        odb.refresh().map_err(|cause| failed("cannot look for new objects", cause))
    }
}

fn is_here(odb: &Odb<'_>, oid: Oid) -> bool {
    odb.exists_ext(oid, git2::OdbLookupFlags::NO_REFRESH)
}

/// Those below a tree. A folder that is missing itself is asked for when it is read.
fn missing_blobs(repo: &Repository, odb: &Odb<'_>, root: Oid, found: &mut BTreeSet<Oid>) -> Result<()> {
    let mut open = vec![root];
    while let Some(oid) = open.pop() {
        if !is_here(odb, oid) {
            continue;
        }
        for entry in tree::read(repo, oid)?.iter() {
            match entry.kind() {
                Some(ObjectType::Tree) => open.push(entry.id()),
                Some(ObjectType::Blob) if found.len() < MOST && !is_here(odb, entry.id()) => {
                    found.insert(entry.id());
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The remote that promised the objects which were left out; None: nothing was.
pub(super) fn promisor(repo: &Repository) -> Option<String> {
    let config = repo.config().ok()?;
    let entries = config.entries(Some("remote\\..*\\.promisor")).ok()?;
    let mut remote = None;
    let _ = entries.for_each(|entry| {
        let name = entry.name().ok().and_then(|name| name.strip_prefix("remote.")?.strip_suffix(".promisor"));
        if remote.is_none() && entry.value().is_ok_and(|value| value == "true") {
            remote = name.map(str::to_owned);
        }
    });
    remote
}
