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
    /// Judge one commit by itself, and write what guards say of it into --attestation: a statement of in-toto, signed with this private key of ssh
    #[arg(long, value_name = "KEY", requires = "attestation", conflicts_with_all = ["bundle", "export", "allowed_signers"])]
    pub attest: Option<PathBuf>,
    /// Judge one commit by itself, and compare with this statement: its signature, its commit, and what guards say. Or, with --attest, the file to write: a bundle of Sigstore where its name ends in `.sigstore.json`
    #[arg(long, value_name = "FILE", requires = "what", conflicts_with_all = ["bundle", "export"])]
    pub attestation: Option<PathBuf>,
    /// Whose signatures of receipts count, in the form of ssh-keygen's allowed signers. With it, the receipt of a commit must have one of theirs
    #[arg(long, value_name = "FILE", env = "GUARDHOST_ALLOWED_SIGNERS")]
    pub allowed_signers: Option<PathBuf>,
}
