//! What each file of the plugin holds.

use serde_json::{Value, json};

use crate::hook::HookAgent;
use crate::install::agents;
use crate::install::command_line::SHARED;

const NAME: &str = "guardhost";
const DESCRIPTION: &str = "Edits of agents are judged before they are made";

/// What an agent does when a change is rejected. The head is the skill's own.
const SKILL: &str = include_str!("SKILL.md");

/// The lines of the skill without its head, for a file that agents read.
pub fn lines_for_agents() -> impl Iterator<Item = &'static str> {
    SKILL.lines().filter(|line| line.starts_with("- "))
}

/// A file of the plugin. Read in the programs themselves (Claude Code 2.1.330, Codex 0.169.0, Copilot CLI 1.0.102, Gemini CLI 0.61.0): Gemini
/// CLI takes an extension at the root of a repository only, with its hooks in `hooks/hooks.json`, where Claude Code would take them for its
/// own; so the others have a folder below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PluginFile {
    Readme,
    /// Copilot CLI reads it, too.
    ClaudeMarketplace,
    CodexMarketplace,
    GeminiExtension,
    GeminiHooks,
    GeminiSkill,
    ClaudePlugin,
    CodexPlugin,
    CopilotPlugin,
    McpServers,
    ClaudeHooks,
    CodexHooks,
    CopilotHooks,
    Skill,
}

impl PluginFile {
    pub const ALL: [PluginFile; 14] = [
        PluginFile::Readme,
        PluginFile::ClaudeMarketplace,
        PluginFile::CodexMarketplace,
        PluginFile::GeminiExtension,
        PluginFile::GeminiHooks,
        PluginFile::GeminiSkill,
        PluginFile::ClaudePlugin,
        PluginFile::CodexPlugin,
        PluginFile::CopilotPlugin,
        PluginFile::McpServers,
        PluginFile::ClaudeHooks,
        PluginFile::CodexHooks,
        PluginFile::CopilotHooks,
        PluginFile::Skill,
    ];

    /// In the folder of the plugin.
    pub fn path(self) -> &'static str {
        match self {
            PluginFile::Readme => "README.md",
            PluginFile::ClaudeMarketplace => ".claude-plugin/marketplace.json",
            PluginFile::CodexMarketplace => ".agents/plugins/marketplace.json",
            PluginFile::GeminiExtension => "gemini-extension.json",
            PluginFile::GeminiHooks => "hooks/hooks.json",
            PluginFile::GeminiSkill => "skills/guardhost/SKILL.md",
            PluginFile::ClaudePlugin => "plugin/.claude-plugin/plugin.json",
            PluginFile::CodexPlugin => "plugin/.codex-plugin/plugin.json",
            PluginFile::CopilotPlugin => "plugin/plugin.json",
            PluginFile::McpServers => "plugin/.mcp.json",
            PluginFile::ClaudeHooks => "plugin/hooks/claude.json",
            PluginFile::CodexHooks => "plugin/hooks/codex.json",
            PluginFile::CopilotHooks => "plugin/hooks/copilot.json",
            PluginFile::Skill => "plugin/skills/guardhost/SKILL.md",
        }
    }

    pub(in crate::install) fn text(self) -> String {
        match self {
            PluginFile::Readme => include_str!("README.md").to_owned(),
            PluginFile::ClaudeMarketplace => json_text(&json!({
                "name": NAME,
                "owner": { "name": "Guardhost" },
                "metadata": { "description": DESCRIPTION },
                "plugins": [{ "name": NAME, "source": "./plugin", "description": DESCRIPTION }],
            })),
            PluginFile::CodexMarketplace => json_text(&json!({
                "name": NAME,
                "interface": { "displayName": "Guardhost" },
                "plugins": [{
                    "name": NAME,
                    "source": { "source": "local", "path": "./plugin" },
                    "policy": { "installation": "AVAILABLE", "authentication": "ON_INSTALL" },
                    "category": "Developer Tools",
                }],
            })),
            PluginFile::GeminiExtension => {
                let mut extension = named();
                extension["mcpServers"] = servers();
                json_text(&extension)
            }
            PluginFile::GeminiHooks => agents::fresh(HookAgent::Gemini, SHARED),
            PluginFile::GeminiSkill | PluginFile::Skill => SKILL.to_owned(),
            PluginFile::ClaudePlugin => plugin("claude"),
            PluginFile::CodexPlugin => plugin("codex"),
            PluginFile::CopilotPlugin => plugin("copilot"),
            PluginFile::McpServers => json_text(&json!({ "mcpServers": servers() })),
            PluginFile::ClaudeHooks => agents::fresh(HookAgent::Claude, SHARED),
            PluginFile::CodexHooks => agents::fresh(HookAgent::Codex, SHARED),
            PluginFile::CopilotHooks => agents::fresh(HookAgent::Copilot, SHARED),
        }
    }
}

/// The manifest of a plugin, with the hooks of one agent.
fn plugin(hooks: &str) -> String {
    let mut plugin = named();
    plugin["author"] = json!({ "name": "Guardhost" });
    plugin["license"] = json!(env!("CARGO_PKG_LICENSE"));
    plugin["hooks"] = json!(format!("./hooks/{hooks}.json"));
    plugin["mcpServers"] = json!("./.mcp.json");
    plugin["skills"] = json!("./skills/");
    json_text(&plugin)
}

fn named() -> Value {
    json!({ "name": NAME, "version": env!("CARGO_PKG_VERSION"), "description": DESCRIPTION })
}

fn servers() -> Value {
    json!({ NAME: { "command": SHARED, "args": ["mcp"] } })
}

fn json_text(value: &Value) -> String {
    format!("{value:#}\n")
}
