//! Files that tools leave behind.

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{Change, File, Finding, Side};

/// Folders of caches and of installed packages.
const FOLDERS: [&str; 10] = [
    "__pycache__",
    "node_modules",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".ipynb_checkpoints",
    ".tox",
    ".nyc_output",
    ".gradle",
    ".parcel-cache",
];
const NAMES: [&str; 5] = [".DS_Store", "Thumbs.db", "desktop.ini", "npm-debug.log", "yarn-error.log"];
const EXTENSIONS: [&str; 8] = ["orig", "rej", "bak", "swp", "swo", "pyc", "pyo", "tmp"];

pub fn judge(file: &File, change: &Change) -> Option<Finding> {
    let path = file.path();
    if file.before().exists() && file.old_path().is_none() {
        return None;
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let what = match () {
        _ if NAMES.contains(&name) => "a file of an operating system or a tool",
        _ if name.ends_with('~') && name.len() > 1 => "a backup copy of an editor",
        _ if name.starts_with("#") && name.ends_with('#') => "an autosave file of an editor",
        _ if EXTENSIONS.contains(&file.extension().as_str()) => match file.extension().as_str() {
            "rej" => "a rejected part of a patch",
            "orig" => "a copy that a patch or a merge left",
            "pyc" | "pyo" => "a compiled file",
            _ => "a backup or swap copy",
        },
        _ => {
            let at = folder.split('/').position(|part| FOLDERS.contains(&part))?;
            let cache: Vec<&str> = folder.split('/').take(at + 1).collect();
            let cache = cache.join("/");
            // A repository may keep its packages on purpose.
            let is_kept = change.repo(Side::Before).is_dir(&cache).unwrap_or(true);
            if is_kept || is_material(path) {
                return None;
            }
            "in a folder of caches or installed packages"
        }
    };
    if is_material(path) {
        return None;
    }
    let message = format!("{path} is {what}, and does not belong into the repository");
    let help = "Leave the file out of the change. If the tests need it, keep it among their fixtures.";
    Some(file.error("junk-file", message).help(help))
}

/// What tests read may look like anything.
fn is_material(path: &str) -> bool {
    matches!(kind_of(path), Kind::Test | Kind::TestData | Kind::Example | Kind::Template)
}
