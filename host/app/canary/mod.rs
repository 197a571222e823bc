//! `host doctor --canary`: a planted bad change is sent through every hook that is installed, as git or the agent would, and must be denied.
//!
//! A hook that is there and denies nothing looks the same as one that works. So what counts is the answer, and that it names the change.

mod agent_hooks;
mod folder_trust;
mod planted;
mod plugins;
mod process;

use std::path::Path;

use crate::cli::{InstallScope, InstallTarget};
use crate::context::CommandContext;
use crate::hook::{GitHook, HookAgent};
use crate::install::{FileKind, Site, files, site, state};
use agent_hooks::AgentHooks;
use folder_trust::not_loaded;
use guardhost_core::error::Result;
use guardhost_core::process_env::ProcessEnv;
use guardhost_report::{DoctorRow, FileState, Health};
use planted::{BAD, FILE, Planted};
use process::ProcessEnd;

/// A row for each hook that is installed.
pub fn canary(ctx: &CommandContext) -> Result<Vec<DoctorRow>> {
    let site = site(ctx)?;
    let planted = Planted::new(ctx.process)?;
    let mut rows = Vec::new();
    for scope in [InstallScope::Repo, InstallScope::User] {
        for target in [InstallTarget::Git].into_iter().chain(HookAgent::ALL.map(InstallTarget::Agent)) {
            // Not every target is in every scope.
            for (path, kind) in files(target, scope, &site).unwrap_or_default() {
                rows.extend(one(&path, kind, scope, &site, &planted, ctx.process)?);
            }
        }
    }
    rows.extend(plugins::rows(&site, &planted, ctx.process)?);
    rows.extend(runners(&site)?);
    if rows.is_empty() {
        rows.push(row("canary", Health::Warn, "no hook is installed".to_owned(), Some("host install git claude")));
    }
    Ok(rows)
}

fn one(
    path: &Path,
    kind: FileKind,
    scope: InstallScope,
    site: &Site,
    planted: &Planted,
    process: &ProcessEnv,
) -> Result<Vec<DoctorRow>> {
    match (state(path, kind, site.plain()), kind) {
        (Ok(FileState::Absent), _) => Ok(Vec::new()),
        (Ok(_), FileKind::GitHook(hook)) => {
            let hooks = path.parent().unwrap_or(path);
            Ok(vec![git(hook, hooks, planted)?])
        }
        (Ok(_), FileKind::Agent(agent)) => {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let not_loaded = not_loaded(agent, scope, site, process);
            let place = match scope {
                InstallScope::Repo => "",
                InstallScope::User => " (user)",
            };
            let hooks = AgentHooks {
                agent,
                text: &text,
                place,
                not_loaded: not_loaded.as_ref().map(|(why, hint)| (why.as_str(), hint.as_str())),
            };
            hooks.rows(planted)
        }
        (
            Ok(_),
            FileKind::Lefthook
            | FileKind::PreCommit
            | FileKind::Exclude(_)
            | FileKind::Ci(_)
            | FileKind::Plugin(..)
            | FileKind::PluginList { .. },
        ) => Ok(Vec::new()),
        // A file that the agent cannot read either.
        (Err(error), _) => {
            let name = format!("canary {}", path.file_name().unwrap_or_default().display());
            Ok(vec![row(&name, Health::Fail, format!("{error:#}"), Some("fix the file, then: host install"))])
        }
    }
}

/// Git itself starts the hook.
fn git(hook: GitHook, hooks: &Path, planted: &Planted) -> Result<DoctorRow> {
    let nowhere = Path::new("/dev/null");
    planted.git(nowhere, &["reset", "-q", "--hard"])?;
    planted.write(BAD)?;
    let ended = match hook {
        GitHook::PreCommit => {
            // Only the hook in question: the other one would deny it, too.
            planted.git(nowhere, &["add", FILE])?;
            planted.git(hooks, &["hook", "run", "pre-commit"])?
        }
        GitHook::ReferenceTransaction => planted.git(hooks, &["commit", "-q", "--no-verify", "-am", "canary"])?,
        GitHook::PrePush => {
            planted.git(nowhere, &["checkout", "-q", "-B", "pushed"])?;
            planted.git(nowhere, &["commit", "-q", "-am", "canary"])?;
            let ended = planted.git(hooks, &["push", "-q", "canary", "pushed"])?;
            // What another branch has is not judged again.
            planted.git(nowhere, &["checkout", "-q", "main"])?;
            planted.git(nowhere, &["branch", "-q", "-D", "pushed"])?;
            ended
        }
    };
    Ok(judged(&format!("canary git {}", hook.as_str()), ended, |code, _| code != 0, "git goes on"))
}

/// A denial counts if it names the planted change: a hook that denies everything says nothing of what it sees.
fn judged(name: &str, ended: ProcessEnd, denies: impl Fn(i32, &str) -> bool, otherwise: &str) -> DoctorRow {
    let again = Some("host install --status, then: host install");
    match ended {
        ProcessEnd::TooLate(limit) => {
            row(name, Health::Fail, format!("no answer within {} s: {otherwise}", limit.as_secs()), again)
        }
        ProcessEnd::By { code: Some(code), said } if denies(code, &said) && said.contains(FILE) => {
            row(name, Health::Pass, "holds: the planted change is denied".to_owned(), None)
        }
        ProcessEnd::By { code: Some(code), said } if denies(code, &said) => {
            let detail = format!("denies, and not because of the planted change: {}", said.trim());
            row(name, Health::Fail, detail, again)
        }
        ProcessEnd::By { code, said } => {
            let how = code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
            let said = if said.trim().is_empty() { String::new() } else { format!(": {}", said.trim()) };
            row(name, Health::Fail, format!("does not hold: it ended with {how}, and {otherwise}{said}"), again)
        }
    }
}

/// Programs that run hooks by settings of their own: whether git starts them.
fn runners(site: &Site) -> Result<Vec<DoctorRow>> {
    let mut rows = Vec::new();
    for (target, programs, name) in [
        (InstallTarget::Lefthook, &["lefthook"][..], "lefthook"),
        (InstallTarget::PreCommit, &["pre-commit", "prek"], "pre-commit"),
    ] {
        for (path, kind) in files(target, InstallScope::Repo, site).unwrap_or_default() {
            match state(&path, kind, site.plain()) {
                Ok(FileState::Absent) | Err(_) => continue,
                Ok(_) => {}
            }
            let hook = site.hooks.as_ref().map(|hooks| hooks.join(GitHook::PreCommit.as_str()));
            let script = hook.and_then(|hook| std::fs::read_to_string(hook).ok()).unwrap_or_default();
            let starts = |program: &&str| {
                script.contains(&format!("{program} "))
                    || script.contains(&format!("by {program}"))
                    || script.contains(&format!("call_{program}"))
            };
            let name = format!("canary {name}");
            rows.push(match programs.iter().any(starts) {
                true => row(&name, Health::Warn, format!("{} names the host; not tried", path.display()), None),
                false => {
                    let detail = format!("{} names the host, and git does not start {}", path.display(), programs[0]);
                    row(&name, Health::Fail, detail, Some(&format!("{} install", programs[0])))
                }
            });
        }
    }
    Ok(rows)
}

fn row(name: &str, ok: Health, detail: String, hint: Option<&str>) -> DoctorRow {
    DoctorRow { name: name.to_owned(), ok, detail, hint: hint.map(str::to_owned) }
}
