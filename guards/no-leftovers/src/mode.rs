//! The executable bit.

use guard_sdk::{File, Finding, Mode};

use crate::intent::Intent;
use crate::place::{self, Kind};

pub fn judge(file: &File, intent: &Intent) -> Option<Finding> {
    let (before, after) = (file.before().blob()?, file.after().blob()?);
    let gained = match (before.mode, after.mode) {
        (Mode::File, Mode::Executable) => true,
        (Mode::Executable, Mode::File) => false,
        _ => return None,
    };
    let is_meant =
        || intent.speaks_of(&["chmod", "executable", "permission", "mode", "shebang", "exec", "bit", "runnable"]);
    let is_script = || file.after().text().is_ok_and(|text| text.starts_with("#!"));
    let path = file.path();
    let (message, help) = match gained {
        true if is_no_program(path) && !is_script() && !is_meant() => {
            (format!("{path} is no program, and is now executable"), "Leave the file's mode at 100644.")
        }
        false if is_script() && !is_meant() => (
            format!("{path} is a script with a `#!` line, and is no longer executable"),
            "Leave the file's mode at 100755.",
        ),
        _ => return None,
    };
    Some(file.error("mode-changed", message).help(help))
}

/// Nothing runs such a file by its name.
fn is_no_program(path: &str) -> bool {
    match place::kind(path) {
        Kind::Document => true,
        Kind::Code(language) => !place::is_script(language),
        Kind::Open => path.ends_with(".txt"),
    }
}
