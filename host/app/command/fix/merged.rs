//! Whether pull requests of earlier runs were merged, by the word of the forge: a squash of what a person changed as well, or a branch that is gone, leaves
//! nothing in the clone that tells.

use std::collections::BTreeMap;

use guardhost_core::change::{Event, Observer};
use guardhost_forge::{ForgeError, PullState};
use guardhost_git::Repo;
use guardhost_report::journal::RecordedPull;

use crate::cli::ForgeArgs;
use crate::command::pr::{ForgeConnection, connect};
use crate::context::CommandContext;

/// Connects when the first is asked for, and asks for each once. A forge that cannot be asked is said, and the clone alone decides: an issue of which nobody
/// knows is tried again.
pub struct MergedPulls<'a> {
    args: &'a ForgeArgs,
    repo: &'a Repo,
    ctx: &'a CommandContext<'a>,
    /// None until it is needed; the inner one, where it cannot be made.
    connection: Option<Option<ForgeConnection>>,
    known: BTreeMap<String, bool>,
}

impl<'a> MergedPulls<'a> {
    pub fn new(args: &'a ForgeArgs, repo: &'a Repo, ctx: &'a CommandContext<'a>) -> Self {
        MergedPulls { args, repo, ctx, connection: None, known: BTreeMap::new() }
    }

    /// False also where it is not known.
    pub fn has(&mut self, pull: &RecordedPull) -> bool {
        if let Some(known) = self.known.get(&pull.url) {
            return *known;
        }
        let is_merged = self.ask(pull);
        self.known.insert(pull.url.clone(), is_merged);
        is_merged
    }

    fn ask(&mut self, pull: &RecordedPull) -> bool {
        let unknown = |why: String| {
            let text = format!("whether the pull request {} was merged is not known: {why}", pull.number);
            self.ctx.see(&Event::Notice { text });
        };
        let connection = self.connection.get_or_insert_with(|| {
            connect(self.args, self.repo, self.ctx).map_err(|error| unknown(format!("{error:#}"))).ok()
        });
        let Some(connection) = connection else { return false };
        match connection.forge.pull(pull.number).map_err(ForgeError::into_error) {
            // The remote may lead to another repository by now, whose pull request has the same number.
            Ok(found) => found.url == pull.url && matches!(found.state, PullState::Merged),
            Err(error) => {
                unknown(format!("{error:#}"));
                false
            }
        }
    }
}
