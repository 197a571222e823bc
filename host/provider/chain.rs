//! The providers of a run: in which order they are asked, and for which form of reply.
//!
//! What a provider's failure means for the order is decided in `schedule`, within one question. What a reply was worth is decided in
//! [`Chain::learn`], between two questions.

use std::fmt;
use std::time::Duration;

use super::budget::{BudgetTracker, SharedSpending};
use super::{Provider, Transport, recording};
use guardhost_core::change::{Budget, NoPatchKind, RoundFailure, Usage};

/// The form in which a reply is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReplyForm {
    #[default]
    Diff,
    /// Every changed file in full: longer, but possible for models that cannot keep a diff in order.
    WholeFiles,
}

/// Providers in the order in which they are asked, for the length of a run.
#[derive(Debug, Clone)]
pub struct Chain {
    steps: Vec<ChainStep>,
    /// Index of the provider that is asked first: the one that gave the last reply, so that it can fix its own, until
    /// [`Chain::learn`] passes on to the next.
    current: usize,
    /// The most time that one question spends on waiting for busy services.
    pub patience: Duration,
    pub(super) budget: BudgetTracker,
}

#[derive(Debug, Clone)]
struct ChainStep {
    provider: Provider,
    stage: ReplyFormStage,
    /// Not asked again in this run: its quota is used up, or none of its replies can be parsed.
    disabled: bool,
}

/// Which form of reply a provider is asked for, after unparsable replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReplyFormStage {
    Diff,
    /// Once more, with feedback on what was wrong.
    DiffAgain,
    WholeFiles,
}

/// How the run goes on after a reply that was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextAttempt {
    /// The reply could be parsed and applied, so its form is not the problem.
    Content,
    /// The same provider tries again, perhaps in another form.
    Form,
    /// No reply of `given_up` could be parsed and applied. From now on `next` is asked, from the beginning.
    Other { given_up: String, next: String },
}

impl Chain {
    pub fn new(steps: Vec<Provider>) -> Self {
        let step = |provider| ChainStep { provider, stage: ReplyFormStage::Diff, disabled: false };
        Chain {
            steps: steps.into_iter().map(step).collect(),
            current: 0,
            patience: Duration::from_secs(120),
            budget: BudgetTracker::default(),
        }
    }

    /// Sets the budget of the run. Its clock starts now.
    pub fn within(mut self, budget: Budget) -> Self {
        self.budget = BudgetTracker::new(budget);
        self
    }

    /// What the others of `shared` spend counts against the bounds of this chain too.
    pub fn sharing(mut self, shared: &SharedSpending) -> Self {
        self.budget.shared = Some(shared.clone());
        self
    }

    pub fn budget(&self) -> Budget {
        self.budget.budget
    }

    /// What all answers cost so far, as far as the providers report it. Answers that were not accepted count.
    pub fn spent(&self) -> Usage {
        self.budget.spent
    }

    /// The number of rounds of this part of a command in the recording, if this chain is one recording.
    pub fn recorded_rounds(&self, step: Option<&str>) -> Option<u32> {
        match self.steps.as_slice() {
            [ChainStep { provider: Provider { transport: Transport::Replay(file), .. }, .. }] => {
                recording::last_round(file, step)
            }
            _ => None,
        }
    }

    /// All providers of the chain, whether they were asked or not.
    pub fn providers(&self) -> impl Iterator<Item = &Provider> {
        self.steps.iter().map(|step| &step.provider)
    }

    /// Reports that the reply of the current provider was not accepted. After a reply that cannot be parsed or applied, the same provider
    /// is asked once more, then for whole files, then the next provider is asked. Without `may_retry` the next one is asked at once.
    pub fn learn(&mut self, failure: &RoundFailure, may_retry: bool) -> NextAttempt {
        match self.steps.is_empty() {
            true => NextAttempt::Content,
            false => self.on_failure(self.current, failure, may_retry),
        }
    }

    /// `index` is the provider whose reply failed.
    fn on_failure(&mut self, index: usize, failure: &RoundFailure, may_retry: bool) -> NextAttempt {
        let unparsable = match failure {
            RoundFailure::NoPatch(none) => none.kind != NoPatchKind::NoChange,
            RoundFailure::Misfit(_) => true,
            RoundFailure::Refused(_) | RoundFailure::Rejected(_) => false,
        };
        let stage = &mut self.steps[index].stage;
        match (unparsable, *stage) {
            (false, ReplyFormStage::DiffAgain) => {
                *stage = ReplyFormStage::Diff;
                NextAttempt::Content
            }
            // A provider that needed whole files once stays with them.
            (false, ReplyFormStage::Diff | ReplyFormStage::WholeFiles) => NextAttempt::Content,
            (true, ReplyFormStage::Diff) if may_retry => {
                *stage = ReplyFormStage::DiffAgain;
                NextAttempt::Form
            }
            (true, ReplyFormStage::DiffAgain) if may_retry => {
                *stage = ReplyFormStage::WholeFiles;
                NextAttempt::Form
            }
            (true, _) => {
                let Some(next) = self.available().find(|other| *other != index) else { return NextAttempt::Form };
                self.disable(index);
                self.current = next;
                NextAttempt::Other {
                    given_up: self.provider(index).name.clone(),
                    next: self.provider(next).name.clone(),
                }
            }
        }
    }

    pub(super) fn provider(&self, index: usize) -> &Provider {
        &self.steps[index].provider
    }

    pub(super) fn form(&self, index: usize) -> ReplyForm {
        match self.steps[index].stage {
            ReplyFormStage::Diff | ReplyFormStage::DiffAgain => ReplyForm::Diff,
            ReplyFormStage::WholeFiles => ReplyForm::WholeFiles,
        }
    }

    /// The provider that answered becomes the current one: it is asked first, and [`Chain::learn`] is about its reply.
    pub(super) fn set_current(&mut self, index: usize) {
        self.current = index;
    }

    pub(super) fn disable(&mut self, index: usize) {
        self.steps[index].disabled = true;
    }

    /// Every provider that can be asked, once, in the order of asking.
    pub(super) fn available(&self) -> impl Iterator<Item = usize> + '_ {
        (self.current..self.steps.len()).chain(0..self.current).filter(|index| !self.steps[*index].disabled)
    }
}

/// `claude, codex:gpt-5`.
impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, provider) in self.providers().enumerate() {
            f.write_str(if index > 0 { ", " } else { "" })?;
            f.write_str(&provider.name)?;
            provider.model.iter().try_for_each(|model| write!(f, ":{model}"))?;
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
    fn unparsable_replies_escalate_step_by_step() {
        let mut chain = chain(&["claude", "codex"]);
        let prose = RoundFailure::NoPatch(NoPatch::new(NoPatchKind::Prose, ""));
        let misfit = RoundFailure::Misfit(Misfit { at: Vec::new() });
        let rejected = RoundFailure::Rejected(Rejection::default());
        let mut seen = Vec::new();
        for failure in [&prose, &rejected, &misfit, &prose, &rejected, &prose, &prose, &prose, &misfit, &misfit] {
            let next = chain.learn(failure, true);
            seen.push((chain.provider(chain.current).name.clone(), next, chain.form(chain.current)));
        }
        let other = NextAttempt::Other { given_up: "claude".to_owned(), next: "codex".to_owned() };
        let seen: Vec<_> = seen.iter().map(|(name, next, form)| (name.as_str(), next.clone(), *form)).collect();
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
                // No other provider is left.
                ("codex", NextAttempt::Form, WholeFiles),
                ("codex", NextAttempt::Form, WholeFiles),
            ]
        );
    }
}
