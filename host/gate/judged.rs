//! A candidate together with what the guards, and the fixes that they give, came to.

use guardhost_core::change::{Autofix, Candidate, Event, Evidence, Judgement, Rejection};
use guardhost_core::error::Result;
#[cfg(doc)]
use guardhost_core::stop::Stopped;
use guardhost_engine::JudgeContext;
use guardhost_policy::Policy;

use crate::autofix::autofix;
use crate::case::{Case, Purpose};
use crate::receipt::receipt;
use crate::unjudged::guard_all;

/// A candidate together with its own judgement. Only the gate makes one, so that no candidate is settled by the judgement of another.
pub struct Judged {
    candidate: Candidate,
    judgement: Judgement,
    autofix: Option<Autofix>,
    receipt: Option<String>,
}

/// Asks the guards, and, with `fixes`, once more with the fixes that they give for every error. `host_evidence` is what the gate itself has
/// against the change.
///
/// # Errors
/// When the repository's objects cannot be read, or the guards were stopped ([`Stopped`]). What a guard says or how it fails is in the
/// judgement.
pub(crate) fn judge(
    case: Case<'_>,
    policy: &Policy,
    host_evidence: Option<Evidence>,
    context: &JudgeContext,
) -> Result<Judged> {
    let Case { candidate, task, purpose, fixes, .. } = case;
    let stopped = || policy.guards.stop().check().map_err(|stopped| stopped.into_error("judging the change"));
    let mut judgement = guard_all(&candidate, policy, purpose, context);
    stopped()?;
    // Fixes of a change that the host rejects for another reason are not placed.
    let autofix = match fixes && host_evidence.is_none() {
        true => autofix(&candidate, &judgement, policy, purpose, context)?,
        false => None,
    };
    stopped()?;
    if let Some(evidence) = host_evidence {
        context.observer.see(&Event::Judged { evidence: Box::new(evidence.clone()) });
        judgement.evidence.push(evidence);
    }
    let mut judged = Judged { candidate, judgement, autofix, receipt: None };
    if purpose == Purpose::Commit {
        judged.receipt = Some(receipt(judged.candidate(), judged.judgement(), task, policy));
    }
    Ok(judged)
}

impl Judged {
    /// The candidate that is settled: with the guards' fixes when the set accepted it with them.
    pub fn candidate(&self) -> &Candidate {
        match &self.autofix {
            Some(Autofix::Accepted(fixed)) => &fixed.candidate,
            Some(Autofix::Rejected(_) | Autofix::Declined(_)) | None => &self.candidate,
        }
    }

    /// The judgement of [`Judged::candidate`].
    pub fn judgement(&self) -> &Judgement {
        match &self.autofix {
            Some(Autofix::Accepted(fixed)) => &fixed.judgement,
            Some(Autofix::Rejected(_) | Autofix::Declined(_)) | None => &self.judgement,
        }
    }

    /// The receipt of [`Judged::judgement`]; None where nothing is committed.
    pub fn receipt(&self) -> Option<&str> {
        self.receipt.as_deref()
    }

    /// The candidate as it was proposed, and what the guards said of it.
    pub fn proposed(&self) -> (&Candidate, &Judgement) {
        (&self.candidate, &self.judgement)
    }

    /// What the guards' fixes came to; None when there were none, or they were not wanted.
    pub fn autofix(&self) -> Option<&Autofix> {
        self.autofix.as_ref()
    }

    /// Every enforced guard accepts it. Not so when no guard was asked: `settle` refuses that.
    pub fn is_accepted(&self) -> bool {
        self.judgement().is_accepted()
    }

    /// What the provider is told of a rejected candidate.
    pub fn into_rejection(self) -> Rejection {
        let after_autofix = match self.autofix {
            Some(Autofix::Rejected(fixed)) => Some(Box::new(Rejection::new(&fixed.candidate, fixed.judgement))),
            Some(Autofix::Accepted(_) | Autofix::Declined(_)) | None => None,
        };
        Rejection { after_autofix, ..Rejection::new(&self.candidate, self.judgement) }
    }
}
