//! Rust: `use crate_name::module::…` of an integration test, where the name is that of the package around it.

use guardhost_core::error::Result;

use super::super::tree_files::TreeFiles;
use guard_files::relative::{above, folder, join};

pub fn sources(path: &str, text: &str, files: &TreeFiles) -> Result<Vec<String>> {
    // `src/parse/tests.rs` is a part of `src/parse.rs` or `src/parse/mod.rs`.
    let here = folder(path);
    if path.ends_with("/tests.rs") {
        let parent = [format!("{here}.rs"), format!("{here}/mod.rs"), format!("{here}/lib.rs")];
        if let Some(parent) = parent.into_iter().find(|path| files.has(path)) {
            return Ok(vec![parent]);
        }
    }
    let Some(root) = above(here).find(|folder| join(folder, "Cargo.toml").is_some_and(|path| files.has(&path))) else {
        return Ok(Vec::new());
    };
    let manifest = files.text(&join(root, "Cargo.toml").unwrap_or_default())?.unwrap_or_default();
    let Some(name) = package(&manifest) else { return Ok(Vec::new()) };
    let prefix = format!("{}::", name.replace('-', "_"));
    let mut found = Vec::new();
    for (at, _) in text.match_indices(&prefix) {
        let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if !is_whole {
            continue;
        }
        let rest = &text[at + prefix.len()..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
        let modules: Vec<&str> = rest[..end].split("::").filter(|part| !part.is_empty()).collect();
        found.extend(module(root, &modules, files));
    }
    Ok(found)
}

/// The deepest module of the path that is a file; else the root of the library.
fn module(root: &str, modules: &[&str], files: &TreeFiles) -> Option<String> {
    let deepest = (1..=modules.len()).rev().find_map(|depth| {
        let base = modules[..depth].join("/");
        let options = [format!("src/{base}.rs"), format!("src/{base}/mod.rs")];
        options.iter().filter_map(|path| join(root, path)).find(|path| files.has(path))
    });
    let roots =
        || ["src/lib.rs", "src/main.rs"].iter().filter_map(|path| join(root, path)).find(|path| files.has(path));
    deepest.or_else(roots)
}

/// The name in `[package]`.
fn package(manifest: &str) -> Option<&str> {
    let mut lines = manifest.lines().map(str::trim).skip_while(|line| *line != "[package]").skip(1);
    let name = lines.by_ref().take_while(|line| !line.starts_with('[')).find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "name").then(|| value.trim().trim_matches('"'))
    });
    name.filter(|name| !name.is_empty())
}
