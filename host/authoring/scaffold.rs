//! `host guard new`: copies the template of a language, and everything that it needs, into a new folder.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::embedded::below;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_engine::is_kebab;
use guardhost_report::NewGuard;

/// `sdk/<language>/template.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Template {
    language: String,
    names: Vec<String>,
    copy: Vec<CopyEntry>,
    /// What is copied for a guard that asks models, in languages that have such a template.
    critic: Option<OtherTemplate>,
    /// What is copied for a component that reads a language, in languages that have such a template.
    reader: Option<OtherTemplate>,
}

impl Template {
    /// What is copied for this kind; None where the language has no such template.
    fn copied(&self, kind: GuardKind) -> Option<&[CopyEntry]> {
        match kind {
            GuardKind::Plain => Some(&self.copy),
            GuardKind::Critic => self.critic.as_ref().map(|other| &*other.copy),
            GuardKind::Language => self.reader.as_ref().map(|other| &*other.copy),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherTemplate {
    copy: Vec<CopyEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CopyEntry {
    /// Relative to the folder of the template.
    from: String,
    to: String,
}

/// What a new component does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardKind {
    Plain,
    /// It asks models.
    Critic,
    /// It reads texts for guards.
    Language,
}

/// The placeholder for the guard's name in files of the template.
const NAME: &str = "{{name}}";

/// Errors ([`FaultKind::Usage`]): the name is not a valid id, the language has no template, or the folder is not empty.
pub fn scaffold(name: &str, language: &str, kind: GuardKind, folder: &Path) -> Result<NewGuard> {
    if !is_kebab(name, 64) {
        let what = format!("`{name}` cannot be a guard's id");
        return Err(Fault::new(FaultKind::Usage, what)
            .hint("an id is lower-case words and digits joined by single hyphens, such as no-long-lines")
            .into());
    }
    let (home, template) = template(language, kind)?;
    let holds_something = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if holds_something || folder.is_file() {
        let what = format!("{} is there already", folder.display());
        return Err(Fault::new(FaultKind::Usage, what).hint("name another folder with --dir, or empty it").into());
    }
    let mut files = Vec::new();
    for CopyEntry { from, to } in template.copied(kind).unwrap_or_default() {
        let from = joined(home, from);
        for (rest, _, bytes) in below(&from) {
            let to = [to.as_str(), rest].into_iter().filter(|part| !part.is_empty() && *part != ".");
            let to = to.collect::<Vec<_>>().join("/");
            write(&folder.join(&to), bytes, name)?;
            files.push(to);
        }
    }
    files.sort();
    Ok(NewGuard { name: name.to_owned(), language: template.language, folder: folder.to_path_buf(), files })
}

/// The folder of the language in the SDK, and its template.
fn template(language: &str, kind: GuardKind) -> Result<(&'static str, Template)> {
    let mut known = Vec::new();
    for (path, _, bytes) in below("sdk") {
        let Some(home) = path.strip_suffix("/template.toml") else { continue };
        let text = str::from_utf8(bytes)?;
        let template: Template = toml::from_str(text).with_context(|| format!("the embedded sdk/{path}"))?;
        if template.copied(kind).is_none() {
            continue;
        }
        if template.names.iter().any(|name| name == language) {
            return Ok((home, template));
        }
        known.extend(template.names.into_iter().next());
    }
    let of = match kind {
        GuardKind::Plain => "",
        GuardKind::Critic => " of a critic",
        GuardKind::Language => " of a language",
    };
    let what = format!("there is no template{of} for `{language}`");
    Err(Fault::new(FaultKind::Usage, what).hint(format!("there is one for: {}", known.join(", "))).into())
}

/// Resolves `path` relative to `sdk/<home>`.
fn joined(home: &str, path: &str) -> String {
    let mut parts = vec!["sdk", home];
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn write(file: &Path, bytes: &[u8], name: &str) -> Result<()> {
    let cannot = || Fault::new(FaultKind::Usage, format!("cannot write {}", file.display()));
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(cannot)?;
    }
    match str::from_utf8(bytes) {
        Ok(text) => fs::write(file, text.replace(NAME, name)),
        Err(_) => fs::write(file, bytes),
    }
    .with_context(cannot)
}
