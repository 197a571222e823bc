//! `host check`: findings that do not count, because a person allowed them.

use std::path::Path;

use crate::cli::CheckArgs;
use guardhost_core::change::{Candidate, RepoPath};
use guardhost_core::error::{Context as _, Fault, Kind, Result};
use guardhost_engine::Context;
use guardhost_engine::exceptions::baseline::Baseline;
use guardhost_engine::exceptions::baseline_of;
use guardhost_engine::exceptions::comment::CommentTrust;
use guardhost_pipeline::judge::{Judged, judge};
use guardhost_pipeline::judging::{Judging, Purpose};
use guardhost_policy::Policy;

use super::CommandContext;

/// Sets which comments count, and the baseline.
pub fn set(
    args: &CheckArgs,
    ctx: &CommandContext,
    candidate: &Candidate,
    policy: &mut Policy,
    notices: &mut Vec<String>,
) -> Result<()> {
    // A patch is taken for one of a model; what is staged or committed, for a person's.
    if args.patch.is_none() && policy.config.rules.policy.allow_comments.is_none() {
        policy.guards.exceptions.comments = CommentTrust::Any;
    }
    if let Some(file) = &args.baseline {
        policy.guards.exceptions.baseline = read(file, ctx, candidate, notices)?;
    }
    Ok(())
}

/// From the base when the change touches the file: no change extends the baseline by which it is judged.
fn read(file: &Path, ctx: &CommandContext, candidate: &Candidate, notices: &mut Vec<String>) -> Result<Baseline> {
    let path = ctx.path(file);
    let origin = file.display().to_string();
    if let Some(touched) =
        in_repository(&path, ctx)?.filter(|path| candidate.files.iter().any(|file| file.path == *path))
    {
        notices.push(format!("{origin} is read from the base commit, because the change touches it"));
        let entry = candidate.objects.entry(candidate.base_tree, &touched)?;
        return match entry {
            Some(entry) => Baseline::parse(&candidate.objects.blob(entry.oid)?, &origin),
            None => Ok(Baseline::default()),
        };
    }
    let bytes = std::fs::read(&path).with_context(|| {
        Fault::new(Kind::Usage, format!("cannot read the baseline {origin}"))
            .hint(format!("write it first: host check … --write-baseline {origin}"))
    })?;
    Baseline::parse(&bytes, &origin)
}

/// None for a file outside of the work tree.
fn in_repository(path: &Path, ctx: &CommandContext) -> Result<Option<RepoPath>> {
    let repo = ctx.repo()?;
    let Some(Ok(root)) = repo.workdir().map(Path::canonicalize) else { return Ok(None) };
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    let full = folder.zip(path.file_name()).map(|(folder, name)| folder.join(name));
    Ok(full.and_then(|full| Some(RepoPath::from(full.strip_prefix(root).ok()?.to_str()?))))
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
