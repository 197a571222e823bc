//! The shape of `guards.toml`, and errors that point at the place.

use std::sync::Arc;

use crate::toolchain::ConfiguredTools;
use serde::{Deserialize, Serialize};

use super::changed_globs;
use super::disclosure::DisclosureTrailers;
use super::extends::{Extends, ReadShared, merged};
use super::file_kinds::kinds;
use super::fix::FixSettings;
use super::folders::{mistake_of_folder, settle_folders};
use super::linter::LinterTable;
use super::location::{located, parse_fault, with_location};
use super::lock_check::version_requirement;
use super::pin::{AN_ID, Pin, PinKind, is_id, languages};
use super::refusal::{ComponentFacts, ComponentRefusal};
use super::registries::RegistryRules;
use super::runner::RunnerTable;
use super::scope::ScopeRule;
use super::triage::TriageRules;
use super::trust::Trust;
use super::{ByteSize, ComponentSource};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::renamed_guards::{AbsorbedGuard, absorbed, current_id, notice};
use guardhost_core::setting::SettingPath;
use guardhost_engine::PathGlobs;
use guardhost_engine::exceptions::comment::CommentTrust;

/// The only supported version of the format.
const SCHEMA: u32 = 1;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardsToml {
    /// Version of this file's format.
    pub schema: u32,
    /// Rules that this file stands on.
    #[serde(default)]
    pub extends: Option<Extends>,
    #[serde(default)]
    pub policy: PolicyRules,
    /// Which of the user's own providers to ask.
    #[serde(default)]
    pub providers: ProviderChains,
    /// What files are, for every guard.
    #[serde(default)]
    pub paths: PathGlobs,
    #[serde(default)]
    pub trust: Trust,
    /// Components that must not judge.
    #[serde(default, rename = "refuse")]
    pub refused: Vec<ComponentRefusal>,
    /// What plans may be about, beside the built-in scopes.
    #[serde(default, rename = "scope")]
    pub scopes: Vec<ScopeRule>,
    /// How tests are run that the host has no runner of its own for.
    #[serde(default, rename = "runner")]
    pub runners: Vec<RunnerTable>,
    /// Linters that the host does not find by itself, or finds otherwise.
    #[serde(default, rename = "linter")]
    pub linters: Vec<LinterTable>,
    /// How `host fix` sorts issues.
    #[serde(default)]
    pub fix: FixSettings,
    /// Which changes may be merged without a person.
    #[serde(default)]
    pub triage: TriageRules,
    /// Where packages are looked up.
    #[serde(default)]
    pub registries: RegistryRules,
    /// In the order in which they are shown.
    #[serde(default, rename = "guard")]
    pub guards: Vec<Pin>,
    /// Languages that are read beside the embedded ones, or in place of them, in the order in which they are asked.
    #[serde(default, rename = "language", deserialize_with = "languages")]
    pub languages: Vec<Pin>,
    /// `guards = []`: no guard judges. Without it, and without `[[guard]]`, the default set does: a file that sets one thing unsets no
    /// other.
    #[serde(default, rename = "guards")]
    pub no_guards: Option<Vec<toml::Value>>,
    /// Former ids in pins of embedded guards. The pins themselves have the ids of today.
    #[serde(skip)]
    former_ids: Vec<String>,
}

/// Chains of providers, by name alone: a repository chooses among the providers of its user and cannot add one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProviderChains {
    pub command_chain: Vec<String>,
    pub command_chain_fast: Vec<String>,
    pub command_chain_quality: Vec<String>,
}

