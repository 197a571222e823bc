//! `host hook` and `host install`.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{ArgGroup, Args, ValueEnum};

use super::CiService;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookProgram {
    Agent(HookAgent),
    Git,
}

impl HookProgram {
    /// None for git, which is no agent.
    pub fn agent(self) -> Option<HookAgent> {
        match self {
            HookProgram::Agent(agent) => Some(agent),
            HookProgram::Git => None,
        }
    }
}

impl ValueEnum for HookProgram {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<HookProgram>> =
            LazyLock::new(|| HookAgent::ALL.map(HookProgram::Agent).into_iter().chain([HookProgram::Git]).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.agent().map_or("git", HookAgent::as_str)))
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
            (None, InstallTarget::Agent(HookAgent::Gemini)) if self.remove || self.status => {
                &[InstallScope::Repo, InstallScope::User]
            }
            // It loads no hooks of a folder that it does not trust, and by default it trusts none.
            (None, InstallTarget::Agent(HookAgent::Gemini)) => &[InstallScope::User],
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstallTarget {
    Git,
    Agent(HookAgent),
    Plugin,
    Lefthook,
    PreCommit,
    Prek,
    Ci(CiService),
}

impl InstallTarget {
    /// The word of the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            InstallTarget::Git => "git",
            InstallTarget::Agent(agent) => agent.as_str(),
            InstallTarget::Plugin => "plugin",
            InstallTarget::Lefthook => "lefthook",
            InstallTarget::PreCommit => "pre-commit",
            InstallTarget::Prek => "prek",
            InstallTarget::Ci(CiService::Github) => "github",
            InstallTarget::Ci(CiService::Gitlab) => "gitlab",
            InstallTarget::Ci(CiService::Forgejo) => "forgejo",
        }
    }

    fn help(self) -> &'static str {
        match self {
            InstallTarget::Git => "Hooks of git: pre-commit, pre-push and reference-transaction",
            InstallTarget::Agent(agent) => agent.title(),
            InstallTarget::Plugin => {
                "A folder that a team shares, and that Claude Code, Codex, Copilot and Gemini CLI take as a plugin"
            }
            InstallTarget::Lefthook => "lefthook.yml",
            InstallTarget::PreCommit => ".pre-commit-config.yaml",
            InstallTarget::Prek => ".pre-commit-config.yaml, which prek reads too",
            InstallTarget::Ci(CiService::Github) => "A workflow of GitHub Actions",
            InstallTarget::Ci(CiService::Gitlab) => "A job in .gitlab-ci.yml",
            InstallTarget::Ci(CiService::Forgejo) => "A workflow of Forgejo Actions",
        }
    }
}

impl ValueEnum for InstallTarget {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<InstallTarget>> = LazyLock::new(|| {
            use InstallTarget::{Agent, Ci, Git, Lefthook, Plugin, PreCommit, Prek};
            let agents = HookAgent::ALL.map(Agent);
            let services = CiService::value_variants().iter().copied().map(Ci);
            [Git].into_iter().chain(agents).chain([Plugin, Lefthook, PreCommit, Prek]).chain(services).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()).help(self.help()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InstallScope {
    Repo,
    User,
}
