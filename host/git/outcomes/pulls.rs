//! The pull requests whose heads are in the repository, and how they came into HEAD.

use std::collections::HashMap;

use git2::Repository;

use super::branch::merge_base;
use super::forge_words::{ForgeSays, settle};
use super::main_line::{MainLine, find, maker, maker_of, pull_of, subject};
use super::patches::TreePair;
use super::same_patches::{LineCommits, SamePatches};
use super::{ChangeFate, ChangeMaker, Landing, LandingWay, PastChange, PastChangeKind, PastChanges, PastQuery, failed};
use guard_files::makers::agent_of_branch;
use guardhost_core::change::Oid;
use guardhost_core::error::{Fault, FaultKind, Result};

/// Where forges keep the heads of pull and merge requests: what is before the number, and after it.
pub const PULL_HEADS: [(&str, &str); 2] = [("refs/pull/", "/head"), ("refs/merge-requests/", "/head")];

/// A forge keeps what an open pull request would come to beside its head, after this instead of what is after the number.
const MAY_BE_OPEN: &str = "/merge";
/// Where it does not, a pull request that is not in HEAD may be open for so many seconds after its last commit.
const YOUNG: i64 = 14 * DAY;
const DAY: i64 = 24 * 60 * 60;

/// The number of a pull request, if a ref is the head of one.
pub fn pull_number(name: &str) -> Option<PastChangeKind> {
    let [pull, request] = PULL_HEADS
        .map(|(before, after)| name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)?.parse().ok()));
    pull.map(PastChangeKind::Pull).or(request.map(PastChangeKind::MergeRequest))
}

/// A head, and what it is compared with.
pub struct PullHead {
    what: PastChangeKind,
    number: u64,
    tip: Oid,
    seconds: i64,
    may_be_open: bool,
}

impl PullHead {
    pub fn named(&self) -> (u64, Oid) {
        (self.number, self.tip)
    }
}

pub fn changes(repo: &Repository, line: &MainLine, query: &PastQuery<'_>) -> Result<PastChanges> {
    let mut found = PastChanges::default();
    let heads = heads(repo, query.limit, query.since)?;
    let newest = heads.iter().map(|head| head.seconds).chain([find(repo, line.head)?.time().seconds()]).max();
    let oldest = heads.iter().map(|head| head.seconds).min().unwrap_or_default();
    let commits = line.first_parents.iter().copied();
    let patches = SamePatches::new(repo, Some(line), query.facts, commits, oldest, query.stop)?;
    let branches = branches(repo)?;
    let mut apart = 0_usize;
    for head in heads {
        query.facts.stopped(query.stop)?;
        let Some((base, from_history)) = landing_from_history(repo, line, &head)? else {
            apart += 1;
            continue;
        };
        let word = query.forge_words.and_then(|words| words.get(&head.number)).filter(|word| word.head == head.tip);
        let own = own_maker(repo, line, base, head.tip, &branches)?;
        let own = word.map_or_else(|| own.clone(), |word| word.maker(own.clone()));
        // Patches are dear to compare: of what a person made, only those that an agent may have brought in count.
        let of = match (query.agents, &own) {
            (true, ChangeMaker::Bot | ChangeMaker::Person) => LineCommits::OfAgents,
            (true, ChangeMaker::Agent(_)) | (false, _) => LineCommits::All,
        };
        let landing = match from_history {
            Some(landing) => Some(landing),
            None => patches.landing(base, head.tip, of)?,
        };
        let maker = maker_of_pull(repo, line, own, landing)?;
        if query.agents && !matches!(maker, ChangeMaker::Agent(_)) {
            continue;
        }
        let is_young = newest.is_some_and(|newest| newest - head.seconds < YOUNG);
        let fate = match landing {
            Some(_) => ChangeFate::Kept,
            None if is_young || head.may_be_open => ChangeFate::Undecided,
            None => ChangeFate::Closed,
        };
        let title = word.map(|word| word.title.clone()).filter(|title| !title.is_empty());
        let subject = title.map_or_else(|| subject_from_history(repo, head.tip, landing), Ok)?;
        let (landing, fate, forge) = match query.forge_words {
            Some(_) => settle(repo, line, word, (landing, fate)),
            None => (landing, fate, ForgeSays::NotAsked),
        };
        found.changes.push(PastChange {
            what: head.what,
            base: Some(base),
            tip: head.tip,
            subject,
            seconds: head.seconds,
            maker,
            landing,
            fate,
            forge,
        });
    }
    if apart > 0 {
        let plural = if apart == 1 { "" } else { "s" };
        found.notices.push(format!(
            "left out: {apart} pull request{plural} without a change of its own, or without an ancestor in common with HEAD"
        ));
    }
    Ok(found)
}

/// Newest first.
pub fn heads(repo: &Repository, limit: usize, since: Option<i64>) -> Result<Vec<PullHead>> {
    let failed = |cause| failed("cannot list the heads of pull requests", cause);
    let mut heads = Vec::new();
    for (before, after) in PULL_HEADS {
        for reference in repo.references_glob(&format!("{before}*{after}")).map_err(failed)? {
            let reference = reference.map_err(failed)?;
            let name = String::from_utf8_lossy(reference.name_bytes()).into_owned();
            let Some(what) = pull_number(&name) else { continue };
            let Ok(commit) = reference.peel_to_commit() else { continue };
            let (PastChangeKind::Pull(number) | PastChangeKind::MergeRequest(number)) = what else { continue };
            let open = format!("{}{MAY_BE_OPEN}", name.strip_suffix(after).unwrap_or(&name));
            let may_be_open = repo.find_reference(&open).is_ok();
            heads.push(PullHead { what, number, tip: commit.id(), seconds: commit.time().seconds(), may_be_open });
        }
    }
    if heads.is_empty() {
        return Err(Fault::new(FaultKind::Usage, "this repository has no heads of pull requests")
            .hint("--fetch brings those of a remote; without --pulls, commits are judged")
            .into());
    }
    heads.sort_by_key(|head| std::cmp::Reverse(head.number));
    heads.retain(|head| since.is_none_or(|since| head.seconds >= since));
    heads.truncate(limit);
    Ok(heads)
}

