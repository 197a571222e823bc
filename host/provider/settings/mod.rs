//! The user's own providers and chains: `config.toml` in the user's configuration folder.
//!
//! ```toml
//! command_chain = ["claude", "local", { provider = "codex", model = "gpt-5", timeout = 900 }]
//! command_chain_fast = ["local"]
//! command_chain_quality = ["claude:opus"]
//!
//! [providers.local]
//! preset = "lmstudio"
//! model = "qwen3-coder"
//! [providers.gateway]
//! base_url = "https://llm.example.org/v1"
//! key_env = "GATEWAY_KEY"
//! body = { temperature = 0.2 }
//! [providers.mine]
//! command = "my-agent --plain"
//! env = ["MY_AGENT_HOME"]
//!
//! [hooks]
//! on_error = "deny"
//! ```
//!
//! **A repository selects providers, it never defines them.** Its `guards.toml` may hold chains too, but only of names that this file
//! defines as `[providers.NAME]`. Programs, arguments, addresses, key variables, models and limits come from this file or the command
//! line alone. Without this rule, the author of a commit could run a program on the machine of every user of the repository, or have
//! their keys sent to an address of the author's choice.

mod entry;
mod file;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use file::OnHookError;
use file::{ChainStepConfig, ProviderEntry, RecordSettings, SettingsFile};

use super::{Chain, Provider, preset};
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};

/// What a task asks of its chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ChainHint {
    /// `command_chain_fast`
    Fast,
    /// `command_chain_quality`
    Quality,
}

/// The settings file, parsed.
#[derive(Debug, Default)]
pub struct ProviderSettings {
    file: SettingsFile,
    /// The path of the file, for messages.
    origin: String,
    /// Where relative paths start.
    dir: PathBuf,
}

/// The providers of a run for which the command line names none.
#[derive(Debug)]
pub struct ChosenChain {
    pub providers: Vec<Provider>,
    /// Which of the repository's names were ignored.
    pub notice: Option<String>,
}

