//! The plan stage: a guard that drops steps before anything is asked of a provider.

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

    /// The steps to drop; none means that the plan may go ahead as it is.
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
}

/// A step to drop.
#[derive(Debug, Clone, PartialEq)]
pub struct Objection {
    /// The step's id.
    pub step: String,
    /// For people, and not empty.
    pub reason: String,
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
    Ok(objections.iter().map(|objection| import::Objection::new(&objection.step, &objection.reason)).collect())
}

/// A test calls the planner itself.
#[cfg(feature = "testing")]
#[doc(hidden)]
pub fn check_plan<P: Planner>(_settings: &str) -> Result<Vec<import::Objection>, String> {
    Err(crate::NO_HOST.into())
}

impl From<import::Step> for Step {
    fn from(step: import::Step) -> Self {
        Step { id: step.id(), title: step.title(), description: step.description(), hints: step.hints() }
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
