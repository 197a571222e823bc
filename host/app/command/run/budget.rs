//! The limits of a plan as a whole: each of its runs gets what is left of them.

use std::time::{Duration, Instant};

use guardhost_core::change::{Budget, Usage};

use crate::cli::AskArgs;

/// What a plan may use, and has used.
pub struct PlanBudget {
    ask: AskArgs,
    started: Instant,
    tokens: u64,
    cost_usd: f64,
}

impl PlanBudget {
    pub fn new(ask: &AskArgs, started: Instant) -> Self {
        PlanBudget { ask: ask.clone(), started, tokens: 0, cost_usd: 0.0 }
    }

    pub fn spend(&mut self, spent: &Usage) {
        let tokens = spent.input_tokens.unwrap_or(0).saturating_add(spent.output_tokens.unwrap_or(0));
        self.tokens = self.tokens.saturating_add(tokens);
        self.cost_usd += spent.cost_usd.unwrap_or(0.0);
    }

    /// What a question beside the runs may use.
    ///
    /// # Errors
    /// Which limit is used up.
    pub fn for_question(&self) -> Result<Budget, String> {
        let left = self.left()?.provider;
        Ok(Budget { seconds: left.max_time, tokens: left.max_tokens, cost_usd: left.max_cost })
    }

    /// The settings of the next run, with the limits that are left.
    ///
    /// # Errors
    /// Which limit is used up.
    pub fn left(&self) -> Result<AskArgs, String> {
        let mut ask = self.ask.clone();
        let provider = &mut ask.provider;
        if let Some(limit) = provider.max_time {
            let left = Duration::from_secs(limit).saturating_sub(self.started.elapsed());
            if left.is_zero() {
                return Err(format!("the plan's {limit} s are over (--max-time)"));
            }
            // A second that has begun is a second.
            provider.max_time = Some(left.as_secs().max(1));
        }
        if let Some(limit) = provider.max_tokens {
            if self.tokens >= limit {
                return Err(format!("{} tokens are used, of {limit} for the plan (--max-tokens)", self.tokens));
            }
            provider.max_tokens = Some(limit - self.tokens);
        }
        if let Some(limit) = provider.max_cost {
            if self.cost_usd >= limit {
                return Err(format!("${:.4} are spent, of ${limit} for the plan (--max-cost)", self.cost_usd));
            }
            provider.max_cost = Some(limit - self.cost_usd);
        }
        Ok(ask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::ProviderArgs;

    #[test]
    fn each_run_gets_what_is_left() {
        let provider = ProviderArgs { max_tokens: Some(100), max_cost: Some(1.0), ..ProviderArgs::default() };
        let mut budget = PlanBudget::new(&AskArgs { provider, ..AskArgs::default() }, Instant::now());
        let usage = |tokens, cost_usd| Usage { input_tokens: Some(tokens), output_tokens: Some(10), cost_usd };
        budget.spend(&usage(30, Some(0.25)));
        let left = budget.left().unwrap().provider;
        assert_eq!((left.max_tokens, left.max_cost, left.max_time), (Some(60), Some(0.75), None));
        budget.spend(&usage(10, Some(0.75)));
        assert!(budget.left().unwrap_err().contains("--max-cost"));
        budget.spend(&usage(30, None));
        assert!(budget.left().unwrap_err().contains("100 tokens are used"), "and no more is asked for");
        let provider = ProviderArgs { max_time: Some(5), ..ProviderArgs::default() };
        let begun = Instant::now().checked_sub(Duration::from_secs(6)).unwrap();
        assert!(PlanBudget::new(&AskArgs { provider, ..AskArgs::default() }, begun).left().is_err());
    }
}
