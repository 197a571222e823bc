//! `host doctor`: what this machine has, and what is missing.

use guardhost_core::cache::{Folder, MOST};
use guardhost_core::error::{Error, Result, fault};
use guardhost_engine::check_code_cache;
use guardhost_git::{Repo, recover};
use guardhost_provider::{
    Cancel, Environment, OfferedTools, ProviderRuntime, offered_tools, probed_agents, sweep_scratch,
};
use guardhost_report::{DoctorRow, Health, Report};

use super::CommandContext;
use super::provider::runtime;
use guardhost_policy::toolchain;
use guardhost_toolchain::SandboxHere;

/// Agents that `--provider` knows by name.
const PRESETS: [&str; 3] = ["claude", "codex", "gemini"];

/// With `probe` it starts the agents, to see which tools they offer their models; with `canary` the hooks that are installed, to see
/// whether they deny a bad change.
pub fn doctor(probe: bool, canary: bool, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let environment = Environment::new(ctx.process.env.iter().cloned());
    let mut rows =
        vec![row("host", Health::Pass, format!("{} on {}", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH))];
    rows.extend(repository(ctx));
    rows.extend(cache(ctx));
    rows.extend(scratch(ctx));
    for preset in PRESETS {
        rows.push(match environment.find(preset) {
            Some(path) => row(preset, Health::Pass, path.display().to_string()),
            None => DoctorRow {
                hint: Some(format!("only needed for `--provider {preset}`")),
                ..row(preset, Health::Warn, "not on PATH".to_owned())
            },
        });
    }
    if probe {
        let runtime = runtime(ctx, cancel);
        let installed = probed_agents().filter(|agent| environment.find(agent).is_some());
        rows.extend(installed.map(|agent| tools(agent, &runtime)));
    }
    if canary {
        rows.extend(crate::canary::canary(ctx).unwrap_or_else(|error| vec![failed_row("canary", &error)]));
    }
    Ok(Report::Doctor(rows))
}

/// Which tools an agent offers its model, although it is told to offer none.
fn tools(agent: &str, runtime: &ProviderRuntime) -> DoctorRow {
    let name = format!("{agent} tools");
    match offered_tools(agent, None, runtime) {
        Ok(OfferedTools { inert, unexpected }) if unexpected.is_empty() => {
            let detail = match inert.is_empty() {
                true => "none".to_owned(),
                false => format!("none that has an effect ({})", inert.join(", ")),
            };
            row(&name, Health::Pass, detail)
        }
        Ok(OfferedTools { unexpected, .. }) => DoctorRow {
            hint: Some(format!(
                "this version of {agent} is not known to the host; an answer for which it uses them is refused"
            )),
            ..row(&name, Health::Fail, format!("unexpected: {}", unexpected.join(", ")))
        },
        Err(error) => DoctorRow { ok: Health::Warn, ..failed_row(&name, &error) },
    }
}

/// What killed hosts left in the folder for temporary files is removed. None when there is nothing.
fn scratch(ctx: &CommandContext) -> Option<DoctorRow> {
    match sweep_scratch(&ctx.process.temp) {
        0 => None,
        1 => Some(row("scratch", Health::Pass, "the folder of a killed host is removed".to_owned())),
        many => Some(row("scratch", Health::Pass, format!("the folders of {many} killed hosts are removed"))),
    }
}

/// The repository, its rules, and whether each guard loads.
fn repository(ctx: &CommandContext) -> Vec<DoctorRow> {
    let repo = match ctx.repo() {
        Ok(repo) => repo,
        // The command also works outside of repositories.
        Err(error) => return vec![DoctorRow { ok: Health::Warn, ..failed_row("repository", &error) }],
    };
    let mut rows = Vec::new();
    let head = match repo.head() {
        Ok(head) => head,
        Err(error) => return vec![failed_row("repository", &error)],
    };
    let state = match (repo.is_bare(), head.commit) {
        (_, None) => "no commit yet".to_owned(),
        (true, Some(oid)) => format!("bare, at {oid:.12}", oid = oid.to_string()),
        (false, Some(oid)) => format!("at {oid:.12}", oid = oid.to_string()),
    };
    rows.push(row("repository", Health::Pass, format!("{}, {state}", repo.git_dir().display())));
    rows.extend(interrupted(ctx, &repo));
    rows.push(match toolchain(ctx.process, &repo).sandbox_here() {
        Ok(SandboxHere { name, weakness: None }) => row("sandbox", Health::Pass, name.to_owned()),
        Ok(SandboxHere { name, weakness: Some(weakness) }) => DoctorRow {
            hint: Some("install bubblewrap, and allow user namespaces".to_owned()),
            ..row("sandbox", Health::Warn, format!("{name}, which is weaker: {weakness}"))
        },
        Err(why) => DoctorRow {
            hint: Some("only needed by guards that build or test".to_owned()),
            ..row("sandbox", Health::Warn, why)
        },
    });
    match ctx.policies().resolve(&repo, head.commit, head.tree, &[], &[]) {
        Err(error) => rows.push(failed_row("rules", &error)),
        Ok(policy) => {
            rows.push(row("rules", Health::Pass, policy.config.origin.clone()));
            for id in policy.guards.ids() {
                rows.extend(policy.guards.about(&id).map(|about| match about {
                    Ok(about) => row(&id, Health::Pass, format!("{} {}", about.description.version, about.digest)),
                    Err(failure) => row(&id, Health::Fail, failure.to_string()),
                }));
            }
        }
    }
    rows
}

/// A change that a killed host left in the middle is finished or undone. None when there is none.
fn interrupted(ctx: &CommandContext, repo: &Repo) -> Option<DoctorRow> {
    match recover(repo, ctx) {
        Ok(what) => what.map(|what| row("placing", Health::Pass, what)),
        Err(error) => Some(failed_row("placing", &error)),
    }
}

/// One row for the cache; one for each of its folders that cannot be used.
fn cache(ctx: &CommandContext) -> Vec<DoctorRow> {
    let Some(dir) = &ctx.process.cache else {
        let without = "guards that are not embedded are fetched and compiled at every run".to_owned();
        return vec![DoctorRow {
            hint: Some("set HOME or XDG_CACHE_HOME".into()),
            ..row("cache", Health::Warn, without)
        }];
    };
    let folders = [
        (
            "components",
            Folder::open(&dir.join("components"), MOST).map(drop),
            "fetched guards are fetched again at every run",
        ),
        ("compiled", check_code_cache(&dir.join("compiled")), "guards that are not embedded are compiled at every run"),
        ("modules", check_code_cache(&dir.join("modules")), "modules that guards ask for are read again at every run"),
    ];
    let trouble = folders.into_iter().filter_map(|(name, opened, without)| {
        let error = opened.err()?;
        let detail = format!("{}: {error}; {without}", dir.join(name).display());
        Some(DoctorRow {
            hint: Some("make it a folder of yours alone, with room on its disk".into()),
            ..row("cache", Health::Warn, detail)
        })
    });
    let trouble: Vec<DoctorRow> = trouble.collect();
    if trouble.is_empty() { vec![row("cache", Health::Pass, dir.display().to_string())] } else { trouble }
}

fn row(name: &str, ok: Health, detail: String) -> DoctorRow {
    DoctorRow { name: name.to_owned(), ok, detail, hint: None }
}

fn failed_row(name: &str, error: &Error) -> DoctorRow {
    DoctorRow {
        hint: fault(error).and_then(|fault| fault.hint.clone()),
        ..row(name, Health::Fail, format!("{error:#}"))
    }
}
