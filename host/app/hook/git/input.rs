//! What git sends to its hooks.

use std::io::Read;

use guardhost_core::change::Oid;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_git::Repo;
use guardhost_report::escape;

/// Larger input is not read, in bytes.
const MAX_INPUT: u64 = 64 << 20;

pub(super) const BRANCHES: &str = "refs/heads/";

const REPLACEMENTS: &str = "refs/replace/";

const HEAD: &str = "HEAD";

const REMOTES: &str = "refs/remotes/";

/// Of a server that keeps several repositories in one, each with branches of its own. They nest.
pub(super) const NAMESPACES: &str = "refs/namespaces/";

/// Where a ref is about to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefTarget {
    Commit(Oid),
    /// A symbolic ref, to the ref of this name.
    Ref(String),
    /// Nowhere: the branch is deleted.
    Nothing,
}

impl RefTarget {
    /// The commit that a branch gets; None where it gets none that another branch does not have.
    pub fn target(&self, repo: &Repo) -> Option<Oid> {
        match self {
            RefTarget::Commit(oid) => Some(*oid),
            RefTarget::Nothing => None,
            RefTarget::Ref(name) if is_branch(name) => None,
            // With permission, a branch can be a symbolic ref to a ref that is none.
            RefTarget::Ref(name) => repo.ref_target(name),
        }
    }

    /// The ref that is no branch, to which a branch would lead.
    pub fn leads_out(&self) -> Option<&str> {
        match self {
            RefTarget::Ref(name) => Some(name.as_str()).filter(|name| !is_branch(name)),
            RefTarget::Commit(_) | RefTarget::Nothing => None,
        }
    }
}

/// One line of `pre-push`: what goes where.
pub struct Push {
    /// The ref here, or what the user wrote for it.
    pub name: String,
    pub new: Oid,
    /// Where the ref of the remote stands; zero where there is none.
    pub theirs: Oid,
}

/// Names of refs are bytes to git; what is no UTF-8 is only shown, and compared with what was read in the same way.
///
/// # Errors
/// Standard input cannot be read.
pub fn read() -> Result<String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_INPUT).read_to_end(&mut bytes);
    read.context(Fault::new(FaultKind::Git, "cannot read which refs git moves"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// # Errors
/// [`FaultKind::Usage`]: a line is not in git's form.
pub fn pushes(input: &str) -> Result<Vec<Push>> {
    lines(input)
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let [name, new, _, theirs] = words.as_slice() else { return Err(not_understood(line)) };
            Ok(Push { name: (*name).to_owned(), new: object(new)?, theirs: object(theirs)? })
        })
        .collect()
}

/// What a transaction does that the gate has a say in.
#[derive(Default)]
pub struct RefChanges {
    /// Branches, by full name.
    pub branches: Vec<(String, RefTarget)>,
    /// Refs by which git shows another object in the place of one.
    pub replacements: Vec<String>,
    /// All other refs that get something: a branch may be a symbolic ref to one.
    pub others: Vec<(String, RefTarget)>,
}

impl RefChanges {
    /// The refs to which a branch may lead that nobody judges by its own name. HEAD is none of them while it goes with its branch, as in every
    /// commit: whatever leads to it gets what is judged as that branch.
    pub fn unseen<'a>(&'a self, repo: &Repo) -> Result<Vec<&'a str>> {
        let is_of_branch = |target: &RefTarget| -> Result<bool> {
            let Some(branch) = repo.head()?.branch else { return Ok(false) };
            let moves = |(name, to): &(String, RefTarget)| name.strip_prefix(BRANCHES) == Some(&branch) && to == target;
            Ok(self.branches.iter().any(moves))
        };
        let mut unseen = Vec::new();
        for (name, target) in &self.others {
            if name != HEAD || !is_of_branch(target)? {
                unseen.push(name.as_str());
            }
        }
        Ok(unseen)
    }
}

/// What the lines `old new ref` of a transaction do.
///
/// # Errors
/// [`FaultKind::Usage`]: a line is not in git's form.
pub fn changes(input: &str) -> Result<RefChanges> {
    let mut changes = RefChanges::default();
    for line in lines(input) {
        let (new, name) = new_and_name(line)?;
        let target = match new.strip_prefix("ref:") {
            Some(target) => RefTarget::Ref(target.to_owned()),
            None => match object(new)? {
                oid if oid.is_zero() => RefTarget::Nothing,
                oid => RefTarget::Commit(oid),
            },
        };
        if is_branch(name) {
            changes.branches.push((name.to_owned(), target));
        } else if target != RefTarget::Nothing {
            match is_below(name, REPLACEMENTS) {
                true => changes.replacements.push(name.to_owned()),
                false => changes.others.push((name.to_owned(), target)),
            }
        }
    }
    Ok(changes)
}

/// The refs of remotes that a transaction moved, and where each stands now. Symbolic ones stand for others.
///
/// # Errors
/// [`FaultKind::Usage`]: a line is not in git's form.
pub fn of_remotes(input: &str) -> Result<Vec<(String, Oid)>> {
    let mut moved = Vec::new();
    for line in lines(input) {
        let (new, name) = new_and_name(line)?;
        if is_below(name, REMOTES) && !new.starts_with("ref:") {
            moved.push((name.to_owned(), object(new)?));
        }
    }
    moved.retain(|(_, oid)| !oid.is_zero());
    Ok(moved)
}

/// Of a line `old new ref`.
fn new_and_name(line: &str) -> Result<(&str, &str)> {
    let words: Vec<&str> = line.splitn(3, ' ').collect();
    let [_, new, name] = words.as_slice() else { return Err(not_understood(line)) };
    Ok((new, name))
}

fn lines(input: &str) -> impl Iterator<Item = &str> {
    input.lines().filter(|line| !line.trim().is_empty())
}

/// Whether this is the full name of a branch, of any namespace.
pub(super) fn is_branch(name: &str) -> bool {
    is_below(name, BRANCHES)
}

/// Where file names have no case, `refs/Heads/main` is the file of `refs/heads/main`.
fn below<'n>(name: &'n str, folder: &str) -> Option<&'n str> {
    let (start, rest) = name.split_at_checked(folder.len())?;
    start.eq_ignore_ascii_case(folder).then_some(rest)
}

/// Whether a ref of any namespace is in this folder.
fn is_below(name: &str, folder: &str) -> bool {
    let inner = below(name, NAMESPACES).and_then(|rest| rest.split_once('/'));
    below(name, folder).is_some() || inner.is_some_and(|(_, inner)| is_below(inner, folder))
}

fn not_understood(line: &str) -> guardhost_core::error::Error {
    Fault::new(FaultKind::Usage, format!("git sent a line that is not understood: {}", escape::inline(line, 200)))
        .into()
}

fn object(hex: &str) -> Result<Oid> {
    Oid::from_str(hex).map_err(|_| Fault::new(FaultKind::Usage, format!("git sent no object id: {hex}")).into())
}
