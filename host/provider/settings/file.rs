//! The settings file as the user writes it.

use std::collections::BTreeMap;
use std::num::{NonZeroU64, NonZeroUsize};

use serde::Deserialize;

use crate::OnChange;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SettingsFile {
    #[serde(default)]
    pub(super) command_chain: Vec<ChainStepConfig>,
    #[serde(default)]
    pub(super) command_chain_fast: Vec<ChainStepConfig>,
    #[serde(default)]
    pub(super) command_chain_quality: Vec<ChainStepConfig>,
    #[serde(default)]
    pub(super) providers: BTreeMap<String, ProviderEntry>,
    #[serde(default)]
    pub(super) hooks: HookSettings,
    #[serde(default)]
    pub(super) records: RecordSettings,
}

/// How many runs of a repository are recorded, and for how long.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RecordSettings {
    pub(super) keep_runs: NonZeroUsize,
    pub(super) keep_days: NonZeroU64,
}

impl Default for RecordSettings {
    fn default() -> Self {
        RecordSettings {
            keep_runs: NonZeroUsize::MIN.saturating_add(49),
            keep_days: NonZeroU64::MIN.saturating_add(29),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HookSettings {
    #[serde(default)]
    pub(super) on_error: OnHookError,
}

/// What a hook answers when the host itself fails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnHookError {
    #[default]
    Deny,
    Allow,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a provider, or a table with `provider` and perhaps `model`, `args`, `env`, `timeout`"
)]
pub(super) enum ChainStepConfig {
    /// As on the command line.
    Name(String),
    Table(StepOverrides),
}

/// A provider, and what differs from its settings in this step.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepOverrides {
    pub(super) provider: String,
    pub(super) model: Option<String>,
    #[serde(default)]
    pub(super) args: Vec<String>,
    #[serde(default)]
    pub(super) env: Vec<String>,
    /// Seconds for one answer.
    pub(super) timeout: Option<NonZeroU64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProviderEntry {
    /// Needed when the entry is not named as a preset and has neither `command` nor `base_url`.
    pub(super) preset: Option<String>,
    /// A program and its arguments, split as a shell would. A relative path starts at the folder of the settings.
    pub(super) command: Option<String>,
    /// The address of a server without the path that its API adds: `http://localhost:1234/v1`.
    pub(super) base_url: Option<String>,
    pub(super) api: Option<Api>,
    /// The variable that holds a server's key.
    pub(super) key_env: Option<String>,
    pub(super) stream: Option<bool>,
    /// Put into a server's request as it is.
    #[serde(default)]
    pub(super) body: serde_json::Map<String, serde_json::Value>,
    pub(super) model: Option<String>,
    /// More arguments of an agent.
    #[serde(default)]
    pub(super) args: Vec<String>,
    /// More variables that an agent may see.
    #[serde(default)]
    pub(super) env: Vec<String>,
    /// The same, for variables whose values are redacted.
    #[serde(default)]
    pub(super) secret_env: Vec<String>,
    /// Seconds for one answer.
    pub(super) timeout: Option<NonZeroU64>,
    /// The longest silence, in seconds.
    pub(super) idle_timeout: Option<NonZeroU64>,
    /// A longer prompt is not sent: some servers truncate it silently.
    pub(super) max_prompt_tokens: Option<NonZeroUsize>,
    /// What it means that the repository changed during an answer.
    pub(super) on_change: Option<OnChange>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Api {
    Openai,
    Anthropic,
}
