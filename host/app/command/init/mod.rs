//! `host init`: a first guards.toml and its lock, with what the guards say of the repository's past.

mod ask;
mod commit;
mod evidence;
mod past;
mod rules;
mod survey;

use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_git::{Repo, recover};
use guardhost_policy::config::{FILE, LOCK};
use guardhost_policy::{SCHEMA_FILE, embedded};
use guardhost_report::{InitReport, Report};

pub use ask::{Ask, ask_init};

use std::path::Path;

use self::survey::InitSurvey;
use super::guard::write_first;
use super::install::remember_refs;
use crate::cli::{InitArgs, InstallArgs, InstallScope, InstallTarget};
use crate::context::CommandContext;
use crate::install::{self, CiPackage};

pub fn init(args: &InitArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let root = root(&repo)?;
    recover(&repo, ctx)?;
    let head = repo.head()?;
    // What cannot be installed ends the command before anything is written.
    let (package, site, to_install) =
        (CiPackage::from_args(&args.package, ctx)?, install::site(ctx)?, to_install(args));
    install::install(&InstallArgs { dry_run: true, ..to_install.clone() }, package.as_ref(), &site)?;
    let survey = InitSurvey::new(&repo, &head)?;
    let pins = embedded(ctx.embedded, &[])?;
    let evidence = evidence::find(&repo, &head, u64::from(args.test_seconds), ctx)?;
    let text = rules::text(&survey, &pins, &evidence, ctx.embedded, args.protect_agents)?;
    let past = past::judge(&repo, &head, args.commits, ctx)?;
    let mut report = InitReport {
        dry_run: args.dry_run,
        languages: survey.languages,
        manifests: survey.manifests,
        commits: past.commits,
        guards: past.guards,
        rejected: past.rejected,
        notices: past.notices,
        evidence,
        ..InitReport::default()
    };
    if !args.dry_run {
        report.written = write_first(&text, ctx)?;
        report.for_agents = for_agents(root);
    }
    report.installed = install::install(&to_install, package.as_ref(), &site)?.files;
    remember_refs(&to_install, ctx)?;
    let mut files = [FILE, LOCK, SCHEMA_FILE].map(str::to_owned).to_vec();
    for target in &to_install.targets {
        match target {
            // Committed with the rules, here or by the next command.
            InstallTarget::Ci(_) => {
                let paths = install::files(*target, InstallScope::Repo, &site)?.into_iter().map(|(path, _)| path);
                files.extend(paths.filter_map(|path| Some(path.strip_prefix(root).ok()?.to_str()?.to_owned())));
            }
            target => report.notices.extend(install::next_step(*target, &to_install)),
        }
    }
    if !args.dry_run {
        if args.commit {
            commit::commit(&files, root, ctx.process, ctx.author())?;
            report.committed = true;
        } else {
            report.next.push(format!("git add {}", files.join(" ")));
            report.next.push(commit::by_hand(ctx.author()));
        }
        report.next.push(match args.hooks.is_empty() {
            true => format!("host install {}", ask::names(&ask::suggested(root, ctx)?).join(" ")),
            false => "host doctor --canary".to_owned(),
        });
    }
    report.rules = text;
    Ok(Report::Init(Box::new(report)))
}

/// Nothing where a file that agents read speaks of the host already.
fn for_agents(root: &Path) -> Vec<String> {
    let speaks = |name: &str| {
        std::fs::read_to_string(root.join(name)).is_ok_and(|text| text.to_ascii_lowercase().contains("guardhost"))
    };
    match rules::orders_at_root().any(speaks) {
        true => Vec::new(),
        false => ["## Guardhost"].into_iter().chain(install::lines_for_agents()).map(str::to_owned).collect(),
    }
}

fn to_install(args: &InitArgs) -> InstallArgs {
    let mut targets = args.hooks.clone();
    let workflow = args.ci.map(InstallTarget::Ci);
    targets.extend(workflow.filter(|workflow| !args.hooks.contains(workflow)));
    InstallArgs {
        targets,
        package: args.package.clone(),
        dir: None,
        remove: false,
        status: false,
        dry_run: args.dry_run,
        scope: None,
    }
}

/// The work tree, which has no rules yet.
fn root(repo: &Repo) -> Result<&Path> {
    let Some(root) = repo.workdir() else {
        return Err(Fault::new(FaultKind::Usage, "a bare repository has no work tree to write to")
            .hint("run this in a clone with a work tree")
            .into());
    };
    if let Some(there) = [FILE, LOCK].into_iter().find(|name| root.join(name).symlink_metadata().is_ok()) {
        return Err(Fault::new(FaultKind::Usage, format!("{there} is there already; nothing was written"))
            .hint("`host guard list` shows its guards, `host guard add` and `host guard lock` change it")
            .into());
    }
    Ok(root)
}
