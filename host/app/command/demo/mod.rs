//! `host demo`: a whole run in a small repository made for it, with recorded replies.

mod project;

use std::path::PathBuf;

use crate::cli::{AskArgs, DemoArgs, Global, PlanFrom, ProviderArgs, RunArgs};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_git::Repo;
use guardhost_provider::Cancel;
use guardhost_report::Report;

use super::run;
use crate::context::CommandContext;

const TASK: &str = include_str!("task.txt");

/// The replies of the model, round by round. They were written for the demonstration; every report says so.
const REPLIES: [&str; 2] = [include_str!("replies/1.md"), include_str!("replies/2.md")];

const HINTS: [&str; 4] = ["src/tally/__init__.py", "README.md", "pyproject.toml", "tests/test_tally.py"];

pub fn demo(args: &DemoArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let dir = folder(args, ctx)?;
    project::make(&dir).with_context(|| format!("cannot make the demonstration's repository in {}", dir.display()))?;
    let recording = Repo::open(&dir)?.state_dir()?.join("demo-replies.jsonl");
    let lines = REPLIES.iter().zip(1..).map(|(reply, round)| {
        serde_json::json!({ "round": round, "provider": "demo", "model": "none: recorded for the demonstration", "reply": reply }).to_string() + "\n"
    });
    std::fs::write(&recording, lines.collect::<String>())?;
    let args = RunArgs {
        task: Some(TASK.trim().to_owned()),
        plan: None,
        resume: None,
        hints: HINTS.map(str::to_owned).to_vec(),
        only: Vec::new(),
        compile_fix: false,
        onto_worktree: false,
        from: PlanFrom::default(),
        ask: AskArgs {
            provider: ProviderArgs {
                provider: Some(format!("replay:{}", recording.display())),
                timeout: Some(60),
                ..ProviderArgs::default()
            },
            ..AskArgs::default()
        },
    };
    // The user's own guard set does not apply to the demonstration.
    let global = Global { repo: Some(dir.clone()), config: None, ..ctx.global.clone() };
    let mut report = run(&args, &CommandContext { global: &global, ..*ctx }, cancel)?;
    if let Report::Run(run) = &mut report {
        run.notices
            .push(format!("This was a demonstration with recorded replies. Its repository stays at {}", dir.display()));
    }
    Ok(report)
}

/// An empty folder: the requested one, or a new temporary one.
fn folder(args: &DemoArgs, ctx: &CommandContext) -> Result<PathBuf> {
    let Some(dir) = &args.dir else {
        let dir = tempfile::Builder::new().prefix("guardhost-demo-").tempdir_in(&ctx.process.temp);
        return Ok(dir.with_context(|| format!("cannot make a folder in {}", ctx.process.temp.display()))?.keep());
    };
    let dir = ctx.path(dir);
    std::fs::create_dir_all(&dir)
        .with_context(|| Fault::new(FaultKind::Usage, format!("cannot make {}", dir.display())))?;
    let mut entries = std::fs::read_dir(&dir)
        .with_context(|| Fault::new(FaultKind::Usage, format!("cannot read {}", dir.display())))?;
    if entries.next().is_some() {
        return Err(Fault::new(FaultKind::Usage, format!("{} is not empty", dir.display()))
            .hint("name a folder that is empty or does not exist; nothing was changed")
            .into());
    }
    Ok(dir)
}
