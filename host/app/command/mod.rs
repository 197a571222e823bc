//! What the command line can do: one file a command, each a function from arguments to a report.

mod acp;
mod add_allow;
mod apply;
mod audit;
mod author;
mod backtest;
mod check;
mod commit_trace;
mod demo;
mod doctor;
mod explain;
mod fix;
mod guard;
mod hook;
mod improve;
mod init;
mod install;
mod log;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "mcp")]
mod mcp_models;
mod old_runs;
mod own_results;
mod part;
mod patch;
mod patch_file;
mod plan;
mod planning;
mod pr;
mod provider;
mod replay;
mod report;
mod review;
mod ruling;
mod run;
mod run_part;
mod run_result;
mod seals;
mod select_run;
mod server;
mod start_run;
mod stats;
mod take;
mod take_part;
mod triage;
mod watch_check;

pub use crate::context::CommandContext;
pub use acp::acp;
pub use apply::apply;
pub use audit::audit;
pub use author::{author, watch};
pub use backtest::backtest;
pub use check::check;
pub use demo::demo;
pub use doctor::doctor;
pub use explain::explain;
pub use fix::fix;
pub use guard::guard;
pub use hook::{hook, hook_deadline, late_hook};
pub use improve::improve;
pub use init::{Ask, ask_init, init};
pub use install::install;
pub use log::{log, show};
#[cfg(feature = "lsp")]
pub use lsp::lsp;
#[cfg(feature = "mcp")]
pub use mcp::mcp;
pub use patch::patch;
pub use plan::plan;
pub use pr::pr;
pub use provider::{providers, test_provider};
pub use replay::replay;
pub use report::report;
pub use run::run;
pub use server::become_server;
pub use stats::stats;
pub use take::{accept, diff, discard};
pub use watch_check::watch_check;

#[cfg(feature = "lsp")]
pub(crate) use add_allow::may_add;
pub use check::hints;
#[cfg(feature = "lsp")]
pub(crate) use ruling::with_approvable_ruling;
pub use ruling::with_ruling;
pub(crate) use ruling::{KEEP_RULES, has_only_fixable_errors};

use crate::cli::ReviewArgs;
use guardhost_core::error::Result;
use guardhost_provider::Cancel;
use guardhost_report::Report;

/// `host review`: of what is here, or of a pull request.
pub fn review(args: &ReviewArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    match args.pr {
        Some(number) => pr::review_pull(number, args, ctx, cancel),
        None => {
            Ok(Report::Review(Box::new(review::review_change(args, &review::EarlierParts::default(), ctx, cancel)?)))
        }
    }
}
