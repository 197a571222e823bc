//! `host acp`: between an editor and an agent.

use crate::acp::{SendToClient, serve};
use crate::cli::AcpArgs;
use crate::context::CommandContext;
use guardhost_core::error::Result;

/// Serves until the editor or the agent ends.
///
/// # Errors
/// The agent cannot be started, or fails.
pub fn acp(args: &AcpArgs, editor: SendToClient<'_>, ctx: &CommandContext) -> Result<()> {
    serve(&args.agent, editor, ctx)
}
