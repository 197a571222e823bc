//! Whether Gemini CLI loads the hooks that stand in a folder: it does so where the folder is trusted, and by default none is.
//!
//! Read in the program itself, and tried with it (0.61.0): `--skip-trust` starts it, and loads no hooks of the folder.

use std::path::{Path, PathBuf};

use guardhost_core::process_env::ProcessEnv;
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::{CollectOptions, ParseOptions};

use crate::cli::InstallScope;

/// What Gemini CLI was told of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FolderTrust {
    Trusted,
    /// A person or the environment said so.
    Distrusted,
    /// At a terminal it asks; elsewhere it starts with `--skip-trust`.
    Unknown,
}

impl FolderTrust {
    pub fn read(root: &Path, home: Option<&Path>, process: &ProcessEnv) -> Self {
        let is = |name: &str, value: &str| process.var(name).is_some_and(|found| found == value);
        if is("GEMINI_RESTRICTED_MODE", "true") || is("GEMINI_CLI_TRUST_WORKSPACE", "false") {
            return FolderTrust::Distrusted;
        }
        if is("GEMINI_CLI_TRUST_WORKSPACE", "true") {
            return FolderTrust::Trusted;
        }
        let in_home = |name: &str| home.map(|home| home.join(".gemini").join(name));
        if in_home("settings.json").is_some_and(|path| asks_for_no_trust(&text_of(&path))) {
            return FolderTrust::Trusted;
        }
        let named = process.var("GEMINI_CLI_TRUSTED_FOLDERS_PATH").map(PathBuf::from);
        let rules = named.or_else(|| in_home("trustedFolders.json")).map(|path| text_of(&path)).unwrap_or_default();
        let rules = top(&rules).map(|rules| rules.properties).unwrap_or_default();
        let rule =
            |rule: &ObjectProp| Some((rule.name.as_str().to_owned(), rule.value.as_string_lit()?.value.to_string()));
        by_rules(root, &rules.iter().filter_map(rule).collect::<Vec<_>>())
    }

    /// Why no hook of these settings is loaded. None: they are.
    pub fn objection(self, scope: InstallScope) -> Option<&'static str> {
        match (self, scope) {
            (FolderTrust::Trusted, _) | (FolderTrust::Unknown, InstallScope::User) => None,
            (FolderTrust::Distrusted, InstallScope::User) => Some(
                "does not hold: this folder is marked as not trusted, and there Gemini CLI loads no hooks of any settings",
            ),
            (FolderTrust::Distrusted | FolderTrust::Unknown, InstallScope::Repo) => {
                Some("does not hold: this folder is not trusted, and Gemini CLI loads no hooks of such a folder")
            }
        }
    }
}

/// Whether these settings turn the question off.
fn asks_for_no_trust(settings: &str) -> bool {
    let enabled = top(settings).as_ref().and_then(|top| {
        let trust = top.get_object("security")?.get_object("folderTrust")?;
        trust.get_boolean("enabled").map(|enabled| enabled.value)
    });
    enabled == Some(false)
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
