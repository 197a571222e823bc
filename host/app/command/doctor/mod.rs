//! `host doctor`: what this machine has, and what is missing.

mod machine;

use guardhost_core::error::{Error, Result, fault};
use guardhost_engine::GuardFailure;
use guardhost_git::{Repo, recover};
use guardhost_provider::{Cancel, Environment, OfferedTools, ProviderRuntime, offered_tools, probed_agents};
use guardhost_report::{DoctorReport, DoctorRow, Health, Report};

use super::provider::runtime;
use crate::context::CommandContext;
use guardhost_policy::{ConfiguredTools, toolchain};
use guardhost_toolchain::SandboxHere;

/// Agents that `--provider` knows by name.
const PRESETS: [&str; 3] = ["claude", "codex", "gemini"];

/// With `probe` it starts the agents, to see which tools they offer their models; with `canary` the hooks that are installed, to see
/// whether they deny a bad change.
pub fn doctor(probe: bool, canary: bool, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let environment = Environment::new(ctx.process.env.iter().cloned());
    let mut rows = machine::program(ctx, &environment);
    rows.extend(repository(ctx));
    rows.extend(machine::cache(ctx));
    rows.extend(machine::scratch(ctx));
    rows.push(machine::settings(ctx));
    rows.push(machine::languages(ctx));
    for preset in PRESETS {
        rows.push(match environment.find(preset) {
            Some(path) => row(preset, Health::Pass, path.display().to_string()),
            None => DoctorRow {
                hint: Some(format!("only needed for `--provider {preset}`")),
                ..row(preset, Health::Warn, "not on PATH".to_owned())
            },
        });
    }
    rows.push(machine::build_tools(&environment));
    if probe {
        let runtime = runtime(ctx, cancel);
        let installed = probed_agents().filter(|agent| environment.find(agent).is_some());
        rows.extend(installed.map(|agent| tools(agent, &runtime)));
    }
    if canary {
        rows.extend(crate::canary::canary(ctx).unwrap_or_else(|error| vec![failed_row("canary", &error)]));
    }
    Ok(Report::Doctor(DoctorReport { checks: rows }))
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
    rows.push(match toolchain(ctx.process, &repo, ConfiguredTools::default()).sandbox_here() {
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
            let about = policy.guards.ids().into_iter().filter_map(|id| Some((policy.guards.about(&id)?, id)));
            let (loaded, failed): (Vec<_>, Vec<_>) = about.partition(|(about, _)| about.is_ok());
            rows.push(match loaded.len() + failed.len() {
                0 => DoctorRow {
                    hint: Some("take `guards = []` out of guards.toml, and the default set judges".to_owned()),
                    ..row("guards", Health::Fail, "none: every change is accepted unjudged".to_owned())
                },
                all => {
                    let health = if failed.is_empty() { Health::Pass } else { Health::Fail };
                    row("guards", health, format!("{} of {all} load", loaded.len()))
                }
            });
            let failure = |(about, id): (std::result::Result<_, GuardFailure>, String)| {
                Some(row(&id, Health::Fail, about.err()?.to_string()))
            };
            rows.extend(failed.into_iter().filter_map(failure));
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

fn row(name: &str, ok: Health, detail: String) -> DoctorRow {
    DoctorRow { name: name.to_owned(), ok, detail, hint: None }
}

fn failed_row(name: &str, error: &Error) -> DoctorRow {
    DoctorRow {
        hint: fault(error).and_then(|fault| fault.hint.clone()),
        ..row(name, Health::Fail, format!("{error:#}"))
    }
}
