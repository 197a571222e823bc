//! Targets of a Makefile that have the name of a folder: make finds the folder, and runs nothing (GNU make, "Phony Targets").

use guard_sdk::files::relative::{folder, join};
use guard_sdk::{File, Finding};
use resolution::Resolver;

pub fn findings(after: &Resolver, file: &File) -> Vec<Finding> {
    if !matches!(file.name(), "Makefile" | "makefile" | "GNUmakefile") {
        return Vec::new();
    }
    let Ok(text) = file.after().text() else { return Vec::new() };
    let old = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    let joined = text.replace("\\\n", " ");
    let phony: Vec<&str> = joined
        .lines()
        .filter_map(|line| line.trim().strip_prefix(".PHONY")?.trim_start().strip_prefix(':'))
        .flat_map(str::split_whitespace)
        .collect();
    // What stands in a variable may name any of them.
    if phony.iter().any(|name| name.contains('$')) {
        return Vec::new();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = target(line) else { continue };
        let has_recipe = lines.get(at + 1).is_some_and(|next| next.starts_with('\t'));
        let was_there = old.lines().any(|old| target(old) == Some(name));
        let Some(place) = join(folder(file.path()), name) else { continue };
        if has_recipe && !was_there && !phony.contains(&name) && after.tree().is_folder(&place) {
            let message =
                format!("the target `{name}` has the name of a folder, so that make finds it done and runs nothing");
            let finding = Finding::error("target-shadowed", message).at(file.path(), at as u32 + 1);
            found.push(finding.help(format!("Declare it: `.PHONY: {name}`.")));
        }
    }
    found
}

/// `name:`, without anything that it is made of.
fn target(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    (is_name && (rest.trim().is_empty() || rest.trim_start().starts_with('#'))).then_some(name)
}
