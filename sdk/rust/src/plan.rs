//! The plan stage: a guard that drops steps before anything is asked of a provider.

pub use crate::bindings::guardhost::guard::history::{Outcome, ResultKind};
pub use crate::bindings::guardhost::guard::refusal::Denied;
pub use crate::planner_bindings::guardhost::guard::plans::{Objection, Step};

use serde::de::DeserializeOwned;

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

/// What earlier runs in this repository came to.
pub trait History {
    /// Newest first; at most `limit`, at most `window_hours` old.
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<Outcome>, Denied>;
}

/// The host's history.
struct Imported;

impl History for Imported {
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<Outcome>, Denied> {
        crate::bindings::guardhost::guard::history::outcomes(window_hours, limit)
    }
}

/// What `planner!` calls. Not for authors.
#[doc(hidden)]
pub fn check_plan<P: Planner>(settings: &str, steps: &[Step]) -> Result<Vec<Objection>, String> {
    #[cfg(not(feature = "testing"))]
    crate::log::panics();
    P::check_plan(steps, &Imported, crate::entry::settings_of(settings)?)
}

/// Makes a type that implements [`Planner`] the planner of this crate, which must be a `cdylib`. Once a crate.
#[macro_export]
macro_rules! planner {
    ($planner:ty) => {
        const _: () = {
            struct Component;

            impl $crate::planner_bindings::Guest for Component {
                fn describe() -> $crate::Description {
                    <$planner as $crate::plan::Planner>::ABOUT.into()
                }

                fn check_plan(
                    settings: ::std::string::String,
                    steps: ::std::vec::Vec<$crate::plan::Step>,
                ) -> ::std::result::Result<::std::vec::Vec<$crate::plan::Objection>, ::std::string::String> {
                    $crate::plan::check_plan::<$planner>(&settings, &steps)
                }
            }

            #[cfg(target_arch = "wasm32")]
    $crate::planner_bindings::export_planner!(Component with_types_in $crate::planner_bindings);
        };
    };
}
