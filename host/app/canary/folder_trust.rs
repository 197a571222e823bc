//! Whether an agent loads the hooks of a folder: Gemini CLI does so where the folder is trusted, and by default none is; Qwen Code asks only
//! where its settings say so, and has a switch that turns every hook off.
//!
//! Read in the programs themselves, and tried with Gemini CLI 0.61.0 (`--skip-trust` starts it, and loads no hooks of the folder) and Qwen
//! Code 0.24.4.

use std::path::{Path, PathBuf};

use guardhost_core::process_env::ProcessEnv;
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::{CollectOptions, ParseOptions};

use crate::cli::InstallScope;
use crate::hook::HookAgent;
use crate::install::Site;

/// An agent that loads the hooks of a folder only where the folder is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TrustingAgent {
    Gemini,
    Qwen,
}

/// What an agent was told of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FolderTrust {
    Trusted,
    /// A person or the environment said so.
    Distrusted,
    /// At a terminal the agent asks; elsewhere the folder counts as not trusted.
    Unknown,
}

/// Why the agent loads no hooks of these settings, and what to do. None: it loads them.
pub(super) fn not_loaded(
    agent: HookAgent,
    scope: InstallScope,
    site: &Site,
    process: &ProcessEnv,
) -> Option<(String, String)> {
    let word = agent.as_str();
    let folder = site.user_folder(agent);
    let agent = match agent {
        HookAgent::Gemini => TrustingAgent::Gemini,
        HookAgent::Qwen => TrustingAgent::Qwen,
        HookAgent::Claude | HookAgent::Codex | HookAgent::Cursor | HookAgent::Copilot | HookAgent::Opencode => {
            return None;
        }
    };
    let root = site.root.as_deref()?;
    if agent == TrustingAgent::Qwen && switched_off(root, folder.as_deref()) {
        let why = "does not hold: `disableAllHooks` in its settings turns every hook off";
        return Some((why.to_owned(), "take `disableAllHooks` out of .qwen/settings.json".to_owned()));
    }
    let why = agent.objection(agent.trust(root, folder.as_deref(), process), scope)?;
    let hint = format!(
        "host install {word} --scope user, and do not mark this folder as not trusted; or trust it in `{word}`"
    );
    Some((why, hint))
}

impl TrustingAgent {
    /// `folder` has the user's own settings.
    fn trust(self, root: &Path, folder: Option<&Path>, process: &ProcessEnv) -> FolderTrust {
        let is = |name: &str, value: &str| process.var(name).is_some_and(|found| found == value);
        let text = |name: &str| folder.map(|folder| text_of(&folder.join(name))).unwrap_or_default();
        let asks = flag(&text("settings.json"), &["security", "folderTrust", "enabled"]);
        let (is_asked, rules) = match self {
            TrustingAgent::Gemini if is("GEMINI_RESTRICTED_MODE", "true") => return FolderTrust::Distrusted,
            TrustingAgent::Gemini if is("GEMINI_CLI_TRUST_WORKSPACE", "false") => return FolderTrust::Distrusted,
            TrustingAgent::Gemini if is("GEMINI_CLI_TRUST_WORKSPACE", "true") => return FolderTrust::Trusted,
            TrustingAgent::Gemini => (asks != Some(false), "GEMINI_CLI_TRUSTED_FOLDERS_PATH"),
            TrustingAgent::Qwen => (asks == Some(true), "QWEN_CODE_TRUSTED_FOLDERS_PATH"),
        };
        if !is_asked {
            return FolderTrust::Trusted;
        }
        let named = process.var(rules).map(PathBuf::from);
        let rules = named.map_or_else(|| text("trustedFolders.json"), |path| text_of(&path));
        let rules = top(&rules).map(|rules| rules.properties).unwrap_or_default();
        let rule =
            |rule: &ObjectProp| Some((rule.name.as_str().to_owned(), rule.value.as_string_lit()?.value.to_string()));
        by_rules(root, &rules.iter().filter_map(rule).collect::<Vec<_>>())
    }

