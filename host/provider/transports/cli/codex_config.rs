//! The MCP servers of the user's `config.toml`. There is no setting that turns all of them off, and one for a server that is not configured
//! makes the configuration invalid.

use std::path::PathBuf;

use crate::Environment;

/// The names of all servers. None when there is no file, or when codex cannot read it either.
pub(super) fn servers(environment: &Environment) -> Vec<String> {
    let home = environment.text("CODEX_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(environment.home()?.join(".codex")));
    let text = home.and_then(|home| std::fs::read_to_string(home.join("config.toml")).ok());
    let config = text.and_then(|text| text.parse::<toml::Table>().ok()).unwrap_or_default();
    let servers = config.get("mcp_servers").and_then(toml::Value::as_table);
    servers.into_iter().flatten().map(|(name, _)| name.clone()).collect()
}
