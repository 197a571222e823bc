//! A file of code that has nothing left in it.

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{File, Finding};

/// Lines that say something, at least, that went.
const LEAST: usize = 5;

pub fn judge(file: &File, after: &str) -> Option<Finding> {
    let is_marker = matches!(file.name(), "__init__.py" | "__init__.pyi" | "mod.rs" | "py.typed" | ".gitkeep");
    if !after.trim().is_empty() || is_marker || !file.before().is_regular() || file.old_path().is_some() {
        return None;
    }
    if !matches!(kind_of(file.path()), Kind::Code | Kind::Test | Kind::Configuration | Kind::Document) {
        return None;
    }
    let before = file.before().text().ok()?;
    let lines = before.lines().filter(|line| !line.trim().is_empty()).count();
    (lines >= LEAST).then(|| {
        let message = format!("{} is empty now; it had {lines} lines", file.path());
        file.error("file-emptied", message).help("Bring the lines back, or delete the file if nothing needs it.")
    })
}
