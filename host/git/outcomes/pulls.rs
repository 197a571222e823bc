//! The pull requests whose heads are in the repository, and how they came into HEAD.

use std::collections::HashMap;

use git2::Repository;

use super::main_line::{MainLine, find, maker, maker_of, subject};
use super::patches::{TreePair, hash_of_paths};
use super::{
    ChangeFate, ChangeMaker, Landing, LandingWay, PastChange, PastChangeKind, PastChanges, PastQuery, failed, stopped,
};
use guard_files::makers::agent_of_branch;
use guardhost_core::change::Oid;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::stop::StopToken;

/// Where forges keep the heads of pull and merge requests: what is before the number, and after it.
pub const PULL_HEADS: [(&str, &str); 2] = [("refs/pull/", "/head"), ("refs/merge-requests/", "/head")];

/// A forge keeps what an open pull request would come to beside its head, after this instead of what is after the number.
const MAY_BE_OPEN: &str = "/merge";
/// Where it does not, a pull request that is not in HEAD may be open for so many seconds after its last commit.
const YOUNG: i64 = 14 * DAY;
const DAY: i64 = 24 * 60 * 60;
/// Commits of a pull request that are looked for one by one.
const COMMITS: usize = 100;

/// The number of a pull request, if a ref is the head of one.
pub fn pull_number(name: &str) -> Option<PastChangeKind> {
    let [pull, request] = PULL_HEADS
        .map(|(before, after)| name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)?.parse().ok()));
    pull.map(PastChangeKind::Pull).or(request.map(PastChangeKind::MergeRequest))
}

/// A head, and what it is compared with.
struct PullHead {
    what: PastChangeKind,
    number: u64,
    tip: Oid,
    seconds: i64,
    may_be_open: bool,
}

