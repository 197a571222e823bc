//! From a candidate to a judged candidate: the guards, and the fixes that they give.

use guardhost_core::change::{Autofix, Candidate, Judgement, Rejection};
use guardhost_core::error::Result;
#[cfg(doc)]
use guardhost_core::stop::Stopped;
use guardhost_engine::Context;

use crate::autofix::autofix;
use crate::judging::{Judging, Purpose};
use crate::receipt::receipt;
use crate::unjudged::guard_all;

/// A candidate together with its own judgement. Only [`judge`] makes one, so that no candidate is settled by the judgement of another.
pub struct Judged {
    candidate: Candidate,
    judgement: Judgement,
    autofix: Option<Autofix>,
    receipt: Option<String>,
}

/// Asks the guards, and, with `fixes`, once more with the fixes that they give for every error.
///
/// # Errors
/// When the repository's objects cannot be read, or the guards were stopped ([`Stopped`]). What a guard says or how it fails is in the
/// judgement.
pub fn judge(candidate: Candidate, judging: &Judging, context: &Context) -> Result<Judged> {
    let stopped = || judging.policy.guards.stop().check().map_err(|stopped| stopped.into_error("judging the change"));
    let judgement = guard_all(&candidate, judging, context);
    stopped()?;
    let autofix = if judging.fixes { autofix(&candidate, &judgement, judging, context)? } else { None };
    stopped()?;
    let mut judged = Judged { candidate, judgement, autofix, receipt: None };
    if judging.purpose == Purpose::Commit {
        judged.receipt = Some(receipt(judged.candidate(), judged.judgement(), context.task, judging.policy));
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

    /// Every enforced guard accepts it. Not so when no guard was asked: see [`crate::settle::settle`].
    pub fn is_accepted(&self) -> bool {
        self.judgement().is_accepted()
    }

    /// What the provider is told of a rejected candidate.
    pub fn into_rejection(self) -> Rejection {
        let after_autofix = match self.autofix {
            Some(Autofix::Rejected(fixed)) => Some(Box::new(Rejection::of(&fixed.candidate, fixed.judgement))),
            Some(Autofix::Accepted(_) | Autofix::Declined(_)) | None => None,
        };
        Rejection { after_autofix, ..Rejection::of(&self.candidate, self.judgement) }
    }
}
