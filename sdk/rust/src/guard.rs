//! What an author implements.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{About, Change, Verdict};

/// A guard: what it says of itself, and how it judges a change.
pub trait Guard {
    /// The pin's `settings` table. Give it `#[serde(deny_unknown_fields, default)]`; [`NoSettings`] when there are none.
    type Settings: DeserializeOwned;

    /// What the guard says of itself.
    const ABOUT: About;

    /// Judges the change. `Err` means that the guard itself failed and says how; it rejects the change, so say
    /// [`Verdict::NotApplicable`] when nothing concerns this guard.
    fn check(change: &Change, settings: Self::Settings) -> Result<Verdict, String>;
}

/// The settings of a guard that has none: `{}` and nothing else.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoSettings {}

impl NoSettings {
    /// The schema that goes with it.
    pub const SCHEMA: &'static str = r#"{"type":"object","additionalProperties":false}"#;
}

/// What `guard!` and the test harness call. Not for authors.
pub mod entry {
    use super::*;
    use crate::bindings::exports::guardhost::guard::judge;
    use crate::bindings::guardhost::guard::report;

    pub fn describe<G: Guard>() -> report::Description {
        G::ABOUT.into()
    }

    #[cfg(not(feature = "testing"))]
    pub fn check<G: Guard>(settings: &str) -> Result<judge::Verdict, String> {
        crate::log::panics();
        judge::<G>(&Change::new(crate::Source), settings).map(Into::into)
    }

    /// A test hands the change over itself: see `testing::check`.
    #[cfg(feature = "testing")]
    pub fn check<G: Guard>(_settings: &str) -> Result<judge::Verdict, String> {
        Err(crate::NO_HOST.into())
    }

    pub(crate) fn judge<G: Guard>(change: &Change, settings: &str) -> Result<Verdict, String> {
        let settings = settings_of::<G::Settings>(settings)?;
        G::check(change, settings)
    }

    pub(crate) fn settings_of<S: DeserializeOwned>(settings: &str) -> Result<S, String> {
        serde_json::from_str(settings).map_err(|error| format!("settings: {error}"))
    }
}
