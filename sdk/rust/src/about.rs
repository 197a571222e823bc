//! What a guard says of itself.

use crate::NoSettings;

/// What a guard says of itself; the same at every call.
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
    /// Capabilities beyond the change itself, each with the reason that whoever grants it will read.
    pub needs: &'static [Need],
    /// The rules of which its findings may speak.
    pub rules: &'static [Rule],
    /// JSON Schema (2020-12) of the settings, an object.
    pub settings_schema: &'static str,
    /// Name of the trace event when it rejects; empty if none.
    pub event: &'static str,
    /// Anything else, name and value. A host ignores names that it does not know.
    pub attributes: &'static [(&'static str, &'static str)],
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
        rules: &[],
        settings_schema: NoSettings::SCHEMA,
        event: "",
        attributes: &[],
    };
}

/// When a guard is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The shape of the patch: which paths it touches, and how.
    Patch,
    /// The text that the change brings in.
    Content,
    /// What a build or a test run says: costly, so it runs after the cheap stages passed.
    Command,
    /// A plan: see the feature `plan`.
    Plan,
    /// A figure for the whole change.
    Score,
    /// What a tree scores: see the feature `analysis`.
    Analysis,
}

/// What a pin can grant. Each is a package of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// [`crate::Change::repo`]
    Repo,
    /// [`crate::Change::log`]
    Commits,
    /// [`crate::Change::facts`]
    Facts,
    /// [`crate::Change::modules`]
    Modules,
    /// [`crate::Change::net`]
    Net,
    /// [`crate::Change::registries`]
    Registry,
    /// [`crate::Change::toolchain`]
    Toolchain,
    /// [`crate::Change::history`]
    History,
    /// [`crate::Change::models`]
    Model,
}

/// A capability that a guard asks for, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    pub capability: Capability,
    /// Gitignore-style globs of the files that are enough; empty means all.
    pub globs: &'static [&'static str],
    /// Shown to whoever grants it.
    pub why: &'static str,
}

/// A rule of which findings may speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Kebab-case: the `rule` of its findings.
    pub id: &'static str,
    /// When it finds something, in a sentence. Markdown.
    pub summary: &'static str,
    /// Where it is documented: an https address.
    pub url: Option<&'static str>,
}

impl Stage {
    /// As the contract spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Stage::Patch => "patch",
            Stage::Content => "content",
            Stage::Command => "command",
            Stage::Plan => "plan",
            Stage::Score => "score",
            Stage::Analysis => "analysis",
        }
    }
}

impl Capability {
    /// The bare name of its package.
    pub const fn as_str(self) -> &'static str {
        match self {
            Capability::Repo => "repo",
            Capability::Commits => "commits",
            Capability::Facts => "facts",
            Capability::Modules => "modules",
            Capability::Net => "net",
            Capability::Registry => "registry",
            Capability::Toolchain => "toolchain",
            Capability::History => "history",
            Capability::Model => "model",
        }
    }
}

impl Need {
    /// The whole of a capability.
    pub const fn new(capability: Capability, why: &'static str) -> Self {
        Need { capability, globs: &[], why }
    }

    /// A capability for files that match the globs only.
    pub const fn for_paths(capability: Capability, globs: &'static [&'static str], why: &'static str) -> Self {
        Need { capability, globs, why }
    }
}

impl Rule {
    pub const fn new(id: &'static str, summary: &'static str) -> Self {
        Rule { id, summary, url: None }
    }

    /// Where the rule is documented: an https address.
    pub const fn at(self, url: &'static str) -> Self {
        Rule { url: Some(url), ..self }
    }
}
