//! What decides a flow of fixes: the command line, or else the repository's settings.

use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_policy::config::FixSettings;

use crate::cli::FixArgs;
use crate::command::provider::chosen_by_repository;
use crate::context::CommandContext;

pub struct FixTerms {
    /// Providers, at least one where a flow reviews at all.
    pub reviewers: Vec<String>,
    /// The mean score that approves, 0 to 100.
    pub threshold: u8,
    /// How often issues are tried.
    pub iterations: u32,
    /// Whether an issue counts as done that was committed and reviewed, though no detector could tell.
    pub accepts_touched: bool,
    /// Reviewers of the settings that the user does not have.
    pub notice: Option<String>,
}

impl FixTerms {
    /// # Errors
    /// Of the user's settings.
    pub fn new(args: &FixArgs, settings: &FixSettings, ctx: &CommandContext) -> Result<Self> {
        let (reviewers, notice) = match args.reviewers.is_empty() {
            true => chosen_by_repository(&settings.reviewers, ctx)?,
            false => (args.reviewers.clone(), None),
        };
        Ok(FixTerms {
            reviewers,
            threshold: args.threshold.unwrap_or(settings.threshold),
            iterations: args.iterations.unwrap_or(settings.iterations),
            accepts_touched: args.accept_touched || settings.accept_touched,
            notice,
        })
    }

    /// The same with these reviewers alone.
    pub fn with_reviewers(self, reviewers: &[String]) -> Self {
        FixTerms { reviewers: reviewers.to_vec(), notice: None, ..self }
    }

    /// # Errors
    /// [`FaultKind::Usage`]: nobody would review.
    pub fn reviewed(self) -> Result<Self> {
        if !self.reviewers.is_empty() {
            return Ok(self);
        }
        let hint = "name one with --reviewer, or a provider of your own settings in guards.toml: [fix] reviewers";
        let what = match &self.notice {
            Some(notice) => format!("no reviewer is named; {notice}"),
            None => "no reviewer is named".to_owned(),
        };
        Err(Fault::new(FaultKind::Usage, what).hint(hint).into())
    }
}
