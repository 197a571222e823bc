//! To whom a repository says that it belongs. A guard sees no remote, but manifests name the address.

use guard_sdk::Repo;

/// Keys of a manifest in TOML that hold the address of the repository itself.
const KEYS: [&str; 6] = ["repository", "source", "source code", "homepage", "github", "code"];

/// Whether a manifest at the root names a repository of that owner as its own.
pub fn is(repo: &Repo, owner: &str) -> bool {
    let text = |path: &str| repo.text(path).unwrap_or_default();
    let json = |path: &str| serde_json::from_str::<serde_json::Value>(&text(path)).unwrap_or_default();
    let is_address = |address: &str| {
        let (start, address) = (format!("{owner}/").to_ascii_lowercase(), address.to_ascii_lowercase());
        let place = address.split_once("github.com/").or_else(|| address.split_once("github.com:"));
        place.map_or(address.strip_prefix("github:").unwrap_or(&address), |(_, place)| place).starts_with(&start)
    };
    let (npm, composer) = (json("package.json"), json("composer.json"));
    let addresses = [&npm["repository"], &npm["repository"]["url"], &composer["name"]];
    addresses.into_iter().filter_map(serde_json::Value::as_str).any(is_address)
        || ["Cargo.toml", "pyproject.toml"]
            .iter()
            .any(|path| text(path).lines().any(|line| line_names(line, is_address)))
        || text("go.mod").lines().any(|line| line.strip_prefix("module ").is_some_and(is_address))
}

fn line_names(line: &str, is_address: impl Fn(&str) -> bool) -> bool {
    let Some((key, value)) = line.split_once('=') else { return false };
    let key = key.trim().trim_matches('"').to_ascii_lowercase();
    KEYS.contains(&key.as_str()) && value.contains("github.com") && is_address(value.trim().trim_matches('"'))
}
