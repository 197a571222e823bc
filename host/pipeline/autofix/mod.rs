//! Mend a rejected change with the fixes that its guards give, without asking whoever wrote it.
//!
//! All or nothing: every error of every guard that said no has a fix, and the whole set accepts what they make. Where one error is left its
//! author is asked in any case, and answers with a patch for the original files: a change that is mended by half would be one that nobody
//! wrote, with lines that nobody was told of. Warnings stay as they are; nobody is kept waiting by them.

mod collect;
mod place;

pub use place::place;

use collect::collect;
use guardhost_core::change::{AppliedFix, Candidate, Event, FixedCandidate, Fixing, Judgement, Note, Verdict};
use guardhost_core::error::Result;
use guardhost_engine::{Context, GuardSet, guard};
use guardhost_patch::sanitize::Rules;

/// How often fixes are applied to one change. Once does for all errors that can be seen; a file that did not parse may hide others.
const PASSES: usize = 2;

/// What a change is judged by.
pub struct Law<'a> {
    pub rules: &'a Rules,
    pub guards: &'a GuardSet,
    pub context: &'a Context<'a>,
}

/// What comes of the fixes in `judgement`, which is what the set said of `candidate`. None where it accepts, or gives no fix for any error.
///
/// # Errors
/// When the repository's objects cannot be read.
pub fn fix(candidate: &Candidate, judgement: &Judgement, law: &Law) -> Result<Option<Fixing>> {
    let fixing = attempt(candidate, judgement, law)?;
    let event = fixing.as_ref().map(|fixing| match fixing {
        Fixing::Accepted(FixedCandidate { fixes, candidate, .. }) => Event::Fixed {
            fixes: fixes.clone(),
            tree: candidate.tree.to_string(),
            touched: candidate.touched(),
            notes: candidate.notes.clone(),
        },
        Fixing::Rejected(_) | Fixing::Declined(_) => Event::NotFixed { why: fixing.why_not().unwrap_or_default() },
    });
    event.iter().for_each(|event| law.context.observer.see(event));
    Ok(fixing)
}

fn attempt(candidate: &Candidate, judgement: &Judgement, law: &Law) -> Result<Option<Fixing>> {
    let mut fixed: Option<FixedCandidate> = None;
    for _ in 0..PASSES {
        let (on, said) = fixed.as_ref().map_or((candidate, judgement), |last| (&last.candidate, &last.judgement));
        let placed = match collect(said) {
            None => break,
            Some(Err(why)) => Err(why),
            Some(Ok((fixes, edits))) => place(on, &edits, law.rules)?.map(|candidate| (fixes, candidate)),
        };
        let (fixes, candidate) = match placed {
            Ok(placed) => placed,
            Err(why) if fixed.is_none() => return Ok(Some(Fixing::Declined(why))),
            Err(_) => break,
        };
        let candidate = noted(candidate, &fixes);
        law.context.observer.see(&Event::Fixing { fixes: fixes.clone(), tree: candidate.tree.to_string() });
        let judgement = guard(&candidate, law.guards, law.context);
        let accepted = judgement.verdict() == Verdict::Pass;
        let before = fixed.map(|last| last.fixes).unwrap_or_default();
        let now = FixedCandidate { fixes: [before, fixes].concat(), candidate, judgement };
        if accepted {
            return Ok(Some(Fixing::Accepted(now)));
        }
        fixed = Some(now);
    }
    Ok(fixed.map(Fixing::Rejected))
}

fn noted(mut candidate: Candidate, fixes: &[AppliedFix]) -> Candidate {
    candidate.notes.extend(fixes.iter().map(|fix| Note::new("fix", fix)));
    candidate
}
