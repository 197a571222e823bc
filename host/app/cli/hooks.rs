//! `host hook` and `host install`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::values::parse_sha256;
use crate::hook::HookAgent;

#[derive(Debug, Clone, Args)]
pub struct HookArgs {
    /// The program that starts the hook
    #[arg(value_enum, value_name = "PROGRAM")]
    pub program: HookProgram,
    /// The program's own name of the event: PreToolUse, BeforeTool, pre-commit, reference-transaction, …
    #[arg(value_name = "EVENT")]
    pub event: String,
    /// What the program adds
    #[arg(value_name = "ARG", trailing_var_arg = true, allow_hyphen_values = true)]
    pub rest: Vec<String>,
}

/// A program with hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HookProgram {
    Claude,
    Codex,
    Gemini,
    Cursor,
    Copilot,
    Opencode,
    Qwen,
    Git,
}

impl HookProgram {
    /// None for git, which is no agent.
    pub fn agent(self) -> Option<HookAgent> {
        match self {
            HookProgram::Claude => Some(HookAgent::Claude),
            HookProgram::Codex => Some(HookAgent::Codex),
            HookProgram::Gemini => Some(HookAgent::Gemini),
            HookProgram::Cursor => Some(HookAgent::Cursor),
            HookProgram::Copilot => Some(HookAgent::Copilot),
            HookProgram::Opencode => Some(HookAgent::Opencode),
            HookProgram::Qwen => Some(HookAgent::Qwen),
            HookProgram::Git => None,
        }
    }
}

#[derive(Debug, Clone, Args)]
#[command(group(ArgGroup::new("what").args(["targets", "status"]).required(true).multiple(true)))]
pub struct InstallArgs {
    /// Where to install; several may be named
    #[arg(value_enum, value_name = "TARGET")]
    pub targets: Vec<InstallTarget>,
    #[command(flatten)]
    pub package: PackageArgs,
    /// For plugin: the folder that agents take; it is made
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Take away what was installed; files become what they were before
    #[arg(long, conflicts_with = "status")]
    pub remove: bool,
    /// Show what is installed, and change nothing
    #[arg(long)]
    pub status: bool,
    /// Show what would be written, and write nothing
    #[arg(long, conflicts_with = "status")]
    pub dry_run: bool,
    /// Whose settings of an agent are changed: those of this repository, or the user's own for all of them [default: repo; user for gemini]
    #[arg(long, value_enum)]
    pub scope: Option<InstallScope>,
}

impl InstallArgs {
    /// Whose settings are written, or looked at, for a target.
    pub fn scopes(&self, target: InstallTarget) -> &'static [InstallScope] {
        match (self.scope, target) {
            (Some(InstallScope::Repo), _) => &[InstallScope::Repo],
            (Some(InstallScope::User), _) => &[InstallScope::User],
            // What an earlier version wrote into the repository, too.
            (None, InstallTarget::Gemini) if self.remove || self.status => &[InstallScope::Repo, InstallScope::User],
            // It loads no hooks of a folder that it does not trust, and by default it trusts none.
            (None, InstallTarget::Gemini) => &[InstallScope::User],
            (None, _) => &[InstallScope::Repo],
        }
    }
}

/// What a build service installs.
#[derive(Debug, Clone, Default, Args)]
pub struct PackageArgs {
    /// For github, gitlab and forgejo: the wheel that builds install. A file, an https address, or guardhost==VERSION
    #[arg(long, value_name = "WHEEL")]
    pub package: Option<String>,
    /// SHA-256 of the wheel; again for the wheel of another system [default: that of the file or the address]
    #[arg(long, value_name = "DIGEST", requires = "package", value_parser = parse_sha256)]
    pub sha256: Vec<String>,
}

/// A program in which the host can be installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InstallTarget {
    /// Hooks of git: pre-commit, pre-push and reference-transaction
    Git,
    /// Claude Code
    Claude,
    /// Codex CLI
    Codex,
    /// Gemini CLI
    Gemini,
    /// Cursor
    Cursor,
    /// GitHub Copilot: its command line, and its agent in VS Code
    Copilot,
    /// opencode
    Opencode,
    /// Qwen Code
    Qwen,
    /// A folder that a team shares, and that Claude Code, Codex, Copilot and Gemini CLI take as a plugin
    Plugin,
    /// lefthook.yml
    Lefthook,
    /// .pre-commit-config.yaml
    PreCommit,
    /// .pre-commit-config.yaml, which prek reads too
    Prek,
    /// A workflow of GitHub Actions
    Github,
    /// A job in .gitlab-ci.yml
    Gitlab,
    /// A workflow of Forgejo Actions
    Forgejo,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InstallScope {
    Repo,
    User,
}
