//! The commit of what `host init` wrote, made by git, with its hooks.

use std::path::Path;
use std::process::Command;

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;
use guardhost_gate::ChangeAuthor;

/// The variable by which a person allows one commit to change the rules. Hooks read it.
const ALLOWED: &str = "GUARDHOST_ALLOW_RULE_CHANGES=1";
const MESSAGE: &str = "Let guards judge every change";

/// How the files are committed without the host. No model is shown how a person lets a change of the rules through.
pub fn by_hand(author: ChangeAuthor) -> String {
    match author {
        ChangeAuthor::Person => format!("{ALLOWED} git commit -m {MESSAGE:?}"),
        ChangeAuthor::Model => "a person who maintains the rules commits them".to_owned(),
    }
}

/// Commits these files and no other; what else is staged stays staged.
///
/// # Errors
/// [`FaultKind::Git`]: git refuses, with what it says. The files stay.
pub fn commit(files: &[String], root: &Path, process: &ProcessEnv, author: ChangeAuthor) -> Result<()> {
    let (variable, value) = ALLOWED.split_once('=').unwrap_or((ALLOWED, "1"));
    let git = |words: &[&str]| -> Result<()> {
        let mut command = Command::new("git");
        command.current_dir(root).env_clear().envs(process.env.iter().map(|(name, value)| (name, value)));
        command.env(variable, value).args(words).arg("--").args(files);
        let ended = command.output().context(Fault::new(FaultKind::Git, "cannot start git"))?;
        if ended.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
        Err(Fault::new(FaultKind::Git, format!("the files are written, and git {} failed: {said}", words[0]))
            .hint(by_hand(author))
            .into())
    };
    git(&["add"])?;
    git(&["commit", "--quiet", "-m", MESSAGE])
}
