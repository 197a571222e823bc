//! Plugins that agents took: their own copies of the folder that a team shares, and whether they load them.
//!
//! Where the copies lie was read in what the programs wrote (Claude Code 2.1.330, Codex 0.169.0, Copilot CLI 1.0.102, Gemini CLI 0.61.0).

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use guardhost_core::error::Result as Outcome;
use guardhost_core::process_env::ProcessEnv;
use guardhost_report::{DoctorRow, Health};
use serde_json::{Map, Value};

use super::agent_hooks::AgentHooks;
use super::folder_trust::not_loaded;
use super::planted::Planted;
use super::row;
use crate::cli::InstallScope;
use crate::hook::HookAgent;
use crate::install::Site;

/// As the plugin calls itself, before the name of the list that it was taken from.
const NAME: &str = "guardhost";

/// A row for each hook of the copies that the agents of this person took.
pub(super) fn rows(site: &Site, planted: &Planted, process: &ProcessEnv) -> Outcome<Vec<DoctorRow>> {
    let taken = match taken(site) {
        Ok(taken) => taken,
        Err(path) => {
            let detail = format!("{} cannot be read, so it is not known which plugins are taken", path.display());
            return Ok(vec![row(
                "canary plugins",
                Health::Fail,
                detail,
                Some("fix the file, then: host doctor --canary"),
            )]);
        }
    };
    let mut rows = Vec::new();
    for TakenPlugin { agent, hooks, is_on } in taken {
        let text = fs::read_to_string(&hooks).unwrap_or_default();
        let trust = not_loaded(agent, InstallScope::User, site, process);
        let not_loaded = match (is_on, text.is_empty(), &trust) {
            (false, ..) => Some(("does not hold: the agent has the plugin, and it is turned off", "turn it on again")),
            (true, true, _) => Some((
                "does not hold: the agent lists the plugin, and its hooks are gone",
                "let the agent take it again",
            )),
            (true, false, trust) => trust.as_ref().map(|(why, hint)| (why.as_str(), hint.as_str())),
        };
        rows.extend(AgentHooks { agent, text: &text, place: " (plugin)", not_loaded }.rows(planted)?);
    }
    Ok(rows)
}

/// The hooks of one copy.
struct TakenPlugin {
    agent: HookAgent,
    hooks: PathBuf,
    is_on: bool,
}

/// All copies, for an agent that is started in the work tree.
///
/// # Errors
/// A list of plugins that is not understood, by its path.
fn taken(site: &Site) -> Result<Vec<TakenPlugin>, PathBuf> {
    let root = site.root.as_deref();
    let mut found = Vec::new();
    for (agent, folder) in HookAgent::ALL.into_iter().filter_map(|agent| Some((agent, site.user_folder(agent)?))) {
        found.extend(match agent {
            HookAgent::Claude => claude(&folder, root)?,
            HookAgent::Codex => codex(&folder)?,
            HookAgent::Copilot => copilot(&folder)?,
            HookAgent::Gemini => gemini(&folder, root.or(site.home.as_deref()))?,
            // They do not take the folder.
            HookAgent::Cursor | HookAgent::Opencode | HookAgent::Qwen => Vec::new(),
        });
    }
    Ok(found)
}

/// The list says where each copy is; a project's own is for that project.
fn claude(folder: &Path, root: Option<&Path>) -> Result<Vec<TakenPlugin>, PathBuf> {
    let list = json(&folder.join("plugins/installed_plugins.json"))?;
    // The later ones win.
    let of_project = root.map(|root| [".claude/settings.json", ".claude/settings.local.json"].map(|at| root.join(at)));
    let settings = [folder.join("settings.json")].into_iter().chain(of_project.into_iter().flatten());
    let settings = settings.map(|path| json(&path)).collect::<Result<Vec<Value>, PathBuf>>()?;
    let is_on = |key: &str| settings.iter().rev().find_map(|settings| settings["enabledPlugins"][key].as_bool());
    let here = |copy: &&Value| match copy["projectPath"].as_str() {
        Some(project) => root.is_some_and(|root| root == Path::new(project)),
        None => true,
    };
    let found = ours(&list["plugins"]).flat_map(|(key, copies)| {
        let copies = copies.as_array().into_iter().flatten().filter(here);
        copies.filter_map(|copy| copy["installPath"].as_str()).map(move |path| (key, PathBuf::from(path)))
    });
    Ok(found
        .map(|(key, path)| TakenPlugin {
            agent: HookAgent::Claude,
            hooks: path.join("hooks/claude.json"),
            is_on: is_on(key) == Some(true),
        })
        .collect())
}