impl ProviderSettings {
    /// A file that does not exist gives empty settings.
    ///
    /// # Errors
    /// `Kind::Config` with file and line. The line itself is not shown: it may hold a key.
    pub fn read(file: &Path) -> Result<ProviderSettings> {
        let origin = file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(ProviderSettings::default()),
            text => text.with_context(|| Fault::new(FaultKind::Config, format!("cannot read {origin}")))?,
        };
        let parsed = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            Fault::new(FaultKind::Config, format!("{origin}:{line}: {}", error.message()))
        })?;
        Ok(ProviderSettings { file: parsed, origin, dir: file.parent().unwrap_or(file).to_owned() })
    }

    /// `on_error` of `[hooks]`.
    pub fn on_hook_error(&self) -> OnHookError {
        self.file.hooks.on_error
    }

    /// How many runs of a repository are recorded, and for how long: `[records]`.
    pub fn kept_runs(&self) -> (usize, Duration) {
        const DAY: u64 = 24 * 60 * 60;
        let RecordSettings { keep_runs, keep_days } = &self.file.records;
        (keep_runs.get(), Duration::from_secs(keep_days.get().saturating_mul(DAY)))
    }

    /// The user's own providers, which are those that a repository may name, and then the presets.
    pub fn everybody(&self) -> Result<Vec<Provider>> {
        let own = self.file.providers.iter().map(|(name, entry)| self.entry(name, entry));
        let presets =
            preset::names().filter(|name| !self.file.providers.contains_key(*name)).filter_map(preset::preset);
        own.chain(presets.map(Ok)).collect()
    }

    /// The user's chains that are not empty: the key in the file, and the providers as text.
    pub fn chains(&self) -> Result<Vec<(&'static str, String)>> {
        let keys = [
            (None, "command_chain"),
            (Some(ChainHint::Fast), "command_chain_fast"),
            (Some(ChainHint::Quality), "command_chain_quality"),
        ];
        let filled = keys.into_iter().filter(|(hint, _)| !self.steps(*hint).is_empty());
        filled.map(|(hint, key)| Ok((key, Chain::new(self.own(hint)?).to_string()))).collect()
    }

    /// One of the user's own providers, perhaps with a model (`local:qwen3`), or one that [`Provider::parse`] knows.
    pub fn provider(&self, spec: &str, dir: &Path) -> Result<Provider> {
        let (name, model) = spec.split_once(':').map_or((spec, None), |(name, model)| (name, Some(model)));
        let Some(entry) = self.file.providers.get(name) else { return Provider::parse(spec, dir) };
        let mut provider = self.entry(name, entry)?;
        if let Some(model) = model.filter(|model| !model.is_empty()) {
            provider.model = Some(model.to_owned());
        }
        Ok(provider)
    }

    /// Those names of a repository that the user's settings define, and a notice that names the others.
    pub fn defined<'n>(&self, names: &'n [String]) -> (Vec<&'n String>, Option<String>) {
        let (known, unknown): (Vec<_>, Vec<_>) = names.iter().partition(|name| self.file.providers.contains_key(*name));
        let quoted: Vec<String> = unknown.iter().map(|name| format!("`{}`", name.escape_debug())).collect();
        let names = quoted.join(", ");
        let notice = format!("ignored {names}: the repository names them, but your settings do not define them");
        (known, (!unknown.is_empty()).then_some(notice))
    }

    /// The chain for a hint: the repository's, else the user's, else the same without the hint. `repository` gives the names in the
    /// repository's chains.
    ///
    /// # Errors
    /// `Kind::Usage` when no chain names a provider; `Kind::Config` when the settings of a provider are wrong.
    pub fn chain<'n>(
        &self,
        hint: Option<ChainHint>,
        repository: &dyn Fn(Option<ChainHint>) -> &'n [String],
    ) -> Result<ChosenChain> {
        let mut notice = None;
        for hint in hint.map(Some).into_iter().chain([None]) {
            let (known, ignored) = self.defined(repository(hint));
            notice = ignored.or(notice);
            let mut providers: Vec<Provider> = Vec::new();
            for name in known {
                // A repository must not have one provider asked a hundred times.
                if providers.iter().all(|provider| provider.name != *name) {
                    providers.push(self.provider(name, &self.dir)?);
                }
            }
            if providers.is_empty() {
                providers = self.own(hint)?;
            }
            if !providers.is_empty() {
                return Ok(ChosenChain { providers, notice });
            }
        }
        let hint = "name one with --provider or GUARDHOST_PROVIDER, or set a command_chain in the user's settings (host provider list)";
        Err(Fault::new(FaultKind::Usage, "no provider is named").hint(hint).into())
    }

    fn own(&self, hint: Option<ChainHint>) -> Result<Vec<Provider>> {
        self.steps(hint).iter().map(|step| self.step(step)).collect()
    }

    fn steps(&self, hint: Option<ChainHint>) -> &[ChainStepConfig] {
        match hint {
            None => &self.file.command_chain,
            Some(ChainHint::Fast) => &self.file.command_chain_fast,
            Some(ChainHint::Quality) => &self.file.command_chain_quality,
        }
    }

    fn step(&self, step: &ChainStepConfig) -> Result<Provider> {
        let table = match step {
            ChainStepConfig::Name(spec) => return self.provider(spec, &self.dir),
            ChainStepConfig::Table(table) => table,
        };
        let mut provider = self.provider(&table.provider, &self.dir)?;
        entry::apply_overrides(&mut provider, table.model.as_ref(), &table.args, &table.env, table.timeout)
            .map_err(|why| self.invalid(&table.provider, why))?;
        Ok(provider)
    }

    fn entry(&self, name: &str, entry: &ProviderEntry) -> Result<Provider> {
        entry::provider(name, entry, &self.dir).map_err(|why| self.invalid(name, why))
    }

    fn invalid(&self, name: &str, why: String) -> Error {
        Fault::new(FaultKind::Config, format!("{}: provider {name}: {why}", self.origin)).into()
    }
}
