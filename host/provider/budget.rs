//! What a run may use up in all.

use std::time::{Duration, Instant};

use super::{FailureClass, ProviderFailure};
use guardhost_core::change::{Budget, Usage};

/// A budget and what is gone of it.
#[derive(Debug, Clone)]
pub(super) struct Purse {
    pub(super) budget: Budget,
    started: Instant,
    pub(super) spent: Usage,
    complained: bool,
}

impl Default for Purse {
    fn default() -> Self {
        Purse::new(Budget::default())
    }
}

impl Purse {
    pub(super) fn new(budget: Budget) -> Self {
        Purse { budget, started: Instant::now(), spent: Usage::default(), complained: false }
    }

    pub(super) fn time_left(&self) -> Option<Duration> {
        self.budget.seconds.map(|seconds| Duration::from_secs(seconds).saturating_sub(self.started.elapsed()))
    }

    /// What is used up, if anything is.
    pub(super) fn empty(&self) -> Option<ProviderFailure> {
        let over = |what: String, flag: &str| {
            Some(
                ProviderFailure::new(FailureClass::OverBudget, what)
                    .hint(format!("allow the run more with {flag}, or make the task smaller")),
            )
        };
        if self.time_left().is_some_and(|left| left.is_zero()) {
            let seconds = self.budget.seconds.unwrap_or_default();
            return over(format!("the run's {seconds} s are over"), "--max-time");
        }
        let used = tokens(&self.spent);
        if let Some(most) = self.budget.tokens.filter(|most| used >= *most) {
            return over(format!("{used} tokens are used, of {most}"), "--max-tokens");
        }
        let spent = self.spent.cost_usd.unwrap_or(0.0);
        if let Some(most) = self.budget.cost_usd.filter(|most| spent >= *most) {
            return over(format!("${spent:.4} are spent, of ${most}"), "--max-cost");
        }
        None
    }

    /// Takes what an answer cost. Tells, once, when a bound cannot hold because the provider does not say.
    pub(super) fn pay(&mut self, usage: &Usage) -> Option<&'static str> {
        let sum = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).reduce(u64::saturating_add);
        self.spent.input_tokens = sum(self.spent.input_tokens, usage.input_tokens);
        self.spent.output_tokens = sum(self.spent.output_tokens, usage.output_tokens);
        self.spent.cost_usd = self.spent.cost_usd.into_iter().chain(usage.cost_usd).reduce(|a, b| a + b);
        let blind = match (self.budget.tokens, self.budget.cost_usd) {
            (Some(_), _) if usage.output_tokens.is_none() => {
                "how many tokens an answer took, so --max-tokens cannot hold"
            }
            (_, Some(_)) if usage.cost_usd.is_none() => "what an answer cost, so --max-cost cannot hold",
            _ => return None,
        };
        (!std::mem::replace(&mut self.complained, true)).then_some(blind)
    }
}

fn tokens(usage: &Usage) -> u64 {
    usage.input_tokens.unwrap_or(0).saturating_add(usage.output_tokens.unwrap_or(0))
}
