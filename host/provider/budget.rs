//! How much a run may use in all, and how much it has used.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{FailureClass, ProviderFailure};
use guardhost_core::change::{Budget, Usage};

/// What chains that are asked for one command took together. Its bounds are those of all of them.
#[derive(Debug, Clone, Default)]
pub struct SharedSpending(Arc<Mutex<Usage>>);

impl SharedSpending {
    /// What something beside the chains took.
    pub fn add(&self, usage: &Usage) {
        add(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner), usage);
    }

    pub fn total(&self) -> Usage {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Clone)]
pub(super) struct BudgetTracker {
    pub(super) budget: Budget,
    started: Instant,
    pub(super) spent: Usage,
    /// None: the bounds are for this chain alone.
    pub(super) shared: Option<SharedSpending>,
    /// A bound that cannot be enforced is reported once.
    warned: bool,
}

impl Default for BudgetTracker {
    fn default() -> Self {
        BudgetTracker::new(Budget::default())
    }
}

impl BudgetTracker {
    pub(super) fn new(budget: Budget) -> Self {
        BudgetTracker { budget, started: Instant::now(), spent: Usage::default(), shared: None, warned: false }
    }

    pub(super) fn time_left(&self) -> Option<Duration> {
        self.budget.seconds.map(|seconds| Duration::from_secs(seconds).saturating_sub(self.started.elapsed()))
    }

    /// The failure that says which bound was reached, if one was.
    pub(super) fn exceeded(&self) -> Option<ProviderFailure> {
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
        let spent = self.shared.as_ref().map_or(self.spent, SharedSpending::total);
        let used = tokens(&spent);
        if let Some(limit) = self.budget.tokens.filter(|limit| used >= *limit) {
            return over(format!("{used} tokens are used, of {limit}"), "--max-tokens");
        }
        let spent = spent.cost_usd.unwrap_or(0.0);
        if let Some(limit) = self.budget.cost_usd.filter(|limit| spent >= *limit) {
            return over(format!("${spent:.4} are spent, of ${limit}"), "--max-cost");
        }
        None
    }

    /// Adds what an answer cost. Says, once, which bound cannot be enforced because the provider does not report what it limits.
    pub(super) fn record(&mut self, usage: &Usage) -> Option<&'static str> {
        add(&mut self.spent, usage);
        self.shared.iter().for_each(|shared| shared.add(usage));
        let unenforceable = match (self.budget.tokens, self.budget.cost_usd) {
            (Some(_), _) if usage.output_tokens.is_none() => {
                "does not report token usage; --max-tokens cannot be enforced"
            }
            (_, Some(_)) if usage.cost_usd.is_none() => "does not report its cost; --max-cost cannot be enforced",
            _ => return None,
        };
        (!std::mem::replace(&mut self.warned, true)).then_some(unenforceable)
    }
}

fn add(total: &mut Usage, usage: &Usage) {
    let sum = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).reduce(u64::saturating_add);
    total.input_tokens = sum(total.input_tokens, usage.input_tokens);
    total.output_tokens = sum(total.output_tokens, usage.output_tokens);
    total.cost_usd = total.cost_usd.into_iter().chain(usage.cost_usd).reduce(|a, b| a + b);
}

fn tokens(usage: &Usage) -> u64 {
    usage.input_tokens.unwrap_or(0).saturating_add(usage.output_tokens.unwrap_or(0))
}