/// The base of a pull request, and how it landed, as far as merges, messages and places in the history tell. None: nothing can be told of it.
fn landing_from_history(repo: &Repository, line: &MainLine, head: &PullHead) -> Result<Option<(Oid, Option<Landing>)>> {
    let base_with = |other: Oid| merge_base(repo, line, other, head.tip);
    let first_parent = |oid: Oid| Ok::<_, guardhost_core::error::Error>(find(repo, oid)?.parent_ids().next());
    // A merge of exactly this head.
    if let Some(merge) = line.merge_of(head.tip) {
        let base = first_parent(merge)?.and_then(base_with);
        return Ok(base.map(|base| (base, Some(Landing { commit: merge, how: LandingWay::Merge }))));
    }
    // A commit that says that it is this pull request. One of another repository's, in a fork, changes other files.
    for commit in line.landed_pull(head.number).iter().rev() {
        let Some(base) = first_parent(*commit)?.and_then(base_with) else { continue };
        if base == head.tip {
            continue;
        }
        let own = TreePair::between(repo, Some(base), head.tip)?.paths(repo)?;
        let theirs = TreePair::from_commit(repo, *commit)?.paths(repo)?;
        if own.iter().any(|path| theirs.contains(path)) {
            let how = if find(repo, *commit)?.parent_count() > 1 { LandingWay::Merge } else { LandingWay::Squash };
            return Ok(Some((base, Some(Landing { commit: *commit, how }))));
        }
    }
    if let Some(place) = line.position(head.tip) {
        let by = line.first_parents[place];
        if by != head.tip {
            let base = first_parent(by)?.and_then(base_with);
            return Ok(base.map(|base| (base, Some(Landing { commit: by, how: LandingWay::Merge }))));
        }
        // It is a commit of the line itself: fast-forwarded, unless that was the base of a branch without commits.
        let commit = find(repo, head.tip)?;
        let is_of_another =
            commit.parent_count() > 1 || pull_of(&String::from_utf8_lossy(commit.message_bytes())).is_some();
        let base = commit.parent_ids().next().filter(|_| !is_of_another);
        return Ok(base.map(|base| (base, Some(Landing { commit: head.tip, how: LandingWay::Rebase }))));
    }
    Ok(base_with(line.head).map(|base| (base, None)))
}

/// A squash has the title of the pull request; nothing else in the history has it.
fn subject_from_history(repo: &Repository, tip: Oid, landing: Option<Landing>) -> Result<String> {
    let commit = match landing {
        Some(Landing { commit, how: LandingWay::Squash }) => commit,
        _ => tip,
    };
    Ok(subject(&find(repo, commit)?))
}

/// Branches that are here, by what they point to.
fn branches(repo: &Repository) -> Result<HashMap<Oid, Vec<String>>> {
    let failed = |cause| failed("cannot list the branches", cause);
    let mut found: HashMap<Oid, Vec<String>> = HashMap::new();
    for glob in ["refs/heads/*", "refs/remotes/*"] {
        for reference in repo.references_glob(glob).map_err(failed)? {
            let reference = reference.map_err(failed)?;
            let name = String::from_utf8_lossy(reference.name_bytes()).into_owned();
            let name = match name.strip_prefix("refs/heads/") {
                Some(branch) => branch,
                None => name.splitn(4, '/').nth(3).unwrap_or_default(),
            };
            if let Some(oid) = reference.target() {
                found.entry(oid).or_default().push(name.to_owned());
            }
        }
    }
    Ok(found)
}

/// Who made it, by its branch and its own commits.
fn own_maker(
    repo: &Repository,
    line: &MainLine,
    base: Oid,
    tip: Oid,
    branches: &HashMap<Oid, Vec<String>>,
) -> Result<ChangeMaker> {
    let named = branches.get(&tip).into_iter().flatten().find_map(|branch| agent_of_branch(branch));
    match named {
        Some(agent) => Ok(ChangeMaker::Agent(agent)),
        None => maker(repo, line, Some(base), tip),
    }
}

/// The same, by how it came in too.
fn maker_of_pull(
    repo: &Repository,
    line: &MainLine,
    own: ChangeMaker,
    landing: Option<Landing>,
) -> Result<ChangeMaker> {
    let landed = match landing {
        _ if matches!(own, ChangeMaker::Agent(_)) => return Ok(own),
        Some(Landing { commit, how: LandingWay::Merge }) => {
            maker(repo, line, find(repo, commit)?.parent_ids().next(), commit)?
        }
        Some(Landing { commit, .. }) => maker_of(&find(repo, commit)?),
        None => return Ok(own),
    };
    Ok(match landed {
        ChangeMaker::Agent(_) => landed,
        ChangeMaker::Bot | ChangeMaker::Person => own,
    })
}
