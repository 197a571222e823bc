//! The guard that a command works on: a component, or a folder that builds one.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::GuardArg;
use crate::context::CommandContext;
use guardhost_authoring::{BuildEnv, Recipe, SourceStamps, build};
use guardhost_core::component::Component;
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::{EngineContext, GuardFailure, HostServices, SingleGuard};

pub struct AuthorTarget {
    pub guard: SingleGuard,
    /// The default folder of cases.
    pub cases: PathBuf,
}

/// Loads the component, and builds it first if it is missing or older than its sources. Callers pass an online `net` only for a
/// run on a real repository: cases and certificates must give the same result everywhere.
pub fn target(of: &GuardArg, ctx: &CommandContext, net: LinkChecker) -> Result<AuthorTarget> {
    let path = ctx.path(&of.guard);
    let (file, home) = if path.is_dir() {
        let recipe = Recipe::read(&path)?;
        let file = path.join(&recipe.build.output);
        let sources = SourceStamps::of(&path, Some(&recipe)).with_context(|| unreadable(&path))?;
        if !sources.are_older_than(&file) {
            build(&path, &recipe, false, &build_env(ctx))?;
        }
        (file, path)
    } else {
        let home = path.parent().map(Path::to_path_buf).unwrap_or_default();
        (path, home)
    };
    Ok(AuthorTarget { guard: load(&file, ctx, net)?, cases: home.join("cases") })
}

pub fn load(file: &Path, ctx: &CommandContext, net: LinkChecker) -> Result<SingleGuard> {
    let component = std::fs::read(file).with_context(|| {
        Fault::new(FaultKind::GuardLoad, format!("cannot read the guard {}", file.display()))
            .hint("name a component, or a guard's folder")
    })?;
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    single_guard(component.into(), &name, ctx, net)
}

pub fn single_guard(component: Component, name: &str, ctx: &CommandContext, net: LinkChecker) -> Result<SingleGuard> {
    let machine = EngineContext { services: HostServices::only(net), ..ctx.policies().machine() };
    SingleGuard::new(component, name, &machine).map_err(|failure| broken(name, failure))
}

fn broken(name: &str, failure: GuardFailure) -> Error {
    failure.into_fault(name).into()
}

pub fn build_env<'a>(ctx: &'a CommandContext) -> BuildEnv<'a> {
    BuildEnv { exe: &ctx.process.exe, vars: &ctx.process.env }
}

/// The settings in the file; null without one.
pub fn settings(file: Option<&PathBuf>, ctx: &CommandContext) -> Result<Value> {
    let Some(file) = file else { return Ok(Value::Null) };
    let file = ctx.path(file);
    let text = std::fs::read_to_string(&file).with_context(|| unreadable(&file))?;
    serde_json::from_str(&text).with_context(|| Fault::new(FaultKind::Usage, format!("{} is not JSON", file.display())))
}

pub fn unreadable(path: &Path) -> Fault {
    Fault::new(FaultKind::Usage, format!("cannot read {}", path.display()))
}