/// `[policy]`: rules that hold whatever the guards say.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyRules {
    /// How many rounds each provider gets, 1 to 20.
    pub rounds: u32,
    /// Globs of paths that no patch may touch, in any letter case, beside the built-in list. The files of the rules are
    /// always protected.
    pub protect: Vec<String>,
    /// Globs of the built-in list, word for word, that do not hold here.
    pub unprotect: Vec<String>,
    /// Which comments `guardhost: allow RULE reason` count. None: those of the base, and in `host check` of staged changes and
    /// ranges also those that the change adds.
    pub allow_comments: Option<CommentTrust>,
    /// The most bytes that a patch may write to one file.
    pub max_file_size: Option<ByteSize>,
    /// What happens to a change that no enforced guard judged. None: it is rejected if the host would commit it and it touches a source
    /// file, and else accepted.
    pub unjudged: Option<Unjudged>,
    /// Globs as in `.gitignore` of files that a change may make unreadable to the guards.
    pub allow_unreadable: Vec<String>,
    /// Trailers, of which a commit that a model made has at least one.
    pub disclosure: DisclosureTrailers,
    /// Whether the repository remembers rulings, for `host log --rulings` and `host stats`.
    pub remember: bool,
}

/// What happens to a change that nothing judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unjudged {
    Accept,
    Reject,
}

impl Default for PolicyRules {
    fn default() -> Self {
        PolicyRules {
            rounds: 3,
            protect: Vec::new(),
            unprotect: Vec::new(),
            allow_comments: None,
            max_file_size: None,
            unjudged: None,
            allow_unreadable: Vec::new(),
            disclosure: DisclosureTrailers::default(),
            remember: true,
        }
    }
}

impl GuardsToml {
    /// The rules of a repository without `guards.toml`.
    pub(super) fn with_defaults(guards: Vec<Pin>) -> GuardsToml {
        GuardsToml {
            schema: SCHEMA,
            extends: None,
            policy: PolicyRules::default(),
            paths: PathGlobs::default(),
            trust: Trust::default(),
            refused: Vec::new(),
            providers: ProviderChains::default(),
            scopes: Vec::new(),
            runners: Vec::new(),
            linters: Vec::new(),
            fix: FixSettings::default(),
            triage: TriageRules::default(),
            registries: RegistryRules::default(),
            guards,
            languages: Vec::new(),
            no_guards: None,
            former_ids: Vec::new(),
        }
    }

    /// All pinned components: the guards, then the languages. No two have the same id.
    pub fn pins(&self) -> impl Iterator<Item = &Pin> {
        self.guards.iter().chain(&self.languages)
    }

    /// Whether the file leaves the choice of guards to the host. A pin for a folder chooses for that folder alone.
    pub fn takes_the_default_set(&self) -> bool {
        self.guards.iter().all(|pin| pin.folder.is_some()) && self.no_guards.is_none()
    }

    /// Puts the guards that the host chooses in front, where the file leaves the choice to it. A guard that the file pins under its own id is
    /// where the file says.
    pub(super) fn add_default_set(&mut self, builtin: Vec<Pin>) {
        if !self.takes_the_default_set() {
            return;
        }
        let own = std::mem::take(&mut self.guards);
        let free = builtin.into_iter().filter(|pin| !own.iter().any(|other| other.id == pin.id));
        self.guards = free.collect();
        self.guards.extend(own);
        settle_folders(&mut self.guards);
    }

    /// # Errors
    /// `Kind::Config` with line and column, and the key that was probably meant.
    ///
    /// `shared` reads the file of `[extends]`.
    pub fn parse(bytes: &[u8], origin: &str, shared: ReadShared) -> Result<GuardsToml> {
        let text =
            std::str::from_utf8(bytes).map_err(|_| Fault::new(FaultKind::Config, format!("{origin} is not UTF-8")))?;
        let own: GuardsToml = toml::from_str(text).map_err(|error| parse_fault(text, origin, &error))?;
        let placed = |fault: Fault| located(fault, text, origin);
        match &own.extends {
            None => own.checked().map_err(|fault| placed(fault).into()),
            Some(extends) => {
                extends.validate().map_err(|what| {
                    placed(Fault::new(FaultKind::Config, what).setting(SettingPath::default().key("extends")))
                })?;
                let theirs = extends.read(shared).map_err(|error| with_location(error, text, origin))?;
                let name = extends.file();
                let alone: GuardsToml = toml::from_str(&theirs).map_err(|error| parse_fault(&theirs, name, &error))?;
                if alone.extends.is_some() {
                    let what = format!("{name} extends rules itself, and one file stands on at most one other");
                    return Err(Fault::new(FaultKind::Config, what).hint("put them together in one file").into());
                }
                alone.checked().map_err(|fault| located(fault, &theirs, name))?;
                let table = |text: &str, origin: &str| -> Result<toml::Table> {
                    Ok(toml::from_str(text).map_err(|error| parse_fault(text, origin, &error))?)
                };
                let both = merged(table(text, origin)?, table(&theirs, name)?, &extends.without);
                let both: GuardsToml = toml::Value::Table(both).try_into().map_err(|error: toml::de::Error| {
                    let what = format!("{origin} on top of {name}: {}", error.message());
                    Fault::new(FaultKind::Config, what)
                })?;
                both.checked().map_err(|fault| placed(fault).into())
            }
        }
    }