    /// Only Gemini CLI goes by it for the user's own settings, too.
    fn objection(self, trust: FolderTrust, scope: InstallScope) -> Option<String> {
        let name = match self {
            TrustingAgent::Gemini => "Gemini CLI",
            TrustingAgent::Qwen => "Qwen Code",
        };
        match (trust, scope, self) {
            (FolderTrust::Trusted, ..)
            | (FolderTrust::Unknown, InstallScope::User, _)
            | (FolderTrust::Distrusted, InstallScope::User, TrustingAgent::Qwen) => None,
            (FolderTrust::Distrusted, InstallScope::User, TrustingAgent::Gemini) => Some(format!(
                "does not hold: this folder is marked as not trusted, and there {name} loads no hooks of any settings"
            )),
            (FolderTrust::Distrusted | FolderTrust::Unknown, InstallScope::Repo, _) => {
                Some(format!("does not hold: this folder is not trusted, and {name} loads no hooks of such a folder"))
            }
        }
    }
}

/// Whether the settings of Qwen Code turn all of its hooks off; those of the repository win.
fn switched_off(root: &Path, folder: Option<&Path>) -> bool {
    let own = root.join(HookAgent::Qwen.folder());
    let said = |folder: &Path| flag(&text_of(&folder.join("settings.json")), &["disableAllHooks"]);
    said(&own).or_else(|| said(folder?)) == Some(true)
}

/// A switch in settings, by its path.
fn flag(settings: &str, path: &[&str]) -> Option<bool> {
    let (last, objects) = path.split_last()?;
    let top = top(settings)?;
    let object = objects.iter().try_fold(&top, |object, name| object.get_object(name))?;
    object.get_boolean(last).map(|found| found.value)
}

fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// JSON, which may have comments.
fn top(text: &str) -> Option<Object<'_>> {
    match jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).ok()?.value? {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// The longest path of the rules decides, as it is written, among those that hold the folder.
fn by_rules(root: &Path, rules: &[(String, String)]) -> FolderTrust {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let holds = |(path, level): &&(String, String)| {
        let folder = match level.as_str() {
            "TRUST_PARENT" => Path::new(path).parent().unwrap_or_else(|| Path::new(path)),
            _ => Path::new(path),
        };
        real(root).starts_with(real(folder))
    };
    match rules.iter().filter(holds).max_by_key(|(path, _)| path.len()).map(|(_, level)| level.as_str()) {
        Some("TRUST_FOLDER" | "TRUST_PARENT") => FolderTrust::Trusted,
        Some("DO_NOT_TRUST") => FolderTrust::Distrusted,
        Some(_) | None => FolderTrust::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_decides() {
        let of = |rules: &[(&str, &str)]| {
            let rules: Vec<_> = rules.iter().map(|(path, level)| ((*path).to_owned(), (*level).to_owned())).collect();
            by_rules(Path::new("/no/such/a"), &rules)
        };
        assert_eq!(of(&[]), FolderTrust::Unknown);
        assert_eq!(of(&[("/no/such/a", "TRUST_FOLDER")]), FolderTrust::Trusted);
        assert_eq!(of(&[("/no/such", "TRUST_FOLDER")]), FolderTrust::Trusted);
        assert_eq!(of(&[("/no/such/ab", "TRUST_FOLDER")]), FolderTrust::Unknown);
        assert_eq!(of(&[("/no/such/b", "TRUST_PARENT")]), FolderTrust::Trusted);
        assert_eq!(of(&[("/no/such", "TRUST_FOLDER"), ("/no/such/a", "DO_NOT_TRUST")]), FolderTrust::Distrusted);
        assert_eq!(of(&[("/no/such/a", "TRUST_FOLDER"), ("/no", "DO_NOT_TRUST")]), FolderTrust::Trusted);
        assert_eq!(of(&[("/no/such/a", "SOMETHING_NEW")]), FolderTrust::Unknown);
    }
}
