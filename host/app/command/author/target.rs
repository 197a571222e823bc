//! The guard that a command works on: a component, or a folder that builds one.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::GuardArg;
use crate::context::CommandContext;
use guardhost_authoring::{BuildEnv, Recipe, SourceStamps, build};
use guardhost_core::component::Component;
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::{ComponentKind, EngineContext, GuardFailure, HostServices, SingleGuard, SingleLanguage};

pub struct AuthorTarget {
    pub component: AuthorComponent,
    /// The default folder of cases.
    pub cases: PathBuf,
}

pub enum AuthorComponent {
    Guard(Box<SingleGuard>),
    /// With what it is called: the first language that it reads.
    Language(Box<SingleLanguage>, String),
}

impl AuthorComponent {
    /// For a command that has no meaning for a language.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: it is a language.
    pub fn into_guard(self) -> Result<SingleGuard> {
        match self {
            AuthorComponent::Guard(guard) => Ok(*guard),
            AuthorComponent::Language(_, id) => {
                let what = format!("`{id}` is a language, which judges no change by itself");
                Err(Fault::new(FaultKind::Usage, what).hint("host guard test and host guard certify read texts").into())
            }
        }
    }
}

/// Loads the component, and builds it first if it is missing or older than its sources. Callers pass an online `net` only for a
/// run on a real repository: cases and certificates must give the same result everywhere.
pub fn target(of: &GuardArg, ctx: &CommandContext, net: LinkChecker) -> Result<AuthorTarget> {
    let path = ctx.path(&of.guard);
    let (file, home) = if path.is_dir() {
        let recipe = Recipe::read(&path)?;
        let file = path.join(&recipe.build.output);
        let sources = SourceStamps::new(&path, Some(&recipe)).with_context(|| unreadable(&path))?;
        if !sources.are_older_than(&file) {
            build(&path, &recipe, false, &build_env(ctx))?;
        }
        (file, path)
    } else {
        let home = path.parent().map(Path::to_path_buf).unwrap_or_default();
        (path, home)
    };
    Ok(AuthorTarget { component: load(&file, ctx, net)?, cases: home.join("cases") })
}

pub fn load(file: &Path, ctx: &CommandContext, net: LinkChecker) -> Result<AuthorComponent> {
    let component = std::fs::read(file).with_context(|| {
        Fault::new(FaultKind::GuardLoad, format!("cannot read the guard {}", file.display()))
            .hint("name a component, or a guard's folder")
    })?;
    let component = Component::from(component);
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    match ComponentKind::from_component(component.bytes()).map_err(|failure| broken(&name, failure))? {
        ComponentKind::Guard => Ok(AuthorComponent::Guard(Box::new(single_guard(component, &name, ctx, net)?))),
        ComponentKind::Language => {
            let language = SingleLanguage::new(component, &ctx.policies().machine());
            let language = language.map_err(|failure| broken(&name, failure))?;
            let id = language.inspection().claims.first().map_or_else(String::new, |claim| claim.language.to_string());
            Ok(AuthorComponent::Language(Box::new(language), id))
        }
    }
}

pub fn load_guard(file: &Path, ctx: &CommandContext, net: LinkChecker) -> Result<SingleGuard> {
    load(file, ctx, net)?.into_guard()
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