    /// With the ids of today, and without a mistake that the types do not express.
    fn checked(mut self) -> Result<GuardsToml, Fault> {
        self.take_current_ids();
        settle_folders(&mut self.guards);
        match Fault::all(self.mistakes()) {
            Some(fault) => Err(fault),
            None => Ok(self),
        }
    }

    fn take_current_ids(&mut self) {
        for pin in self.guards.iter_mut().filter(|pin| pin.source == ComponentSource::Builtin) {
            let id = pin.guard.as_mut().unwrap_or(&mut pin.id);
            let current = current_id(id).to_owned();
            if current != *id {
                self.former_ids.push(std::mem::replace(id, current));
            }
        }
        let is_gone = |pin: &mut Pin| {
            pin.source == ComponentSource::Builtin && pin.guard.is_none() && absorbed(&pin.id).is_some()
        };
        let gone: Vec<Pin> = self.guards.extract_if(.., is_gone).collect();
        for pin in gone {
            if let Some(guard) = absorbed(&pin.id) {
                self.absorb(&pin, guard);
            }
            self.former_ids.push(pin.id);
        }
    }

    /// What a guard that is no more judged is judged as it was: its language, and without the files that may be broken.
    fn absorb(&mut self, pin: &Pin, guard: AbsorbedGuard) {
        let at = self.guards.iter().position(|other| other.id == guard.current).unwrap_or_else(|| {
            let mut new = Pin {
                mode: pin.mode,
                paths: pin.paths.clone(),
                folder: pin.folder.clone(),
                ..Pin::new(guard.current, ComponentSource::Builtin)
            };
            new.settings.insert("languages".to_owned(), toml::Value::Array(Vec::new()));
            self.guards.push(new);
            self.guards.len() - 1
        });
        let settings = &mut self.guards[at].settings;
        if let Some(toml::Value::Array(languages)) = settings.get_mut("languages")
            && !languages.iter().any(|name| matches!(name.as_str(), Some("*")) || name.as_str() == Some(guard.language))
        {
            languages.push(guard.language.into());
        }
        if let Some(toml::Value::Array(more)) = pin.settings.get("allow_broken") {
            let allowed = settings.entry("allow_broken").or_insert_with(|| toml::Value::Array(Vec::new()));
            if let toml::Value::Array(allowed) = allowed {
                allowed.extend(more.iter().cloned());
            }
        }
    }

    /// What the author of the file should know, although it is read.
    pub fn notices(&self, origin: &str) -> Vec<String> {
        let former = self.former_ids.iter().map(|former| notice(origin, former));
        former.chain(changed_globs::notices(self, origin)).collect()
    }

