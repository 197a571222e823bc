//! A bundle from a file.

use guardhost_core::error::{Error, Fault, FaultKind, Result};
use serde_json::Value;

use super::{Bundle, VERSION};

impl Bundle {
    /// Reads what [`Bundle::to_json`] wrote.
    ///
    /// # Errors
    /// [`FaultKind::Usage`] when it is no bundle, or one of a later version. `name` is for the message.
    pub fn from_json(name: &str, bytes: &[u8]) -> Result<Self> {
        let no_bundle = |error: serde_json::Error| {
            let fault = Fault::new(FaultKind::Usage, format!("{name} is no bundle of runs"))
                .hint("`host report RUN --format bundle --output FILE` writes one");
            Error::new(error).context(fault)
        };
        let value: Value = serde_json::from_slice(bytes).map_err(no_bundle)?;
        let version = value.get("bundle_version").and_then(Value::as_u64);
        if version.is_some_and(|version| version > u64::from(VERSION)) {
            let found = version.unwrap_or_default();
            return Err(Fault::new(
                FaultKind::Usage,
                format!("{name} is a bundle of version {found}; this program reads up to {VERSION}"),
            )
            .hint("use a newer guardhost")
            .into());
        }
        serde_json::from_value(value).map_err(no_bundle)
    }

    /// One line with a line feed. Control characters are escaped.
    ///
    /// # Errors
    /// When an object of the journal has no form in JSON; none has.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        Ok(guardhost_report::escape::json(&serde_json::to_value(self)?))
    }
}
