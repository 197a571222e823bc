//! What an author implements.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{Change, Description, Need, Stage, Verdict};

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

/// What a guard says of itself; the same at every call. The fields are those of the contract's `description`.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Kebab-case, 1 to 64 bytes; the id under which it is pinned.
    pub id: &'static str,
    /// Semver of the guard itself. `env!("CARGO_PKG_VERSION")` keeps it in one place.
    pub version: &'static str,
    /// The short mark in reports, such as `G13`; empty if none.
    pub mark: &'static str,
    /// One sentence: what a change that passes can be relied on to hold.
    pub promise: &'static str,
    /// At least one.
    pub stages: &'static [Stage],
    /// Gitignore-style globs of the paths that concern it; empty means every path.
    pub globs: &'static [&'static str],
    /// Imports beyond `change` and `log`, each with the reason that whoever grants it will read.
    pub needs: &'static [(&'static str, &'static str)],
    /// JSON Schema (2020-12) of the settings, an object.
    pub settings_schema: &'static str,
    /// Name of the trace event when it rejects.
    pub event: &'static str,
}

impl About {
    /// Every field empty: for `..About::NONE` at the end of a guard's own.
    pub const NONE: About = About {
        id: "",
        version: "",
        mark: "",
        promise: "",
        stages: &[],
        globs: &[],
        needs: &[],
        settings_schema: NoSettings::SCHEMA,
        event: "",
    };
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

    pub fn describe<G: Guard>() -> Description {
        G::ABOUT.into()
    }

    #[cfg(not(feature = "testing"))]
    pub fn check<G: Guard>(settings: &str) -> Result<Verdict, String> {
        crate::log::panics();
        judge::<G>(&Change::new(crate::Source), settings)
    }

    /// A test hands the change over itself: see `testing::check`.
    #[cfg(feature = "testing")]
    pub fn check<G: Guard>(_settings: &str) -> Result<Verdict, String> {
        Err("built with the feature `testing`: there is no host to ask".into())
    }

    pub(crate) fn judge<G: Guard>(change: &Change, settings: &str) -> Result<Verdict, String> {
        let settings = settings_of::<G::Settings>(settings)?;
        G::check(change, settings)
    }

    pub(crate) fn settings_of<S: DeserializeOwned>(settings: &str) -> Result<S, String> {
        serde_json::from_str(settings).map_err(|error| format!("settings: {error}"))
    }
}

impl From<About> for Description {
    fn from(about: About) -> Self {
        let owned = |text: &&str| text.to_string();
        Description {
            id: about.id.into(),
            version: about.version.into(),
            mark: about.mark.into(),
            promise: about.promise.into(),
            stages: about.stages.into(),
            globs: about.globs.iter().map(owned).collect(),
            needs: about.needs.iter().map(|(name, why)| Need { name: owned(name), why: owned(why) }).collect(),
            settings_schema: about.settings_schema.into(),
            event: about.event.into(),
        }
    }
}
