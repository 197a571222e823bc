//! This program, git, the cache, the settings.

use std::process::Command;

use guardhost_core::cache::{BoundedFolder, MOST};
use guardhost_engine::check_code_cache;
use guardhost_provider::{Environment, ProviderSettings, sweep_scratch};
use guardhost_report::{DoctorRow, Health};

use super::{failed_row, row};
use crate::context::CommandContext;

/// The version of this program, whether another one has its name, and git.
pub(super) fn program(ctx: &CommandContext, environment: &Environment) -> Vec<DoctorRow> {
    let exe = &ctx.process.exe;
    let own = format!("{} on {}, {}", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH, exe.display());
    let mut rows = vec![row("host", Health::Pass, own)];
    rows.push(name(ctx, environment));
    if !guardhost_process::kernel::ENDS_EVERY_PROCESS {
        let what = "an agent's processes end with it only as far as they stay in its process group";
        rows.push(DoctorRow {
            hint: Some("Linux finds the others, too".to_owned()),
            ..row("processes", Health::Warn, what.to_owned())
        });
    }
    let git = Command::new("git").arg("--version").env_clear().envs(ctx.process.env.iter().cloned()).output();
    rows.push(match git {
        Ok(said) if said.status.success() => {
            row("git", Health::Pass, String::from_utf8_lossy(&said.stdout).trim().to_owned())
        }
        Ok(_) | Err(_) => DoctorRow {
            hint: Some("hooks, `host init --commit` and `host doctor --canary` start it".to_owned()),
            ..row("git", Health::Warn, "it is not on the PATH, or does not start".to_owned())
        },
    });
    rows
}

/// Which program a shell starts for `host`: it may be another one, such as BIND's tool for DNS.
fn name(ctx: &CommandContext, environment: &Environment) -> DoctorRow {
    match environment.find("host") {
        Some(found) if found.canonicalize().ok() == ctx.process.exe.canonicalize().ok() => {
            row("name", Health::Pass, "`host` on the PATH is this program".to_owned())
        }
        Some(found) => DoctorRow {
            hint: Some("start this one as `guardhost`; hooks name it by its path".to_owned()),
            ..row("name", Health::Warn, format!("`host` on the PATH is another program: {}", found.display()))
        },
        None => row("name", Health::Pass, "no program on the PATH is called `host`".to_owned()),
    }
}

/// Programs that build and test, of the languages that the host knows.
const BUILD_TOOLS: [&str; 5] = ["cargo", "go", "node", "npm", "python3"];

/// Which of them are there, for guards and metrics that build or test.
pub(super) fn build_tools(environment: &Environment) -> DoctorRow {
    let (found, missing): (Vec<_>, Vec<_>) = BUILD_TOOLS.iter().partition(|tool| environment.find(tool).is_some());
    let named = |tools: Vec<&str>| tools.join(", ");
    if missing.is_empty() {
        return row("build tools", Health::Pass, named(found));
    }
    let found = if found.is_empty() { "none".to_owned() } else { named(found) };
    DoctorRow {
        hint: Some("only needed where guards or `host audit` build or test that language".to_owned()),
        ..row("build tools", Health::Warn, format!("{found}; not on PATH: {}", named(missing)))
    }
}

/// The user's own providers, chains and answers to errors.
pub(super) fn settings(ctx: &CommandContext) -> DoctorRow {
    let Some(file) = &ctx.process.settings else {
        return row("settings", Health::Warn, "there is no HOME in which to look for them".to_owned());
    };
    match (file.exists(), ProviderSettings::read(file)) {
        (_, Err(error)) => failed_row("settings", &error),
        (true, Ok(_)) => row("settings", Health::Pass, file.display().to_string()),
        (false, Ok(_)) => row("settings", Health::Pass, format!("none; they would be in {}", file.display())),
    }
}

/// The languages whose texts this build reads.
pub(super) fn languages(ctx: &CommandContext) -> DoctorRow {
    let read = ctx.embedded.languages().join(", ");
    let missing: Vec<String> = ctx.embedded.missing_readers.iter().map(ToString::to_string).collect();
    if missing.is_empty() {
        return row("languages", Health::Pass, read);
    }
    DoctorRow {
        hint: Some("code in other languages is judged as text; a released build reads them".to_owned()),
        ..row("languages", Health::Warn, format!("{read}; {}", missing.join(", ")))
    }
}

/// What killed hosts left in the folder for temporary files is removed. None when there is nothing.
pub(super) fn scratch(ctx: &CommandContext) -> Option<DoctorRow> {
    match sweep_scratch(&ctx.process.temp) {
        0 => None,
        1 => Some(row("scratch", Health::Pass, "the folder of a killed host is removed".to_owned())),
        many => Some(row("scratch", Health::Pass, format!("the folders of {many} killed hosts are removed"))),
    }
}

/// One row for the cache; one for each of its folders that cannot be used.
pub(super) fn cache(ctx: &CommandContext) -> Vec<DoctorRow> {
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
            BoundedFolder::open(&dir.join("components"), MOST).map(drop),
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
