//! `host check`: findings that do not count, because a person allowed them.

use std::path::Path;

use crate::cli::CheckArgs;
use guardhost_core::change::{Candidate, FileMode, Oid, RepoPath};
use guardhost_core::error::{Context as _, Error, Fault, Kind, Result};
use guardhost_engine::Context;
use guardhost_engine::exceptions::baseline::Baseline;
use guardhost_engine::exceptions::baseline_of;
use guardhost_engine::exceptions::comment::CommentTrust;
use guardhost_pipeline::judge::{Judged, judge};
use guardhost_pipeline::judging::{Judging, Purpose};
use guardhost_policy::{Policy, work_tree_paths};

use crate::context::CommandContext;

/// Sets which comments count, and the baseline.
pub fn set(
    args: &CheckArgs,
    ctx: &CommandContext,
    candidate: &Candidate,
    rules_tree: Oid,
    policy: &mut Policy,
    notices: &mut Vec<String>,
) -> Result<()> {
    // A patch is taken for one of a model; what is staged or committed, for a person's.
    if args.patch.is_none() && policy.config.rules.policy.allow_comments.is_none() {
        policy.guards.exceptions.comments = CommentTrust::Any;
    }
    if let Some(file) = &args.baseline {
        policy.guards.exceptions.baseline = read(file, ctx, candidate, rules_tree, notices)?;
    }
    Ok(())
}

/// From where the rules are read, if the file is in the repository: no change extends the baseline by which it is judged, and none of its
/// links chooses another.
fn read(
    file: &Path,
    ctx: &CommandContext,
    candidate: &Candidate,
    rules_tree: Oid,
    notices: &mut Vec<String>,
) -> Result<Baseline> {
    let path = ctx.path(file);
    let origin = file.display().to_string();
    for tracked in work_tree_paths(&ctx.repo()?, &path) {
        let is_touched = candidate.files.iter().any(|file| {
            let below = |touched: &RepoPath| {
                let rest = tracked.as_bytes().strip_prefix(touched.as_bytes());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
            };
            below(&file.path) || file.old_path.as_ref().is_some_and(below)
        });
        let entry = candidate.objects.entry(rules_tree, &tracked)?;
        let entry = entry.filter(|entry| matches!(entry.mode, FileMode::File | FileMode::Executable));
        if is_touched {
            notices.push(format!("{origin} is read from the base commit, because the change touches it"));
        }
        // The work tree may have what the rules have no more.
        let is_gone = || Ok::<_, Error>(candidate.objects.entry(candidate.tree, &tracked)?.is_some());
        match entry {
            Some(entry) => return Baseline::parse(&candidate.objects.blob(entry.oid)?, &origin),
            None if is_touched || is_gone()? => return Ok(Baseline::default()),
            None => {}
        }
    }
    let bytes = std::fs::read(&path).with_context(|| {
        Fault::new(Kind::Usage, format!("cannot read the baseline {origin}"))
            .hint(format!("write it first: host check … --write-baseline {origin}"))
    })?;
    Baseline::parse(&bytes, &origin)
}

/// Judges, writes all findings that count to `file`, and judges with them as the baseline.
pub fn write_baseline(
    file: &Path,
    ctx: &CommandContext,
    candidate: Candidate,
    policy: &mut Policy,
    context: &Context,
    notices: &mut Vec<String>,
) -> Result<Judged> {
    let first = judge(candidate.clone(), &reporting(policy), context)?;
    let baseline = baseline_of(&candidate, first.judgement());
    std::fs::write(ctx.path(file), baseline.to_json())
        .with_context(|| Fault::new(Kind::Usage, format!("cannot write the baseline {}", file.display())))?;
    notices.push(match baseline.len() {
        1 => format!("1 finding is in {}", file.display()),
        count => format!("{count} findings are in {}", file.display()),
    });
    policy.guards.exceptions.baseline = baseline;
    judge(candidate, &reporting(policy), context)
}

fn reporting(policy: &Policy) -> Judging<'_> {
    Judging { policy, purpose: Purpose::Report, fixes: false }
}
