//! `host lsp`: what the guards say of the files of an editor, over the Language Server Protocol.

use crate::context::CommandContext;
use crate::lsp::{Say, serve};
use guardhost_core::error::Result;

/// Serves until the editor closes the connection.
///
/// # Errors
/// What is on standard input is no Language Server Protocol.
pub fn lsp(editor: Say, ctx: &CommandContext) -> Result<()> {
    serve(editor, ctx)
}
