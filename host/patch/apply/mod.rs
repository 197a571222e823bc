//! Place a patch on git objects in memory: exactly, or at the only position, never by a guess.
//!
//! Four phases. `locate` finds where a hunk matches, `resolve` chooses one position or none, `edit` writes a file's new text,
//! and `tree` does this for each section of the patch and builds the tree. No file is written.

mod base;
mod context;
mod edit;
mod inverse;
mod left_out;
mod locate;
mod misfit;
mod resolve;
mod text;
mod tree;
mod withheld;

pub use base::ApplyBase;

use crate::{CleanPatch, limits};
use guardhost_core::change::{Candidate, HeaderCounts, Misfit, Patch, Strategy};
use guardhost_core::error::Result;
use guardhost_core::stop::{StopToken, Watch};
use tree::{Section, TreeBuilder};

/// A candidate, and how it was placed.
struct Attempt {
    candidate: Candidate,
    /// No hunk has a misquoted line.
    is_verbatim: bool,
}

/// The candidate that `patch` makes of `base`, or every hunk and file of it that does not fit; then nothing is placed.
///
/// Removed lines match the file byte for byte, white space at line ends aside, at a position that is the only one or that the
/// patch itself tells from the others. What the patch does not change stays as it is, byte for byte. A patch that fits only
/// after its HTML entities are decoded was escaped in transit.
///
/// # Errors
/// When the repository's objects cannot be read, or it was ended ([`Stopped`](guardhost_core::stop::Stopped)).
pub fn apply(patch: &CleanPatch, base: &ApplyBase, stop: &StopToken) -> Result<Result<Candidate, Misfit>> {
    let applied = stop.within(limits::STAGE, |watch| applied(patch, base, watch));
    applied.unwrap_or_else(|stopped| Err(stopped.into_error("applying the patch")))
}

fn applied(patch: &CleanPatch, base: &ApplyBase, watch: &Watch) -> Result<Result<Candidate, Misfit>> {
    match placed(patch, base, watch)? {
        Ok(candidate) => Ok(Ok(candidate)),
        Err(misfit) => withheld::misfit(misfit, patch.patch(), base).map(Err),
    }
}

fn placed(patch: &CleanPatch, base: &ApplyBase, watch: &Watch) -> Result<Result<Candidate, Misfit>> {
    let whole = match inverse::restored(patch.patch(), base, watch)? {
        Ok(patch) => patch,
        Err(misfit) => return Ok(Err(misfit)),
    };
    let patch = match left_out::resolve(&whole, base, watch)? {
        Ok(patch) => patch,
        Err(misfit) => return Ok(Err(misfit)),
    };
    let patch = patch.as_ref();
    if let Some(misfit) = inverse::unmeant(patch, base, watch)? {
        return Ok(Err(misfit));
    }
    let as_sent = attempt(patch, base, watch)?;
    if as_sent.as_ref().is_ok_and(|attempt| is_as_sent(attempt.candidate.strategy)) {
        return Ok(as_sent.map(|attempt| attempt.candidate));
    }
    let mut retabbed: Vec<Candidate> = Vec::new();
    for indented in inverse::retabbed(patch, base, watch)? {
        let candidate = attempt(&indented, base, watch)?.ok().map(|attempt| attempt.candidate);
        retabbed.extend(candidate.filter(|candidate| is_as_sent(candidate.strategy)));
    }
    match retabbed.as_slice() {
        [] => {}
        [one, others @ ..] if others.iter().all(|other| other.tree == one.tree) => return Ok(Ok(one.clone())),
        _ => return Ok(Err(inverse::unclear(patch))),
    }
    if as_sent.as_ref().is_ok_and(|attempt| attempt.is_verbatim) {
        return Ok(as_sent.map(|attempt| attempt.candidate));
    }
    let mut undone: Vec<Attempt> = Vec::new();
    for plain in inverse::undone(patch) {
        undone.extend(attempt(&plain, base, watch)?.ok());
    }
    // Of two damages that explain all old lines alike, either is right if they come to the same.
    let verbatim: Vec<&Attempt> = undone.iter().filter(|attempt| attempt.is_verbatim).collect();
    let differ = |attempts: &[&Attempt]| attempts.windows(2).any(|two| two[0].candidate.tree != two[1].candidate.tree);
    if differ(&verbatim) {
        return Ok(Err(inverse::unclear(patch)));
    }
    if !verbatim.is_empty() {
        let first = undone.into_iter().find(|attempt| attempt.is_verbatim);
        return Ok(first.map(|attempt| attempt.candidate).ok_or_else(|| inverse::unclear(patch)));
    }
    Ok(match as_sent {
        // Both readings misquote one line: if they give different trees, nothing tells which of them is meant.
        Ok(as_sent) if undone.iter().any(|other| other.candidate.tree != as_sent.candidate.tree) => {
            Err(inverse::unclear(patch))
        }
        as_sent => as_sent.map(|attempt| attempt.candidate),
    })
}

/// Whether every line of the file that the patch quotes stands there byte for byte.
fn is_as_sent(strategy: Option<Strategy>) -> bool {
    match strategy {
        Some(Strategy::Exact | Strategy::WholeFile | Strategy::Offset | Strategy::AlreadyApplied) => true,
        Some(Strategy::Recount | Strategy::Whitespace | Strategy::ThreeWay) | None => false,
    }
}

fn attempt(patch: &Patch, base: &ApplyBase, watch: &Watch) -> Result<Result<Attempt, Misfit>> {
    let mut tree = TreeBuilder::new(base, patch, watch);
    if patch.header_counts == HeaderCounts::Repaired {
        tree.needs(Strategy::Recount);
    }
    for file in &patch.files {
        watch.checkpoint();
        Section { tree: &mut tree, patch, file }.apply()?;
    }
    tree.build(patch)
}