pub fn changes(repo: &Repository, line: &MainLine, query: &PastQuery<'_>) -> Result<PastChanges> {
    let mut found = PastChanges::default();
    let heads = heads(repo, query)?;
    let newest = heads.iter().map(|head| head.seconds).chain([find(repo, line.head)?.time().seconds()]).max();
    let oldest = heads.iter().map(|head| head.seconds).min().unwrap_or_default();
    let patches = SamePatches::of(repo, line.first_parents.iter().copied(), oldest, query.stop)?;
    let branches = branches(repo)?;
    let mut apart = 0_usize;
    for head in heads {
        stopped(query.stop)?;
        let Some((base, landing)) = landing(repo, line, &patches, &head)? else {
            apart += 1;
            continue;
        };
        let is_young = newest.is_some_and(|newest| newest - head.seconds < YOUNG);
        found.changes.push(PastChange {
            what: head.what,
            base: Some(base),
            tip: head.tip,
            subject: told_subject(repo, head.tip, landing)?,
            seconds: head.seconds,
            maker: maker_of_pull(repo, base, head.tip, landing, &branches)?,
            landing,
            fate: match landing {
                Some(_) => ChangeFate::Kept,
                None if is_young || head.may_be_open => ChangeFate::Undecided,
                None => ChangeFate::Closed,
            },
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
fn heads(repo: &Repository, query: &PastQuery<'_>) -> Result<Vec<PullHead>> {
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
    heads.retain(|head| query.since.is_none_or(|since| head.seconds >= since));
    heads.truncate(query.limit);
    Ok(heads)
}

/// The base of a pull request, and how it landed. None: nothing can be told of it.
fn landing(
    repo: &Repository,
    line: &MainLine,
    patches: &SamePatches,
    head: &PullHead,
) -> Result<Option<(Oid, Option<Landing>)>> {
    let base_with = |other: Oid| repo.merge_base(other, head.tip).ok();
    let first_parent = |oid: Oid| Ok::<_, guardhost_core::error::Error>(find(repo, oid)?.parent_ids().next());
    // A merge of exactly this head.
    if let Some(merge) = line.merge_of(head.tip) {
        let base = first_parent(merge)?.and_then(base_with);
        return Ok(base.map(|base| (base, Some(Landing { commit: merge, how: LandingWay::Merge }))));
    }
    // A commit that says that it is this pull request. One of another repository's, in a fork, changes other files.
    for commit in line.of_pull(head.number).iter().rev() {
        let Some(base) = first_parent(*commit)?.and_then(base_with) else { continue };
        if base == head.tip {
            continue;
        }
        let own = TreePair::between(repo, Some(base), head.tip)?.paths(repo)?;
        let theirs = TreePair::of_commit(repo, *commit)?.paths(repo)?;
        if own.iter().any(|path| theirs.contains(path)) {
            let how = if find(repo, *commit)?.parent_count() > 1 { LandingWay::Merge } else { LandingWay::Squash };
            return Ok(Some((base, Some(Landing { commit: *commit, how }))));
        }
    }
    if let Some(place) = line.place(head.tip) {
        let by = line.first_parents[place];
        if by != head.tip {
            let base = first_parent(by)?.and_then(base_with);
            return Ok(base.map(|base| (base, Some(Landing { commit: by, how: LandingWay::Merge }))));
        }
        // It is a commit of the line itself: fast-forwarded, unless that was the base of a branch without commits.
        let commit = find(repo, head.tip)?;
        let is_of_another = commit.parent_count() > 1 || super::main_line::pull_of(&message(&commit)).is_some();
        let base = commit.parent_ids().next().filter(|_| !is_of_another);
        return Ok(base.map(|base| (base, Some(Landing { commit: head.tip, how: LandingWay::Rebase }))));
    }
    let Some(base) = base_with(line.head) else { return Ok(None) };
    Ok(Some((base, patches.landing(repo, base, head.tip)?)))
}

/// Of each pair of a base and a tip, how the commits between them came into the line that ends at `head`; None: they did not, as far as a patch tells.
pub fn landings(
    repo: &Repository,
    head: Oid,
    changes: &[(Oid, Oid)],
    stop: &StopToken,
) -> Result<Vec<Option<Landing>>> {
    let mut oldest = i64::MAX;
    for (base, _) in changes {
        oldest = oldest.min(find(repo, *base)?.time().seconds());
    }
    let parent = |oid: &Oid| repo.find_commit(*oid).ok()?.parent_ids().next();
    let patches = SamePatches::of(repo, std::iter::successors(Some(head), parent), oldest, stop)?;
    changes.iter().map(|(base, tip)| patches.landing(repo, *base, *tip)).collect()
}

/// The commits of the first-parent line, by the files that they change.
struct SamePatches {
    by_paths: HashMap<u64, Vec<Oid>>,
}

impl SamePatches {
    /// `line` begins with its newest commit.
    fn of(repo: &Repository, line: impl Iterator<Item = Oid>, oldest: i64, stop: &StopToken) -> Result<Self> {
        let mut by_paths: HashMap<u64, Vec<Oid>> = HashMap::new();
        for oid in line {
            stopped(stop)?;
            // Clocks of two people differ by less than a day.
            if find(repo, oid)?.time().seconds() < oldest - DAY {
                break;
            }
            let paths = TreePair::of_commit(repo, oid)?.paths(repo)?;
            by_paths.entry(hash_of_paths(&paths)).or_default().push(oid);
        }
        Ok(SamePatches { by_paths })
    }

    /// The commit with the same patch that is younger than `after`, in seconds since 1970.
    fn same(&self, repo: &Repository, trees: TreePair, after: i64) -> Result<Option<Oid>> {
        let Some(alike) = self.by_paths.get(&hash_of_paths(&trees.paths(repo)?)) else { return Ok(None) };
        let Some(wanted) = trees.patch_id(repo)? else { return Ok(None) };
        for oid in alike {
            let is_later = find(repo, *oid)?.time().seconds() >= after;
            if is_later && TreePair::of_commit(repo, *oid)?.patch_id(repo)? == Some(wanted) {
                return Ok(Some(*oid));
            }
        }
        Ok(None)
    }

    /// Whether the line has the whole change as one commit, or each of its commits.
    fn landing(&self, repo: &Repository, base: Oid, tip: Oid) -> Result<Option<Landing>> {
        let failed = |cause| failed(format!("cannot list the commits up to {tip}"), cause);
        let after = find(repo, base)?.time().seconds();
        let whole = self.same(repo, TreePair::between(repo, Some(base), tip)?, after)?;
        let mut walk = repo.revwalk().map_err(failed)?;
        walk.push(tip).and_then(|()| walk.hide(base)).map_err(failed)?;
        let commits = walk.take(COMMITS).collect::<Result<Vec<Oid>, _>>().map_err(failed)?;
        if let Some(commit) = whole {
            let is_same = commits.len() == 1 && message(&find(repo, commit)?) == message(&find(repo, tip)?);
            let how = if is_same { LandingWay::Rebase } else { LandingWay::Squash };
            return Ok(Some(Landing { commit, how }));
        }
        let mut last = None;
        for oid in commits {
            if find(repo, oid)?.parent_count() != 1 {
                continue;
            }
            let Some(same) = self.same(repo, TreePair::of_commit(repo, oid)?, after)? else { return Ok(None) };
            // The walk begins with the newest.
            last = last.or(Some(same));
        }
        Ok(last.map(|commit| Landing { commit, how: LandingWay::Rebase }))
    }
}

fn message(commit: &git2::Commit<'_>) -> String {
    String::from_utf8_lossy(commit.message_bytes()).into_owned()
}

/// A squash has the title of the pull request; nothing else in the history has it.
fn told_subject(repo: &Repository, tip: Oid, landing: Option<Landing>) -> Result<String> {
    let told = match landing {
        Some(Landing { commit, how: LandingWay::Squash }) => commit,
        _ => tip,
    };
    Ok(subject(&find(repo, told)?))
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

fn maker_of_pull(
    repo: &Repository,
    base: Oid,
    tip: Oid,
    landing: Option<Landing>,
    branches: &HashMap<Oid, Vec<String>>,
) -> Result<ChangeMaker> {
    let named = branches.get(&tip).into_iter().flatten().find_map(|branch| agent_of_branch(branch));
    if let Some(agent) = named {
        return Ok(ChangeMaker::Agent(agent));
    }
    let own = maker(repo, Some(base), tip)?;
    let landed = match landing {
        Some(Landing { commit, how: LandingWay::Merge }) => {
            maker(repo, find(repo, commit)?.parent_ids().next(), commit)?
        }
        Some(Landing { commit, .. }) => maker_of(&find(repo, commit)?),
        None => own.clone(),
    };
    Ok(match (&own, &landed) {
        (ChangeMaker::Agent(_), _) => own,
        (_, ChangeMaker::Agent(_)) => landed,
        _ => own,
    })
}
