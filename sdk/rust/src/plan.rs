//! The plan stage: a guard that drops or changes steps before anything is asked of a provider.

use serde::de::DeserializeOwned;

use crate::bindings::guardhost::guard::report::Description;
use crate::planner_bindings::guardhost::plan::plan as import;
pub use crate::{Denied, Outcome, RunResult};

use crate::About;

/// A guard of the plan stage.
pub trait Planner {
    /// As in [`crate::Guard`].
    type Settings: DeserializeOwned;

    /// As in [`crate::Guard`].
    const ABOUT: About;

    /// The steps to drop or to change; none means that the plan may go ahead as it is.
    fn check_plan(steps: &[Step], past: &dyn History, settings: Self::Settings) -> Result<Vec<Objection>, String>;
}

/// A step of the plan.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Step {
    pub id: String,
    pub title: String,
    pub description: String,
    /// Paths that the step means to touch.
    pub hints: Vec<String>,
    /// What it means to do to them.
    pub action: StepAction,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum StepAction {
    Create,
    #[default]
    Modify,
    Delete,
    /// The step looks whether something holds, and changes it only if it does not.
    Verify,
    /// What a later host says.
    Other(String),
}

/// A step to drop, or to point to other paths.
#[derive(Debug, Clone, PartialEq)]
pub struct Objection {
    /// The step's id.
    pub step: String,
    /// For people, and not empty.
    pub reason: String,
    /// The step's hints from now on, at least one. None: it is dropped.
    pub hints: Option<Vec<String>>,
}

impl Objection {
    /// The step is dropped.
    pub fn drop(step: &Step, reason: impl Into<String>) -> Self {
        Objection { step: step.id.clone(), reason: reason.into(), hints: None }
    }

    /// The step stays, with these hints.
    pub fn change(step: &Step, hints: Vec<String>, reason: impl Into<String>) -> Self {
        Objection { step: step.id.clone(), reason: reason.into(), hints: Some(hints) }
    }
}

/// What earlier runs in this repository came to.
pub trait History {
    /// Newest first; at most `limit`, at most `window_hours` old.
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<Outcome>, Denied>;
}

/// The host's history.
#[cfg(not(feature = "testing"))]
struct Imported;

#[cfg(not(feature = "testing"))]
impl History for Imported {
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<Outcome>, Denied> {
        crate::Source.outcomes(window_hours, limit)
    }
}

/// What `planner!` calls. Not for authors.
#[doc(hidden)]
pub fn describe<P: Planner>() -> Description {
    P::ABOUT.into()
}

/// What `planner!` calls. Not for authors.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
pub fn check_plan<P: Planner>(settings: &str) -> Result<Vec<import::Objection>, String> {
    crate::log::panics();
    let steps: Vec<Step> = import::steps().into_iter().map(Step::from).collect();
    let objections = P::check_plan(&steps, &Imported, crate::entry::settings_of(settings)?)?;
    Ok(objections.iter().map(import::Objection::from).collect())
}

/// A test calls the planner itself.
#[cfg(feature = "testing")]
#[doc(hidden)]
pub fn check_plan<P: Planner>(_settings: &str) -> Result<Vec<import::Objection>, String> {
    Err(crate::NO_HOST.into())
}

impl From<import::Step> for Step {
    fn from(step: import::Step) -> Self {
        let action = match step.action().as_str() {
            "create" => StepAction::Create,
            "modify" => StepAction::Modify,
            "delete" => StepAction::Delete,
            "verify" => StepAction::Verify,
            later => StepAction::Other(later.to_owned()),
        };
        Step { id: step.id(), title: step.title(), description: step.description(), hints: step.hints(), action }
    }
}

impl From<&Objection> for import::Objection {
    fn from(plain: &Objection) -> Self {
        let objection = import::Objection::new(&plain.step, &plain.reason);
        if let Some(hints) = &plain.hints {
            objection.set_hints(hints);
        }
        objection
    }
}

/// Makes a type that implements [`Planner`] the planner of this crate, which must be a `cdylib`. Once a crate.
#[macro_export]
macro_rules! planner {
    ($planner:ty) => {
        const _: () = {
            use $crate::planner_bindings::exports::guardhost::guard::metadata;
            use $crate::planner_bindings::exports::guardhost::plan::review;

            struct Component;

            impl metadata::Guest for Component {
                fn describe() -> metadata::Description {
                    $crate::plan::describe::<$planner>()
                }
            }

            impl review::Guest for Component {
                fn check_plan(
                    settings: ::std::string::String,
                ) -> ::std::result::Result<::std::vec::Vec<review::Objection>, ::std::string::String> {
                    $crate::plan::check_plan::<$planner>(&settings)
                }
            }

            #[cfg(target_arch = "wasm32")]
    $crate::planner_bindings::export_planner!(Component with_types_in $crate::planner_bindings);
        };
    };
}
