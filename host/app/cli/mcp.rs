//! `host mcp`.

use clap::Args;
use clap::builder::FalseyValueParser;

#[derive(Debug, Args)]
pub struct McpArgs {
    /// Give agents the tool `pr`: it pushes to the repository's remote and opens pull requests there, with the token of the environment
    #[arg(long, env = "GUARDHOST_MCP_PR", value_parser = FalseyValueParser::new())]
    pub pr: bool,
}
