//! `host mcp`.

use clap::Args;

#[derive(Debug, Args)]
pub struct McpArgs {
    /// Give agents the tool `pr`: it pushes to the repository's remote and opens pull requests there, with the token of the environment
    #[arg(long)]
    pub pr: bool,
}
