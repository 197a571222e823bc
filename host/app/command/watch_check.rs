//! `host check --watch`: the work tree, judged again whenever it changes.

use std::convert::Infallible;
use std::thread::sleep;
use std::time::Duration;

use super::check::check;
use crate::cli::CheckArgs;
use crate::context::CommandContext;
use guardhost_core::change::Oid;
use guardhost_core::error::{Context, Error, Result};
use guardhost_gate::ExistingChange;
use guardhost_os::end_with_reader;
use guardhost_report::Report;

/// Between two looks at the work tree. A look reads the times of all files, as `git status` does; what was saved is judged when two looks
/// in a row find the same, so that a file that is being written is not judged by halves.
const LOOK: Duration = Duration::from_millis(250);

/// What is compared with what.
#[derive(PartialEq, Eq, Clone, Copy)]
struct WatchedState {
    base: Option<Oid>,
    tree: Oid,
}

/// Judges until a signal ends the program, or nobody reads its output any more.
///
/// # Errors
/// There is no repository, or no work tree; what `show` returns.
pub fn watch_check(
    args: &CheckArgs,
    ctx: &CommandContext,
    show: &dyn Fn(Result<Report, Error>) -> Result<()>,
) -> Result<Infallible> {
    end_with_reader(0).context("cannot see whether anybody reads the output")?;
    let (mut before, mut judged) = (None, None);
    loop {
        let now = look(ctx)?;
        if judged != Some(now) && (judged.is_none() || before == Some(now)) {
            judged = Some(now);
            // Rules that are wrong, or a guard that cannot be loaded, may be fixed while this goes on.
            show(check(args, ctx))?;
        }
        before = Some(now);
        sleep(LOOK);
    }
}

fn look(ctx: &CommandContext) -> Result<WatchedState> {
    let candidate = ExistingChange::WorkTree.propose(&ctx.repo()?)?.candidate;
    Ok(WatchedState { base: candidate.base, tree: candidate.tree })
}
