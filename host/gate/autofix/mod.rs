//! Applies the fixes that guards give with their findings, without asking the provider again.
//!
//! All or nothing: every error of every rejecting guard must have a fix, and the whole set must accept the result. If one error lacks a
//! fix, the provider must be asked anyway, and it answers against the original files; a half-fixed change would contain lines that
//! were neither proposed nor reviewed. Warnings are not fixed: they do not reject.

mod apply;
mod collect;

pub use apply::{apply, preview};

use guardhost_core::change::{AppliedFix, Autofix, Candidate, Event, FixedCandidate, Judgement, Note, Verdict};
use guardhost_core::error::Result;
use guardhost_engine::JudgeContext;

use crate::case::Purpose;
use crate::unjudged::guard_all;
use collect::collect;
use guardhost_policy::Policy;

/// How often fixes are applied to one change. One pass fixes all errors that can be seen; a file that did not parse may hide others.
const PASSES: usize = 2;

/// The result of applying the fixes in `judgement`, which is what the guards said of `candidate`. None when they accept it, or give no
/// fix for any error.
///
/// # Errors
/// When the repository's objects cannot be read.
pub fn autofix(
    candidate: &Candidate,
    judgement: &Judgement,
    policy: &Policy,
    purpose: Purpose,
    context: &JudgeContext,
) -> Result<Option<Autofix>> {
    let autofix = attempt(candidate, judgement, policy, purpose, context)?;
    match &autofix {
        Some(Autofix::Accepted(FixedCandidate { fixes, candidate, .. })) => context.observer.see(&Event::Fixed {
            fixes: fixes.clone(),
            tree: candidate.tree.to_string(),
            touched: candidate.touched()?,
            notes: candidate.notes.clone(),
        }),
        Some(declined @ (Autofix::Rejected(_) | Autofix::Declined(_))) => {
            context.observer.see(&Event::NotFixed { why: declined.why_not().unwrap_or_default() });
        }
        None => {}
    }
    Ok(autofix)
}

fn attempt(
    candidate: &Candidate,
    judgement: &Judgement,
    policy: &Policy,
    purpose: Purpose,
    context: &JudgeContext,
) -> Result<Option<Autofix>> {
    let mut fixed: Option<FixedCandidate> = None;
    for _ in 0..PASSES {
        let (base, judged) = fixed.as_ref().map_or((candidate, judgement), |last| (&last.candidate, &last.judgement));
        let placed = match collect(judged) {
            None => break,
            Some(Err(why)) => Err(why),
            Some(Ok((fixes, edits))) => {
                apply(base, &edits, &policy.rules, policy.guards.stop())?.map(|candidate| (fixes, candidate))
            }
        };
        let (fixes, candidate) = match placed {
            Ok(placed) => placed,
            Err(why) if fixed.is_none() => return Ok(Some(Autofix::Declined(why))),
            Err(_) => break,
        };
        let candidate = with_notes(candidate, &fixes);
        context.observer.see(&Event::Fixing { fixes: fixes.clone(), tree: candidate.tree.to_string() });
        let judgement = guard_all(&candidate, policy, purpose, context);
        let accepted = judgement.verdict() == Verdict::Pass;
        let earlier = fixed.map(|last| last.fixes).unwrap_or_default();
        let now = FixedCandidate { fixes: [earlier, fixes].concat(), candidate, judgement };
        if accepted {
            return Ok(Some(Autofix::Accepted(now)));
        }
        fixed = Some(now);
    }
    Ok(fixed.map(Autofix::Rejected))
}

fn with_notes(mut candidate: Candidate, fixes: &[AppliedFix]) -> Candidate {
    candidate.notes.extend(fixes.iter().map(|fix| Note::new("fix", fix)));
    candidate
}
