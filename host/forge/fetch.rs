//! Fetching the heads of pull requests with the git binary, into refs of the host's own: no branch, no remote-tracking ref and no FETCH_HEAD
//! is written.

use std::path::Path;
use std::process::Command;

use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;

use crate::git::{environment, one_line, run};
use crate::token::ForgeToken;

/// Refs of one command, so that no command line grows too long.
const AT_ONCE: usize = 200;

/// What is fetched from where.
#[derive(Debug)]
pub struct FetchRequest<'a> {
    /// The git directory.
    pub repository: &'a Path,
    /// The address of the remote; without a password.
    pub url: &'a str,
    /// Refs at the remote, and the refs here that they are written to, whatever these were.
    pub refs: &'a [(String, String)],
    pub token: Option<&'a ForgeToken>,
}

/// # Errors
/// [`FaultKind::Git`], code `fetch-failed`: the remote cannot be reached, does not accept the token, or does not have one of the refs.
pub fn fetch(request: &FetchRequest<'_>, process: &ProcessEnv) -> Result<()> {
    for refs in request.refs.chunks(AT_ONCE) {
        let mut command = Command::new("git");
        command.env_clear().envs(environment(request.url, request.token, process));
        command.arg("--git-dir").arg(request.repository);
        command.args(["-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "fetch"]);
        command.args([
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
        ]);
        command.arg("--").arg(request.url);
        command.args(refs.iter().map(|(theirs, ours)| format!("+{theirs}:{ours}")));
        let said = run(command, "fetching pull requests", process)?;
        if !said.is_success {
            let what = format!("git fetch failed: {}", one_line(&said.err));
            let what = request.token.map_or(what.clone(), |token| token.redact(&what));
            let hint = match request.token {
                Some(token) => {
                    format!("check that the token in {} may read contents of this repository", token.variable())
                }
                None => "check the address of the remote, and how git signs in there".to_owned(),
            };
            return Err(Fault::new(FaultKind::Git, what).hint(hint).code("fetch-failed").into());
        }
    }
    Ok(())
}

/// The names of the refs of a remote that fit one of these globs. `repository` is a git directory.
///
/// # Errors
/// [`FaultKind::Git`], code `fetch-failed`: the remote cannot be asked.
pub fn remote_refs(repository: &Path, url: &str, globs: &[String], process: &ProcessEnv) -> Result<Vec<String>> {
    let mut command = Command::new("git");
    command.env_clear().envs(environment(url, None, process));
    command.arg("--git-dir").arg(repository).args(["ls-remote", "--quiet", "--", url]).args(globs);
    let said = run(command, "asking for pull requests", process)?;
    if !said.is_success {
        return Err(Fault::new(FaultKind::Git, format!("git ls-remote failed: {}", one_line(&said.err)))
            .hint("check the address of the remote, and how git signs in there")
            .code("fetch-failed")
            .into());
    }
    Ok(said.out.lines().filter_map(|line| Some(line.split_once('\t')?.1.to_owned())).collect())
}
