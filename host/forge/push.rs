//! Pushing a branch with the git binary.

use std::path::Path;
use std::process::Command;

use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;

use crate::git::{GitOutput, environment, one_line, run};
use crate::token::ForgeToken;

/// What is pushed where.
#[derive(Debug)]
pub struct PushRequest<'a> {
    /// The git directory.
    pub repository: &'a Path,
    /// The address of the remote; without a password.
    pub url: &'a str,
    /// The commit.
    pub sha: &'a str,
    /// Short name of the branch at the remote.
    pub branch: &'a str,
    /// Replace what the branch is at the remote, if that is still this commit. None: go forward only.
    pub replaces: Option<&'a str>,
    pub token: Option<&'a ForgeToken>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushOutcome {
    /// The remote had it already.
    UpToDate,
    Created,
    Updated,
}

/// Hooks do not run: the commit is judged, and a hook would see the token.
///
/// # Errors
/// [`FaultKind::Git`]: the remote cannot be reached, does not accept the token, or has other commits on the branch (code `push-rejected`).
pub fn push(request: &PushRequest<'_>, process: &ProcessEnv) -> Result<PushOutcome> {
    let mut command = Command::new("git");
    command.env_clear().envs(environment(request.url, request.token, process));
    command.arg("--git-dir").arg(request.repository);
    command.args(["-c", "core.hooksPath=/dev/null", "push", "--porcelain", "--no-verify"]);
    if let Some(known) = request.replaces {
        command.arg(format!("--force-with-lease=refs/heads/{}:{known}", request.branch));
    }
    command.arg("--").arg(request.url).arg(format!("{}:refs/heads/{}", request.sha, request.branch));
    let said = run(command, "pushing the branch", process)?;
    let redact = |text: &str| request.token.map_or_else(|| text.to_owned(), |token| token.redact(text));
    outcome(&said, request).map_err(|fault| Fault { what: redact(&fault.what), ..fault }.into())
}

/// The line of the branch: a sign, what went where, a summary.
fn outcome(said: &GitOutput, request: &PushRequest<'_>) -> std::result::Result<PushOutcome, Fault> {
    let wanted = format!(":refs/heads/{}", request.branch);
    let line = said.out.lines().find_map(|line| {
        let (sign, rest) = line.split_at_checked(1)?;
        let (refs, summary) = rest.strip_prefix('\t')?.split_once('\t')?;
        refs.ends_with(&wanted).then_some((sign, summary))
    });
    match (line, said.is_success) {
        (Some(("=", _)), true) => Ok(PushOutcome::UpToDate),
        (Some(("*", _)), true) => Ok(PushOutcome::Created),
        (Some((" " | "+", _)), true) => Ok(PushOutcome::Updated),
        (Some((_, summary)), _) => {
            let what = format!("the remote does not take the branch {}: {}", request.branch, one_line(summary));
            let hint = "look at what the branch is at the remote; --replace puts this commit in its place";
            Err(Fault::new(FaultKind::Git, what).hint(hint).code("push-rejected"))
        }
        (None, _) => {
            let what = format!("git push failed: {}", one_line(&said.err));
            let hint = match request.token {
                Some(token) => {
                    format!("check that the token in {} may write contents of this repository", token.variable())
                }
                None => "check the address of the remote, and how git signs in there".to_owned(),
            };
            Err(Fault::new(FaultKind::Git, what).hint(hint).code("push-failed"))
        }
    }
}
