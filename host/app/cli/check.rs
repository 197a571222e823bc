//! `host check`.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{ArgGroup, Args, ValueEnum};
use guardhost_report::TriageClass;

use super::values::parse_reason;

/// A class of changes that can be proved to be harmless, or those that the rules name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TriageChoice {
    Formatting,
    Comments,
    Documents,
    TestsAdded,
    Unreferenced,
    Renamed,
    /// Those that `[triage]` of guards.toml names
    Rules,
}

impl TriageChoice {
    /// None: the rules say which.
    pub fn class(self) -> Option<TriageClass> {
        match self {
            TriageChoice::Formatting => Some(TriageClass::Formatting),
            TriageChoice::Comments => Some(TriageClass::Comments),
            TriageChoice::Documents => Some(TriageClass::Documents),
            TriageChoice::TestsAdded => Some(TriageClass::TestsAdded),
            TriageChoice::Unreferenced => Some(TriageClass::Unreferenced),
            TriageChoice::Renamed => Some(TriageClass::Renamed),
            TriageChoice::Rules => None,
        }
    }
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what"))]
pub struct CheckArgs {
    /// Judge the staged changes, compared with HEAD. Without a choice: these if there are any, else the work tree
    #[arg(long, group = "what")]
    pub staged: bool,
    /// Judge everything that is not committed, untracked files too, compared with HEAD
    #[arg(long, group = "what")]
    pub worktree: bool,
    /// Judge A..B, A...B (from their merge base), or one commit
    #[arg(long, value_name = "A..B", group = "what")]
    pub range: Option<String>,
    /// Judge a patch in any format, applied to HEAD in memory; `-` is standard input
    #[arg(long, value_name = "FILE", group = "what")]
    pub patch: Option<PathBuf>,
    /// Run only this guard; repeatable
    #[arg(long = "guard", value_name = "ID", env = "GUARDHOST_GUARD", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Do not run this guard, or leave out this rule of the host (`host:…`); repeatable
    #[arg(long, value_name = "ID", env = "GUARDHOST_SKIP", value_delimiter = ',')]
    pub skip: Vec<String>,
    /// The task of the change; guards that judge its scope need it
    #[arg(long, value_name = "TEXT", env = "GUARDHOST_TASK")]
    pub task: Option<String>,
    /// The file with the commit message, for the git hook `commit-msg`; guards of messages judge it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["range", "patch"])]
    pub message: Option<PathBuf>,
    /// A file that the task is about; repeatable
    #[arg(long = "file-hint", value_name = "PATH")]
    pub hints: Vec<String>,
    /// If every error comes with a fix, apply the fixes and judge again; an accepted result goes to the index and the work tree
    #[arg(long, conflicts_with_all = ["range", "patch", "worktree"])]
    pub fix: bool,
    /// Do not count the findings that this file lists; see --write-baseline
    #[arg(long, value_name = "FILE", env = "GUARDHOST_BASELINE")]
    pub baseline: Option<PathBuf>,
    /// Write the findings of this check to a file for --baseline, for a repository that starts today
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "fix"])]
    pub write_baseline: Option<PathBuf>,
    /// Write comments that allow what is found in the work tree, with this reason; for people
    #[arg(long, value_name = "REASON", value_parser = parse_reason, conflicts_with_all = ["staged", "range", "patch", "fix", "write_baseline"])]
    pub add_allow: Option<String>,
    /// If the guards reject the change, write the largest part of it that they accept into this file, as a patch
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "write_baseline"])]
    pub part: Option<PathBuf>,
    /// Say what of the change is proved to be harmless, and what to read first; with classes (`--triage=comments,documents`), end with 1 unless
    /// all of it is of these
    #[arg(long, value_name = "CLASS", value_enum, num_args = 0.., require_equals = true, value_delimiter = ',')]
    pub triage: Option<Vec<TriageChoice>>,
    /// Judge the work tree again whenever it changes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["staged", "range", "patch", "message", "fix", "write_baseline", "add_allow", "part"])]
    pub watch: bool,
    /// Accept an empty change
    #[arg(long, env = "GUARDHOST_ALLOW_EMPTY", value_parser = FalseyValueParser::new())]
    pub allow_empty: bool,
    /// Allow the change to edit guards.toml, guards.lock and .guards/; for their maintainers
    #[arg(long, env = "GUARDHOST_ALLOW_RULE_CHANGES", value_parser = FalseyValueParser::new())]
    pub allow_rule_changes: bool,
}
