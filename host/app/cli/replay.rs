//! `host replay`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// Runs or commits: the beginnings of runs' ids, their branches, or revisions of git [default: the newest run that judged a change, or what the bundle
    /// holds]
    #[arg(value_name = "RUN|COMMIT")]
    pub what: Vec<String>,
    /// Judge the runs in this file, which another machine exported
    #[arg(long, value_name = "FILE", conflicts_with_all = ["what", "export"])]
    pub bundle: Option<PathBuf>,
    /// Judge nothing, and write the runs into this file, for another machine with the same repository. It holds prompts, replies and changes
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    /// Whose signatures of receipts count, in the form of ssh-keygen's allowed signers. With it, the receipt of a commit must have one of theirs
    #[arg(long, value_name = "FILE", env = "GUARDHOST_ALLOWED_SIGNERS")]
    pub allowed_signers: Option<PathBuf>,
}
