//! Which lock file is in force for a manifest.

use guard_sdk::files::Globs;
use guard_sdk::{Change, File, Side};
use toml::de::{DeTable, DeValue};

use crate::lock::Format;

/// Lock files that may stand for a manifest of that name, and whether they may stand in a folder above.
pub fn locks_of(name: &str) -> &'static [(&'static str, bool)] {
    match name {
        "Cargo.toml" => &[("Cargo.lock", true)],
        "package.json" => {
            &[("package-lock.json", true), ("npm-shrinkwrap.json", true), ("yarn.lock", true), ("pnpm-lock.yaml", true)]
        }
        "pyproject.toml" => &[("poetry.lock", false), ("uv.lock", true)],
        "Pipfile" => &[("Pipfile.lock", false)],
        "go.mod" => &[("go.sum", false)],
        "Gemfile" => &[("Gemfile.lock", false)],
        "composer.json" => &[("composer.lock", false)],
        _ => &[],
    }
}

/// The lock file of the candidate that the base has, too: that of the workspace which lists the manifest's folder, or the nearest; none
/// when several tools keep one there.
pub fn lock_in_force(change: &Change, file: &File) -> Option<(String, Format)> {
    let is_there = |path: &str| {
        [Side::Before, Side::After].iter().all(|side| matches!(change.repo(*side).stat(path), Ok(Some(_))))
    };
    let (own, _) = file.path().rsplit_once('/').unwrap_or(("", file.path()));
    if file.name() == "go.mod" && is_in_go_workspace(change, own) {
        return None;
    }
    let names = locks_of(file.name());
    let mut folder = own;
    loop {
        // The lock file of a tool that is not read here: another beside it may be written for others only.
        let others: &[&str] = if file.name() == "package.json" { &["bun.lockb", "bun.lock", "deno.lock"] } else { &[] };
        if others.iter().any(|name| is_there(&at(folder, name))) {
            return None;
        }
        let found: Vec<String> = names
            .iter()
            .filter(|(_, may_be_above)| *may_be_above || folder == own)
            .map(|(name, _)| at(folder, name))
            .filter(|path| is_there(path))
            .collect();
        match &found[..] {
            [] if folder.is_empty() => return None,
            [] => folder = above(folder),
            _ => {
                let of_workspace = lock_of_workspace(change, file, folder, is_there);
                let path = of_workspace.or_else(|| found.first().filter(|_| found.len() == 1).cloned())?;
                return Some((path.clone(), Format::from_path(&path)?));
            }
        }
    }
}

/// Whether a `go.work` uses the module of a folder: the tool then also reads the sums in `go.work.sum` and in those of the other modules
/// (<https://go.dev/ref/mod#workspaces>).
fn is_in_go_workspace(change: &Change, own: &str) -> bool {
    let tree = change.repo(Side::After);
    std::iter::successors(Some(own), |at| (!at.is_empty()).then(|| above(at))).any(|folder| {
        let below = own.strip_prefix(folder).unwrap_or(own).trim_start_matches('/');
        let named = |line: &str| {
            let line = line.split("//").next().unwrap_or_default().trim();
            let place = line.strip_prefix("use ").unwrap_or(line).trim().trim_matches('"');
            place == "." && below.is_empty() || place.starts_with("./") && place[2..].trim_end_matches('/') == below
        };
        tree.text(&at(folder, "go.work")).is_ok_and(|text| text.lines().any(named))
    })
}

/// The lock file of a workspace above the folder, to which the manifest belongs: its tool reads none in the folder of a member.
fn lock_of_workspace(change: &Change, file: &File, below: &str, is_there: impl Fn(&str) -> bool) -> Option<String> {
    let mut folder = below;
    while !folder.is_empty() {
        folder = above(folder);
        for workspace in WORKSPACES.iter().filter(|workspace| workspace.manifest == file.name()) {
            let mut locks = workspace.locks.iter().map(|name| at(folder, name)).filter(|path| is_there(path));
            let Some(lock) = locks.next() else { continue };
            let Ok(text) = change.repo(Side::After).text(&at(folder, workspace.name)) else { continue };
            let manifest = file.path().strip_prefix(folder)?.trim_start_matches('/');
            let lists = (workspace.members)(&text)
                .and_then(|members| Globs::new(&globs(&members, workspace.manifest)).ok())
                .is_some_and(|globs| globs.matches(manifest));
            let rc = || change.repo(Side::After).text(&at(folder, ".npmrc")).unwrap_or_default();
            if lists && !(workspace.may_lock_apart && (locks_apart(&text) || locks_apart(&rc()))) {
                return Some(lock);
            }
        }
    }
    None
}

/// How a tool says which folders belong together, and where it then keeps their one lock file.
struct Workspace {
    manifest: &'static str,
    name: &'static str,
    locks: &'static [&'static str],
    /// Globs of folders, and below `!` those that are none; None where the file tells of no workspace.
    members: fn(&str) -> Option<Vec<String>>,
    /// A setting gives each member a lock file of its own.
    may_lock_apart: bool,
}

