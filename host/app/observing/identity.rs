//! The repository's id at the observer.

use std::fs;
use std::path::Path;

use guardhost_core::change::Oid;
use guardhost_git::{KnownRoots, Repo};
use guardhost_observer::repository::repository_id;
use serde_json::{Value, json};

/// Finding the root commits takes a walk over the history, so they are kept.
const FILE: &str = "roots.json";

/// # Errors
/// In words: why the repository has no id.
pub fn identity(repo: &Repo) -> Result<String, String> {
    let file = repo.state_path().join(FILE);
    let known = read(&file);
    let found = repo.roots(known.as_ref()).map_err(|error| format!("{error:#}"))?;
    let found =
        found.ok_or("the repository has no id: it has no commit, or is a shallow clone without its root commits")?;
    if known.as_ref() != Some(&found) {
        // Without the file the next run walks again.
        let _ = repo.state_dir().map(|_| write(&file, &found));
    }
    let remote = repo.remote_url().map_err(|error| format!("{error:#}"))?;
    let roots: Vec<String> = found.roots.iter().map(ToString::to_string).collect();
    Ok(repository_id(&roots, remote.as_deref()))
}

fn read(file: &Path) -> Option<KnownRoots> {
    let json: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    let oid = |value: &Value| Oid::from_str(value.as_str()?).ok();
    let roots = json.get("roots")?.as_array()?.iter().map(oid).collect::<Option<_>>()?;
    Some(KnownRoots { head: oid(json.get("head")?)?, roots })
}

fn write(file: &Path, found: &KnownRoots) {
    let roots: Vec<String> = found.roots.iter().map(ToString::to_string).collect();
    let json = json!({ "head": found.head.to_string(), "roots": roots });
    let unfinished = file.with_extension(format!("{}.part", std::process::id()));
    let _ = fs::write(&unfinished, json.to_string()).and_then(|()| fs::rename(&unfinished, file));
}
