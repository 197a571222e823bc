//! Whom to ask, in which order, and for what form of reply.
//!
//! What a provider's failure means for the order is decided in `turns`, within one question; what its reply was worth is decided in
//! [`Chain::learn`], between two.

use std::fmt;
use std::time::Duration;

use super::budget::Purse;
use super::{Provider, Transport, recording};
use guardhost_core::change::{Budget, NoPatchKind, RoundFailure, Usage};

/// What a reply is asked to look like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReplyForm {
    #[default]
    Diff,
    /// Every changed file complete: longer, and within reach of models that cannot keep a diff in order.
    WholeFiles,
}

/// Providers in the order in which they are asked, for the length of a run.
#[derive(Debug, Clone)]
pub struct Chain {
    steps: Vec<Step>,
    /// Who is asked first: whoever answered last, so that it can mend its own reply.
    at: usize,
    /// The most time that one question spends waiting for services that ask to be left alone.
    pub patience: Duration,
    pub(super) purse: Purse,
}

#[derive(Debug, Clone)]
struct Step {
    provider: Provider,
    rung: Rung,
    /// Not asked again in this run: its quota is used up, or nothing of what it writes can be read.
    out: bool,
}

/// How far a provider has come down that writes what cannot be read or placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rung {
    Diff,
    /// Once more, with what was wrong.
    DiffAgain,
    WholeFiles,
}

/// What the chain makes of a reply that was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextAttempt {
    /// It could be read and placed: what was wrong with it is no matter of its form.
    Content,
    /// The same provider tries again, perhaps in another form.
    Form,
    /// Nothing that `given_up` wrote could be read and placed; `next` is asked from now on, from the beginning.
    Other { given_up: String, next: String },
}

impl Chain {
    pub fn new(steps: Vec<Provider>) -> Self {
        let steps = steps.into_iter().map(|provider| Step { provider, rung: Rung::Diff, out: false }).collect();
        Chain { steps, at: 0, patience: Duration::from_secs(120), purse: Purse::default() }
    }

    /// Ends when the budget does. Its clock starts now.
    pub fn within(mut self, budget: Budget) -> Self {
        self.purse = Purse::new(budget);
        self
    }

    pub fn budget(&self) -> Budget {
        self.purse.budget
    }

    /// What all answers took so far, as far as the providers tell; answers that were no use count.
    pub fn spent(&self) -> Usage {
        self.purse.spent
    }

    /// How many rounds the recording tells of, if this chain is one.
    pub fn recorded_rounds(&self) -> Option<u32> {
        match self.steps.as_slice() {
            [Step { provider: Provider { speaker: Transport::Replay(file), .. }, .. }] => recording::rounds(file),
            _ => None,
        }
    }

    /// Everybody in the chain, whether they were asked or not.
    pub fn providers(&self) -> impl Iterator<Item = &Provider> {
        self.steps.iter().map(|step| &step.provider)
    }

    /// To be told what became of the last reply when it was not accepted: after one that could not be read or placed the same provider is
    /// asked once more, then for whole files, then another; another at once when it may not try again.
    pub fn learn(&mut self, setback: &RoundFailure, may_try_again: bool) -> NextAttempt {
        let Some(step) = self.steps.get_mut(self.at) else { return NextAttempt::Content };
        let unreadable = match setback {
            RoundFailure::NoPatch(none) => none.kind != NoPatchKind::NoChange,
            RoundFailure::Misfit(_) => true,
            RoundFailure::Refused(_) | RoundFailure::Rejected(_) => false,
        };
        match (unreadable, step.rung) {
            // Whoever needed whole files once stays with them.
            (false, rung) => {
                step.rung = if rung == Rung::DiffAgain { Rung::Diff } else { rung };
                NextAttempt::Content
            }
            (true, Rung::Diff) if may_try_again => {
                step.rung = Rung::DiffAgain;
                NextAttempt::Form
            }
            (true, Rung::DiffAgain) if may_try_again => {
                step.rung = Rung::WholeFiles;
                NextAttempt::Form
            }
            (true, _) => {
                let Some(next) = self.lap().find(|index| *index != self.at) else { return NextAttempt::Form };
                let given_up = std::mem::replace(&mut self.at, next);
                self.steps[given_up].out = true;
                NextAttempt::Other { given_up: self.step(given_up).name.clone(), next: self.step(next).name.clone() }
            }
        }
    }

    pub(super) fn step(&self, index: usize) -> &Provider {
        &self.steps[index].provider
    }

    pub(super) fn form(&self, index: usize) -> ReplyForm {
        if self.steps[index].rung == Rung::WholeFiles { ReplyForm::WholeFiles } else { ReplyForm::Diff }
    }

    pub(super) fn answered(&mut self, index: usize) {
        self.at = index;
    }

    pub(super) fn strike_out(&mut self, index: usize) {
        self.steps[index].out = true;
    }

    /// Everybody who can be asked, once, beginning with whoever is first.
    pub(super) fn lap(&self) -> impl Iterator<Item = usize> + '_ {
        (self.at..self.steps.len()).chain(0..self.at).filter(|index| !self.steps[*index].out)
    }
}

/// `claude, codex:gpt-5`.
impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.providers().enumerate() {
            f.write_str(if index > 0 { ", " } else { "" })?;
            f.write_str(&step.name)?;
            step.model.iter().try_for_each(|model| write!(f, ":{model}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use guardhost_core::change::{Misfit, NoPatch, Rejection};

    fn chain(names: &[&str]) -> Chain {
        Chain::new(names.iter().map(|name| Provider::parse(name, Path::new("/")).unwrap()).collect())
    }

    #[test]
    fn what_cannot_be_read_goes_down_the_ladder() {
        let mut chain = chain(&["claude", "codex"]);
        let prose = RoundFailure::NoPatch(NoPatch { kind: NoPatchKind::Prose, message: String::new() });
        let misfit = RoundFailure::Misfit(Misfit { at: Vec::new() });
        let rejected = RoundFailure::Rejected(Rejection::default());
        let mut seen = Vec::new();
        for setback in [&prose, &rejected, &misfit, &prose, &rejected, &prose, &prose, &prose, &misfit, &misfit] {
            let lesson = chain.learn(setback, true);
            seen.push((chain.step(chain.at).name.clone(), lesson, chain.form(chain.at)));
        }
        let other = NextAttempt::Other { given_up: "claude".to_owned(), next: "codex".to_owned() };
        let seen: Vec<_> = seen.iter().map(|(name, lesson, form)| (name.as_str(), lesson.clone(), *form)).collect();
        use ReplyForm::{Diff, WholeFiles};
        assert_eq!(
            seen,
            [
                ("claude", NextAttempt::Form, Diff),
                ("claude", NextAttempt::Content, Diff),
                ("claude", NextAttempt::Form, Diff),
                ("claude", NextAttempt::Form, WholeFiles),
                ("claude", NextAttempt::Content, WholeFiles),
                ("codex", other, Diff),
                ("codex", NextAttempt::Form, Diff),
                ("codex", NextAttempt::Form, WholeFiles),
                // Nobody else is left.
                ("codex", NextAttempt::Form, WholeFiles),
                ("codex", NextAttempt::Form, WholeFiles),
            ]
        );
    }
}