    /// What the types do not express: the first mistake of every table and of every guard.
    fn mistakes(&self) -> Vec<Fault> {
        let root = SettingPath::default;
        let mut mistakes = Vec::new();
        let mut check = |at: SettingPath, checked: Result<(), String>| {
            mistakes.extend(checked.err().map(|what| Fault::new(FaultKind::Config, what).setting(at)));
        };
        let schema = match self.schema {
            SCHEMA => Ok(()),
            other => Err(format!("schema = {other} is not known; this host reads schema = {SCHEMA}")),
        };
        check(root().key("schema"), schema);
        let rounds = match self.policy.rounds {
            1..=20 => Ok(()),
            rounds => Err(format!("policy.rounds = {rounds} is out of range: 1 to 20")),
        };
        check(root().key("policy").key("rounds"), rounds);
        check(root().key("policy").key("disclosure"), self.policy.disclosure.validate());
        let no_guards = match &self.no_guards {
            Some(entries) if !entries.is_empty() => {
                Err("`guards` may only be empty, for no guard at all; each guard is a table [[guard]]".to_owned())
            }
            Some(_) if self.guards.iter().any(|pin| pin.folder.is_none()) => {
                Err("`guards = []` says that no guard judges, and the file has [[guard]] tables".to_owned())
            }
            Some(_) | None => Ok(()),
        };
        check(root().key("guards"), no_guards);
        check(root().key("trust"), self.trust.validate());
        check(root().key("registries"), self.registries.addresses().map(drop));
        check(root().key("fix").key("frontend"), self.fix.validate());
        for (index, scope) in self.scopes.iter().enumerate() {
            let is_known = self.scopes[..index].iter().any(|other| other.name == scope.name);
            let once = if is_known { Err(format!("scope `{}` is there twice", scope.name)) } else { Ok(()) };
            check(root().key("scope").index(index), scope.validate().and(once));
        }
        for index in 0..self.runners.len() {
            check(root().key("runner").index(index), RunnerTable::validate(&self.runners, index));
        }
        for index in 0..self.linters.len() {
            check(root().key("linter").index(index), LinterTable::validate(&self.linters, index));
        }
        for (index, refusal) in self.refused.iter().enumerate() {
            check(root().key("refuse").index(index), refusal.validate());
        }
        mistakes.extend(kinds(&self.paths).err());
        for pins in [&self.guards, &self.languages] {
            mistakes.extend(pins.iter().enumerate().filter_map(|(index, pin)| self.mistake_of_pin(index, pin)));
        }
        mistakes
    }

    /// `index`: among the pins of its kind.
    fn mistake_of_pin(&self, index: usize, pin: &Pin) -> Option<Fault> {
        let kind = pin.kind;
        let own = || SettingPath::default().key(kind.table()).index(index);
        let wrong = |key: &str, what: String| Some(Fault::new(FaultKind::Config, what).setting(own().key(key)));
        if !is_id(&pin.id) {
            let id = pin.id.escape_default();
            return wrong("id", format!("{kind} id `{id}`: expected {AN_ID}"));
        }
        if matches!(pin.source, ComponentSource::Https(_)) && pin.digest.is_none() {
            let hint = "add `digest = \"sha256:…\"` of the component";
            return wrong("source", format!("{kind} `{}` comes over https without a digest; {hint}", pin.id));
        }
        if self.pins().take_while(|other| !std::ptr::eq(*other, pin)).any(|other| other.id == pin.id) {
            return wrong("id", format!("{kind} `{}` is pinned twice", pin.id));
        }
        if let Some(guard) = pin.guard.as_ref().filter(|guard| !is_id(guard)) {
            let guard = guard.escape_default();
            return wrong("guard", format!("guard id `{guard}`: expected {AN_ID}"));
        }
        let earlier = &self.guards[..index.min(self.guards.len())];
        if let Some(what) = mistake_of_folder(earlier, pin).filter(|_| kind == PinKind::Guard) {
            return wrong("folder", what);
        }
        if let Err(fault) = version_requirement(pin) {
            return Some(fault.setting(own().key("version")));
        }
        self.trust.validate_pin(pin).err().and_then(|what| wrong("id", what))
    }

    /// Those of `[[runner]]` and `[[linter]]`, which were checked when the file was read.
    pub fn configured_tools(&self) -> ConfiguredTools {
        ConfiguredTools {
            runners: self.runners.iter().filter_map(|runner| runner.runner().ok()).map(Arc::new).collect(),
            linters: self.linters.iter().filter_map(|linter| linter.linter().ok()).map(Arc::new).collect(),
        }
    }

    /// The entry of `[[refuse]]` that names the component; None when there is none.
    pub fn refusal(&self, component: &ComponentFacts) -> Option<&ComponentRefusal> {
        self.refused.iter().find(|refusal| refusal.covers(component))
    }
}
