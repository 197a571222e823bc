//! The guard that a command is about: a component, or a folder that makes one.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::GuardArg;
use crate::command::CommandContext;
use guardhost_authoring::{Recipe, Sources, Workplace, build};
use guardhost_core::component::Component;
use guardhost_core::error::{Context, Error, Fault, Kind, Result};
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::{EngineContext, Failure, HostServices, SingleGuard};

pub struct Subject {
    pub guard: SingleGuard,
    /// Where its cases are, if nobody says otherwise.
    pub cases: PathBuf,
}

/// Builds a folder's component if it is not there, or older than its sources, and loads it. Whatever `net` it is granted, cases
/// and certificates must come out alike everywhere, so that only a run on a real repository is online.
pub fn subject(of: &GuardArg, ctx: &CommandContext, net: LinkChecker) -> Result<Subject> {
    let path = ctx.path(&of.guard);
    let (file, home) = if path.is_dir() {
        let recipe = Recipe::read(&path)?;
        let file = path.join(&recipe.build.output);
        let sources = Sources::of(&path, Some(&recipe)).with_context(|| unreadable(&path))?;
        if !sources.made(&file) {
            build(&path, &recipe, false, &workplace(ctx))?;
        }
        (file, path)
    } else {
        let home = path.parent().map(Path::to_path_buf).unwrap_or_default();
        (path, home)
    };
    Ok(Subject { guard: load(&file, ctx, net)?, cases: home.join("cases") })
}

pub fn load(file: &Path, ctx: &CommandContext, net: LinkChecker) -> Result<SingleGuard> {
    let component = std::fs::read(file).with_context(|| {
        Fault::new(Kind::GuardLoad, format!("cannot read the guard {}", file.display()))
            .hint("name a component, or a guard's folder")
    })?;
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    trial(component.into(), &name, ctx, net)
}

pub fn trial(component: Component, name: &str, ctx: &CommandContext, net: LinkChecker) -> Result<SingleGuard> {
    let machine = EngineContext { services: HostServices::only(net), ..ctx.policies().machine() };
    SingleGuard::new(component, name, &machine).map_err(|failure| broken(name, failure))
}

fn broken(name: &str, Failure { code, message }: Failure) -> Error {
    Fault::new(Kind::GuardLoad, format!("{name}: {message}")).code(code).into()
}

pub fn workplace<'a>(ctx: &'a CommandContext) -> Workplace<'a> {
    Workplace { exe: &ctx.process.exe, env: &ctx.process.env }
}

/// Null without a file.
pub fn settings(file: Option<&PathBuf>, ctx: &CommandContext) -> Result<Value> {
    let Some(file) = file else { return Ok(Value::Null) };
    let file = ctx.path(file);
    let text = std::fs::read_to_string(&file).with_context(|| unreadable(&file))?;
    serde_json::from_str(&text).with_context(|| Fault::new(Kind::Usage, format!("{} is no JSON", file.display())))
}

pub fn unreadable(path: &Path) -> Fault {
    Fault::new(Kind::Usage, format!("cannot read {}", path.display()))
}
