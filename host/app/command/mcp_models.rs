//! The tools of `host mcp` that ask models: `review` and `fix`, with the providers of the user and no others.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;
use guardhost_provider::Cancel;
use guardhost_report::Report;

use super::{fix, pr, review};
use crate::cli::{Cli, Command};
use crate::context::CommandContext;
use crate::session::{FixAsk, PullAsk, ReviewAsk};

/// What a client may not name: these run a program of its choice, or read a file of its choice.
const NOT_BY_CLIENTS: [&str; 2] = ["command:", "replay:"];

/// # Errors
/// Of the review; [`FaultKind::Usage`]: a provider that is none of the user's.
pub fn review_for(workdir: &Path, ask: &ReviewAsk, ctx: &CommandContext) -> Result<Report> {
    let mut words = command_arguments("review", workdir);
    words.push(if ask.staged { "--staged" } else { "--worktree" }.into());
    named(&mut words, "--critic", &ask.critics)?;
    named(&mut words, "--voter", &ask.voters)?;
    named(&mut words, "--provider", ask.provider.as_slice())?;
    named(&mut words, "--author", ask.author.as_slice())?;
    words.extend(ask.task.iter().map(|task| format!("--task={task}").into()));
    let cli = read(&words)?;
    match &cli.command {
        Command::Review(args) => {
            let process = ProcessEnv { stop: ask.cancel.stop().clone(), ..ctx.process.clone() };
            let ctx = CommandContext { global: &cli.global, process: &process, ..*ctx };
            review(args, &ctx, ask.cancel.clone())
        }
        _ => Err(Error::msg("the words are no review")),
    }
}

/// # Errors
/// Of the fixes; [`FaultKind::Usage`]: a provider that is none of the user's, a list that makes no sense.
pub fn fix_for(workdir: &Path, ask: &FixAsk, ctx: &CommandContext) -> Result<Report> {
    let mut words = command_arguments("fix", workdir);
    // It lives until the fixes are made.
    let mut list = tempfile::NamedTempFile::new_in(&ctx.process.temp).context("cannot write the list of issues")?;
    match (&ask.issues, &ask.sarif, &ask.resume) {
        (Some(issues), None, None) => {
            list.write_all(issues.to_string().as_bytes()).context("cannot write the list of issues")?;
            words.extend(["--issues".into(), list.path().into()]);
        }
        (None, Some(sarif), None) => words.extend(["--sarif".into(), below(workdir, sarif)?.into()]),
        (None, None, Some(run)) => words.push(format!("--resume={run}").into()),
        _ => return Err(Fault::new(FaultKind::Usage, "name one of `issues`, `sarif` and `resume`").into()),
    }
    named(&mut words, "--reviewer", &ask.reviewers)?;
    named(&mut words, "--provider", ask.provider.as_slice())?;
    if ask.accept_touched {
        words.push("--accept-touched".into());
    }
    let cli = read(&words)?;
    match &cli.command {
        Command::Fix(args) => {
            let process = ProcessEnv { stop: ask.cancel.stop().clone(), ..ctx.process.clone() };
            let ctx = CommandContext { global: &cli.global, process: &process, ..*ctx };
            fix(args, &ctx, ask.cancel.clone())
        }
        _ => Err(Error::msg("the words are no fix")),
    }
}

/// # Errors
/// Of the forge; [`FaultKind::Usage`]: there is no such run, no token, or the network is not to be used.
pub fn pull_for(workdir: &Path, ask: &PullAsk, ctx: &CommandContext) -> Result<Report> {
    let mut words = vec!["host".into(), "pr".into(), if ask.open { "open" } else { "status" }.into()];
    words.extend(["--repo".into(), workdir.into()]);
    if ctx.is_offline() {
        words.push("--offline".into());
    }
    if ask.open {
        words.extend(ask.title.iter().map(|title| format!("--title={title}").into()));
        words.extend(ask.draft.then(|| "--draft".into()));
        words.extend(ask.labels.iter().map(|label| format!("--label={label}").into()));
    }
    if let Some(run) = &ask.run {
        words.extend(["--".into(), run.into()]);
    }
    let cli = read(&words)?;
    match &cli.command {
        Command::Pr(what) => {
            let ctx = CommandContext { global: &cli.global, ..*ctx };
            pr(what, &ctx, || Ok(Cancel::with(ctx.process.stop.clone())))
        }
        _ => Err(Error::msg("the words are no pull request")),
    }
}

fn command_arguments(command: &str, workdir: &Path) -> Vec<OsString> {
    vec!["host".into(), command.into(), "--repo".into(), workdir.into()]
}

fn named(words: &mut Vec<OsString>, option: &str, names: &[String]) -> Result<()> {
    for name in names {
        if NOT_BY_CLIENTS.iter().any(|prefix| name.trim_start().starts_with(prefix)) {
            let what = format!("`{name}` is no provider that a client may name");
            return Err(Fault::new(FaultKind::Usage, what).hint("name one of the user's: `host provider list`").into());
        }
        words.push(format!("{option}={name}").into());
    }
    Ok(())
}

/// A file of the work tree.
fn below(workdir: &Path, path: &str) -> Result<PathBuf> {
    let file = workdir.join(path);
    let real = file.canonicalize().with_context(|| Fault::new(FaultKind::Usage, format!("there is no file {path}")))?;
    let root = workdir.canonicalize().context("cannot find the work tree")?;
    match real.starts_with(&root) {
        true => Ok(real),
        false => Err(Fault::new(FaultKind::Usage, format!("{path} does not lie in the repository")).into()),
    }
}

fn read(words: &[OsString]) -> Result<Cli> {
    Cli::try_parse_from(words)
        .map_err(|error| Fault::new(FaultKind::Usage, error.render().to_string().trim().to_owned()).into())
}
