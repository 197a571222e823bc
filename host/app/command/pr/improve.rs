//! `host improve --pr`: the pull request of what was committed, and its builds. Both can be repeated, so that a run that is taken up again goes
//! on where it stopped.

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_forge::ForgeError;
use guardhost_git::Repo;
use guardhost_provider::Cancel;
use guardhost_report::{PullReport, Voted, WatchReport};

use super::connection::connect;
use super::open::open_run;
use super::target::PullTarget;
use super::watch::{Republish, Republished, watch_run};
use crate::cli::{AdviceArgs, ImproveArgs, OpenArgs, PullArgs, WatchArgs};
use crate::command::review::EarlierParts;
use crate::command::run::budget::PlanBudget;
use crate::command::select_run::named_run;
use crate::context::CommandContext;
use guardhost_report::journal::ancestry;

/// What a run of `host improve` came to.
pub struct Improved<'a> {
    pub run: &'a str,
    /// Where its commits are.
    pub branch: String,
    pub base: Option<Oid>,
    pub commit: Oid,
    /// What was voted on all commits together, before they were published.
    pub votes: Option<&'a Voted>,
    /// What was answered in the runs that it goes on with.
    pub parts: &'a EarlierParts,
}

/// The pull request; and what its builds came to, if the guards let it be opened.
pub fn open_and_watch(
    improved: Improved<'_>,
    args: &ImproveArgs,
    repo: &Repo,
    ctx: &CommandContext,
    (cancel, retell): (&Cancel, Republish<'_>),
    budget: &mut PlanBudget,
) -> Result<(PullReport, Option<WatchReport>)> {
    let connection = connect(&args.forge, repo, ctx)?;
    let state_dir = repo.state_dir()?;
    let history = named_run(&state_dir, improved.run)?;
    // A run that goes on has a branch of its own, behind that of the run before. The pull request of that one gets the commits.
    let mut branch = improved.branch.clone();
    for run in ancestry(&state_dir, &history)? {
        let Some(earlier) = named_run(&state_dir, &run).ok().and_then(|earlier| earlier.branch()) else { continue };
        if earlier != branch && connection.forge.find(&earlier).map_err(ForgeError::into_error)?.is_some() {
            branch = earlier;
            break;
        }
    }
    let target =
        || PullTarget { history: history.clone(), branch: branch.clone(), base: improved.base, head: improved.commit };
    let open = OpenArgs {
        run: None,
        title: None,
        replace: false,
        // The voters have voted: what they said is published, and they are not asked again.
        pull: PullArgs { advice: AdviceArgs { voters: Vec::new(), ..args.pull.advice.clone() }, ..args.pull.clone() },
        forge: args.forge.clone(),
        provider: args.ask.provider.clone(),
    };
    let asked = (improved.votes, improved.parts, &mut *budget);
    let opened = open_run(&open, target(), asked, repo, &connection, ctx, cancel)?;
    if opened.pull.is_none() {
        return Ok((opened, None));
    }
    let watch = WatchArgs {
        run: None,
        wait: args.wait.clone(),
        advice: AdviceArgs::default(),
        ask: args.ask.clone(),
        forge: args.forge.clone(),
    };
    let retold = Republished { pull: &open.pull, retell: Some(retell), parts: improved.parts };
    let watched = watch_run((&watch, retold), target(), repo, connection, ctx, cancel.clone(), budget)?;
    Ok((opened, Some(watched)))
}
