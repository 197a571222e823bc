//! Hooks, the settings that say which hooks run, and where the branches stand.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions};
use serde::{Deserialize, Serialize};

use crate::hook::GitHook;
use crate::hook::shell::{HOOK_FILES, HOST_SETTINGS, STEERING};
use crate::install::write_file;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_gate::branch::Ledger;
use guardhost_git::{Repo, hooks_dir};

/// Larger files are not kept, in bytes: hooks and settings are a few kilobytes.
const LARGEST: u64 = 1 << 20;

/// What was there before a command.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::hook) struct Safeguards {
    files: BTreeMap<PathBuf, ProtectedPath>,
    /// The settings of git that say which hooks run.
    steering: Vec<(String, String)>,
    /// Branches by full name, and where each stands.
    pub branches: BTreeMap<String, String>,
    /// What the gate knew.
    pub ledger: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct ProtectedPath {
    kind: SafeguardKind,
    /// None where there is no regular file of a kept size.
    file: Option<SafeguardFile>,
}

/// What of a file no command of an agent may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum SafeguardKind {
    /// All of it: a hook, the host's settings.
    Whole,
    /// What says which hooks an agent runs. The agent itself writes the rest of its settings, such as what the person just allowed.
    AgentSettings,
    /// What says where git finds its hooks.
    GitSettings,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SafeguardFile {
    /// In Base64.
    content: String,
    is_program: bool,
}

impl SafeguardFile {
    fn read(path: &Path) -> Option<Self> {
        let about = fs::metadata(path).ok().filter(|about| about.is_file() && about.len() <= LARGEST)?;
        let is_program = guardhost_os::is_executable_by_owner(&about);
        Some(SafeguardFile { content: STANDARD.encode(fs::read(path).ok()?), is_program })
    }

    fn bytes(&self) -> Vec<u8> {
        STANDARD.decode(&self.content).unwrap_or_default()
    }
}

impl Safeguards {
    /// # Errors
    /// The settings or refs of git cannot be read.
    pub fn read(repo: &Repo, ledger: &Ledger, home: Option<&Path>) -> Result<Self> {
        let hooks = hooks_dir(repo)?;
        let hooks = GitHook::ALL.iter().map(|hook| hooks.join(hook.as_str()));
        let of_host = home.map(|home| home.join(".config").join(HOST_SETTINGS));
        // Of a linked work tree, `.git` is a file that names the folder.
        let link = repo.workdir().map(|root| root.join(".git")).filter(|link| link.is_file());
        let roots = [repo.workdir(), home].into_iter().flatten();
        let of_agents = roots.flat_map(|root| HOOK_FILES.map(|file| root.join(file)));
        let paths = hooks.chain(of_host).chain(link).map(|path| (path, SafeguardKind::Whole));
        let paths = paths.chain(of_agents.map(|path| (path, SafeguardKind::AgentSettings)));
        let paths = paths.chain(repo.config_files(home).into_iter().map(|path| (path, SafeguardKind::GitSettings)));
        let branches = repo.refs("refs/heads/")?;
        Ok(Safeguards {
            files: paths
                .map(|(path, kind)| {
                    let file = SafeguardFile::read(&path);
                    (path, ProtectedPath { kind, file })
                })
                .collect(),
            steering: repo.config_entries(&STEERING)?,
            branches: branches.into_iter().map(|(name, oid)| (name, oid.to_string())).collect(),
            ledger: ledger.text(),
        })
    }

    /// Puts back what is not as it was, and names it.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn restore(&self, now: &Safeguards) -> Result<Vec<PathBuf>> {
        let is_steered = self.steering != now.steering;
        let mut restored = Vec::new();
        for (path, ProtectedPath { kind, file: before }) in &self.files {
            let after = SafeguardFile::read(path);
            let is_same = after == *before
                || match kind {
                    SafeguardKind::Whole => false,
                    SafeguardKind::AgentSettings => hooks_of(before.as_ref()) == hooks_of(after.as_ref()),
                    SafeguardKind::GitSettings => !is_steered,
                };
            if !is_same {
                put_back(path, before.as_ref())?;
                restored.push(path.clone());
            }
        }
        Ok(restored)
    }
}

/// The members of an agent's settings that have to do with hooks, or with plugins that bring them, at any depth, in the order of their names and without white space, since
/// agents write the file anew in a form of their own; the whole text where it is not understood.
fn hooks_of(file: Option<&SafeguardFile>) -> Vec<String> {
    let text = file.map(|file| String::from_utf8_lossy(&file.bytes()).into_owned()).unwrap_or_default();
    let mut found = Vec::new();
    match jsonc_parser::parse_to_ast(&text, &CollectOptions::default(), &ParseOptions::default()) {
        Ok(parsed) => members("", parsed.value.as_ref(), &text, &mut found),
        Err(_) => match text.parse::<toml::Table>() {
            Ok(table) => tables("", &table, &mut found),
            Err(_) => found.push(text),
        },
    }
    found.sort();
    found
}

fn is_about_hooks(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("hook") || name.contains("plugin")
}

fn members(at: &str, value: Option<&Value>, text: &str, found: &mut Vec<String>) {
    let Some(Value::Object(object)) = value else { return };
    for property in &object.properties {
        let name = format!("{at}/{}", property.name.as_str());
        match is_about_hooks(property.name.as_str()) {
            true => found.push(name + &property.value.text(text).split_whitespace().collect::<String>()),
            false => members(&name, Some(&property.value), text, found),
        }
    }
}

fn tables(at: &str, table: &toml::Table, found: &mut Vec<String>) {
    for (name, value) in table {
        let path = format!("{at}/{name}");
        match value {
            value if is_about_hooks(name) => found.push(format!("{path}{value}")),
            toml::Value::Table(inner) => tables(&path, inner, found),
            _ => {}
        }
    }
}

/// What a command left in its place goes: a link to another file, or a folder.
fn put_back(path: &Path, before: Option<&SafeguardFile>) -> Result<()> {
    let cannot = || Fault::new(FaultKind::Git, format!("cannot put {} back as it was", path.display()));
    let folder = path.parent().unwrap_or(path);
    for place in [folder, path] {
        match fs::symlink_metadata(place) {
            Ok(about) if about.is_dir() && place == path => fs::remove_dir_all(place).with_context(cannot)?,
            Ok(about) if !about.is_dir() => fs::remove_file(place).with_context(cannot)?,
            Ok(_) | Err(_) => {}
        }
    }
    match before {
        Some(file) => write_file(path, &file.bytes(), file.is_program),
        None => Ok(()),
    }
}
