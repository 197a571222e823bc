//! Scripts of a package.json.

use guard_sdk::analysis::Tree;
use serde_json::Value;

use super::{Step, file};

/// `npm run lint`, `npm test`, `yarn lint`.
pub fn scripts(tree: &Tree, folder: &str, arguments: &[&str]) -> Vec<Step> {
    let mut words = arguments.iter().filter(|word| !word.starts_with('-')).copied();
    let name = match words.next() {
        Some("run" | "run-script" | "exec") => words.next(),
        Some("t" | "tst") => Some("test"),
        other => other,
    };
    name.map_or(Vec::new(), |name| named(tree, folder, &[name]))
}

/// These scripts, and what runs before and behind them. A name may end in a star.
pub fn named(tree: &Tree, folder: &str, names: &[&str]) -> Vec<Step> {
    let Some((path, text)) = file(tree, folder, &["package.json"]) else { return Vec::new() };
    let Ok(manifest) = serde_json::from_str::<Value>(&text) else { return Vec::new() };
    let Some(scripts) = manifest.get("scripts").and_then(Value::as_object) else { return Vec::new() };
    let is_named = |script: &str, name: &str| match name.trim_end_matches('*') {
        start if start.len() < name.len() => script.starts_with(start),
        _ => [name.to_owned(), format!("pre{name}"), format!("post{name}")].iter().any(|own| own == script),
    };
    let called = scripts.iter().filter(|(script, _)| names.iter().any(|name| is_named(script, name)));
    called
        .filter_map(|(script, command)| {
            let key = format!("\"{script}\"");
            let of_scripts = text.find("\"scripts\"").map_or(0, |at| text[..at].lines().count().saturating_sub(1));
            let line = text.lines().skip(of_scripts).position(|line| line.trim_start().starts_with(&key));
            Some(Step::new(command.as_str()?, &path, line.map_or(1, |line| of_scripts + line + 1)))
        })
        .collect()
}