const WORKSPACES: [Workspace; 4] = [
    Workspace {
        manifest: "package.json",
        name: "pnpm-workspace.yaml",
        locks: &["pnpm-lock.yaml"],
        members: |text| {
            let node = guard_yaml::read(text)?;
            Some(node.get("packages")?.items().iter().filter_map(|item| item.text().map(str::to_owned)).collect())
        },
        may_lock_apart: true,
    },
    Workspace {
        manifest: "package.json",
        name: "package.json",
        locks: &["package-lock.json", "npm-shrinkwrap.json", "yarn.lock"],
        members: |text| {
            let value: serde_json::Value = serde_json::from_str(text).ok()?;
            let workspaces = &value["workspaces"];
            let list = workspaces.as_array().or_else(|| workspaces["packages"].as_array())?;
            Some(list.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect())
        },
        may_lock_apart: false,
    },
    Workspace {
        manifest: "Cargo.toml",
        name: "Cargo.toml",
        locks: &["Cargo.lock"],
        members: |text| members_in_toml(text, &["workspace"]),
        may_lock_apart: false,
    },
    Workspace {
        manifest: "pyproject.toml",
        name: "pyproject.toml",
        locks: &["uv.lock"],
        members: |text| members_in_toml(text, &["tool", "uv", "workspace"]),
        may_lock_apart: false,
    },
];

fn members_in_toml(text: &str, keys: &[&str]) -> Option<Vec<String>> {
    let root = DeTable::parse(text).ok()?;
    let workspace = keys.iter().try_fold(root.get_ref(), |table, key| match table.get(*key)?.get_ref() {
        DeValue::Table(inner) => Some(inner),
        _ => None,
    })?;
    let list = |key: &str| -> Vec<&str> {
        let items = workspace.get(key).and_then(|list| list.get_ref().as_array());
        items.into_iter().flat_map(|items| items.iter()).filter_map(|item| item.get_ref().as_str()).collect()
    };
    let members = list("members").into_iter().map(str::to_owned);
    Some(members.chain(list("exclude").into_iter().map(|folder| format!("!{folder}"))).collect())
}

/// The manifests of the folders that globs name. A glob of a folder alone would name all that lies below it.
fn globs(members: &[String], manifest: &str) -> Vec<String> {
    let of = |member: &String| {
        let (sign, folder) = match member.strip_prefix('!') {
            Some(folder) => ("!", folder),
            None => ("", member.as_str()),
        };
        let folder = folder.trim_start_matches("./").trim_matches('/');
        (!folder.is_empty() && folder != ".").then(|| format!("{sign}/{folder}/{manifest}"))
    };
    members.iter().filter_map(of).collect()
}

/// Whether settings of pnpm give each package of a workspace its own lock file.
fn locks_apart(settings: &str) -> bool {
    settings.lines().any(|line| {
        let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        line == "shared-workspace-lockfile=false" || line == "sharedWorkspaceLockfile:false"
    })
}

fn at(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn above(folder: &str) -> &str {
    folder.rsplit_once('/').map_or("", |(above, _)| above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_a_workspace_lists() {
        for (name, text, manifest, is_listed) in [
            ("pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n", "packages/web/package.json", true),
            ("pnpm-workspace.yaml", "packages:\n  - packages/*\n", "packages/web/examples/package.json", false),
            (
                "pnpm-workspace.yaml",
                "packages:\n  - packages/**\n  - '!**/test/**'\n",
                "packages/a/test/b/package.json",
                false,
            ),
            ("pnpm-workspace.yaml", "onlyBuiltDependencies: [a]\n", "packages/web/package.json", false),
            ("package.json", "{\"workspaces\": {\"packages\": [\"./apps/web/\"]}}", "apps/web/package.json", true),
            ("package.json", "{\"name\": \"app\"}", "apps/web/package.json", false),
            (
                "Cargo.toml",
                "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates/old\"]\n",
                "crates/new/Cargo.toml",
                true,
            ),
            (
                "Cargo.toml",
                "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates/old\"]\n",
                "crates/old/Cargo.toml",
                false,
            ),
            ("pyproject.toml", "[tool.uv.workspace]\nmembers = [\"libs/*\"]\n", "libs/a/pyproject.toml", true),
        ] {
            let workspace = WORKSPACES.iter().find(|workspace| workspace.name == name).expect("it is one");
            let members = (workspace.members)(text).unwrap_or_default();
            let globs = Globs::new(&globs(&members, workspace.manifest)).expect("they are globs");
            assert_eq!(globs.matches(manifest), is_listed, "{text} {manifest}");
        }
        assert!(locks_apart("shared-workspace-lockfile = false\n"));
        assert!(!locks_apart("shared-workspace-lockfile=true\n"));
    }
}
