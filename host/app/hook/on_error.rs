//! What becomes of a question that the host fails to judge. The user's own settings decide, which no change of a repository can edit.

use std::path::Path;

use guardhost_provider::{OnHookError, ProviderSettings};

/// Read only after an error. Settings that cannot be read allow nothing.
pub(super) fn on_error(settings: Option<&Path>) -> OnHookError {
    settings
        .and_then(|file| ProviderSettings::read(file).ok())
        .map_or(OnHookError::Deny, |settings| settings.on_hook_error())
}

/// For standard error, so that what was not judged is seen.
pub(super) fn let_pass(why: &str) -> String {
    format!("{why}\nIt passes unjudged: your settings say `on_error = \"allow\"` under [hooks]")
}