/// A folder for each version.
fn codex(folder: &Path) -> Result<Vec<TakenPlugin>, PathBuf> {
    let path = folder.join("config.toml");
    let settings = read(&path)?.map_or(Ok(toml::Table::new()), |text| text.parse()).map_err(|_| path)?;
    let plugins = settings.get("plugins").and_then(toml::Value::as_table).into_iter().flatten();
    let mut found = Vec::new();
    for (list, plugin) in plugins.filter_map(|(key, plugin)| Some((list_of(key)?, plugin))) {
        let is_on = plugin.get("enabled").and_then(toml::Value::as_bool) != Some(false);
        let versions = fs::read_dir(folder.join("plugins/cache").join(list).join(NAME)).into_iter().flatten();
        let hooks = versions.filter_map(|version| Some(version.ok()?.path().join("hooks/codex.json")));
        found.extend(hooks.map(|hooks| TakenPlugin { agent: HookAgent::Codex, hooks, is_on }));
    }
    Ok(found)
}

/// What comes from a folder is read there, and anything else is copied.
fn copilot(folder: &Path) -> Result<Vec<TakenPlugin>, PathBuf> {
    let settings = json(&folder.join("settings.json"))?;
    let found = ours(&settings["enabledPlugins"]).filter_map(|(key, is_on)| {
        let list = list_of(key)?;
        let place = match settings["extraKnownMarketplaces"][list]["source"]["path"].as_str() {
            Some(path) => Path::new(path).join("plugin"),
            None => folder.join("installed-plugins").join(list).join(NAME),
        };
        let is_on = is_on.as_bool() == Some(true);
        Some(TakenPlugin { agent: HookAgent::Copilot, hooks: place.join("hooks/copilot.json"), is_on })
    });
    Ok(found.collect())
}

/// It is on, unless the last line that fits the folder begins with `!`.
fn gemini(folder: &Path, started: Option<&Path>) -> Result<Vec<TakenPlugin>, PathBuf> {
    let folder = folder.join("extensions");
    if !folder.join(NAME).is_dir() {
        return Ok(Vec::new());
    }
    let lines = json(&folder.join("extension-enablement.json"))?;
    let mut lines = lines[NAME]["overrides"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let at = format!("{}/", started.unwrap_or(&folder).display());
    let fits = |pattern: &str| match pattern.strip_suffix('*') {
        Some(below) => at.starts_with(below),
        None => at.trim_end_matches('/') == pattern.trim_end_matches('/'),
    };
    let last = lines.rfind(|line| fits(line.trim_start_matches('!')));
    let is_on = last.is_none_or(|line| !line.starts_with('!'));
    Ok(vec![TakenPlugin { agent: HookAgent::Gemini, hooks: folder.join(NAME).join("hooks/hooks.json"), is_on }])
}

/// The members that are about this plugin, whatever list they name.
fn ours(members: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members = members.as_object().into_iter().flat_map(Map::iter);
    members.map(|(key, value)| (key.as_str(), value)).filter(|(key, _)| list_of(key).is_some())
}

/// `LIST` of `guardhost@LIST`, where it is the name of a folder.
fn list_of(key: &str) -> Option<&str> {
    let list = key.strip_prefix(NAME)?.strip_prefix('@')?;
    (!list.is_empty() && !list.starts_with('.') && !list.contains(['/', '\\'])).then_some(list)
}

/// Null where there is no file.
fn json(path: &Path) -> Result<Value, PathBuf> {
    match read(path)? {
        None => Ok(Value::Null),
        Some(text) => jsonc_parser::parse_to_serde_value(&text, &Default::default()).map_err(|_| path.to_owned()),
    }
}

fn read(path: &Path) -> Result<Option<String>, PathBuf> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(_) => Err(path.to_owned()),
    }
}
