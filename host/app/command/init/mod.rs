//! `host init`: a first guards.toml and its lock, with what the guards say of the repository's past.

mod past;
mod rules;
mod survey;

use guardhost_core::error::{Fault, Kind, Result};
use guardhost_git::recover;
use guardhost_policy::config::{FILE, LOCK};
use guardhost_policy::{SCHEMA_FILE, embedded};
use guardhost_report::{InitReport, Report};

use self::survey::Survey;
use super::CommandContext;
use super::guard::write_first;
use crate::cli::InitArgs;

pub fn init(args: &InitArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let Some(root) = repo.workdir() else {
        return Err(Fault::new(Kind::Usage, "a bare repository has no work tree to write to")
            .hint("run this in a clone with a work tree")
            .into());
    };
    recover(&repo, ctx)?;
    if let Some(there) = [FILE, LOCK].into_iter().find(|name| root.join(name).symlink_metadata().is_ok()) {
        return Err(Fault::new(Kind::Usage, format!("{there} is there already; nothing was written"))
            .hint("`host guard list` shows its guards, `host guard add` and `host guard lock` change it")
            .into());
    }
    let head = repo.head()?;
    let survey = Survey::of(&repo, &head)?;
    let pins = embedded(ctx.embedded, &[])?;
    let text = rules::text(&survey, &pins, ctx.embedded)?;
    let past = past::judge(&repo, &head, args.commits, ctx)?;
    let mut report = InitReport {
        dry_run: args.dry_run,
        languages: survey.languages,
        manifests: survey.manifests,
        commits: past.commits,
        guards: past.guards,
        notices: past.notices,
        ..InitReport::default()
    };
    if !args.dry_run {
        report.written = write_first(&text, ctx)?;
        report.next = vec![
            format!("git add {FILE} {LOCK} {SCHEMA_FILE}"),
            "GUARDHOST_ALLOW_RULE_CHANGES=1 git commit -m \"Let guards judge every change\"".to_owned(),
        ];
    }
    report.rules = text;
    Ok(Report::Init(Box::new(report)))
}
