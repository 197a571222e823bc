//! Files that belong into no repository by their names: those that git ignores, and those that other systems cannot check out.

use guard_sdk::files::relative::folder;
use guard_sdk::{Change, File, Finding, Severity, Side};
use resolution::{Tree, is_ignored, is_made_folder};

pub fn judge(file: &File, change: &Change) -> Option<Finding> {
    if file.before().exists() && file.old_path().is_none() {
        return None;
    }
    unportable(file, change).or_else(|| ignored(file, change))
}

/// All that one change adds by force is one finding, which names the others.
pub fn fold(findings: &mut Vec<Finding>) {
    let is_ignored = |finding: &Finding| finding.rule == "ignored-file";
    let Some(mut first) = findings.iter().find(|finding| is_ignored(finding)).cloned() else { return };
    let others = findings.iter().filter(|finding| is_ignored(finding)).skip(1);
    if others.clone().any(|other| other.severity == Severity::Error) {
        first.severity = Severity::Error;
    }
    let named: Vec<&str> = others.filter_map(|other| other.message.split_whitespace().next()).take(9).collect();
    if !named.is_empty() {
        first.message = format!("{}; so are {}", first.message, named.join(", "));
    }
    findings.retain(|finding| !is_ignored(finding));
    findings.push(first);
}

/// What git would not have added by itself.
fn ignored(file: &File, change: &Change) -> Option<Finding> {
    let (path, before) = (file.path(), Tree::new(change, Side::Before));
    let at = folder(path);
    // Who edits what is ignored knows what they add.
    let is_edited = || change.files().any(|file| file.name() == ".gitignore");
    if !is_ignored(&before, path) || is_edited() {
        return None;
    }
    // Where the base keeps a file that is ignored, its people add them on purpose.
    let beside = if at.is_empty() { "/*".to_owned() } else { format!("/{at}/**") };
    let kept = before.find(&[&beside], 500);
    if kept.iter().any(|other| is_ignored(&before, other)) {
        return None;
    }
    let message = format!("{path} is added, and .gitignore leaves it out");
    let help = "Leave the file out of the change: a build or a person makes it.";
    let finding = file.error("ignored-file", message).help(help);
    // A pattern such as `lib/` or `.env*` also meets what people write, and add by force.
    let is_certain = is_made_folder(path) || file.name() == ".env";
    let severity = if is_certain { Severity::Error } else { Severity::Warning };
    Some(Finding { severity, ..finding })
}

/// Names that Windows keeps for devices (<https://learn.microsoft.com/windows/win32/fileio/naming-a-file>).
const DEVICES: [&str; 12] =
    ["con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "lpt1", "lpt2", "lpt3", "lpt4"];

fn unportable(file: &File, change: &Change) -> Option<Finding> {
    let path = file.path();
    let cannot = |part: &str| {
        let stem = part.split('.').next().unwrap_or(part).to_ascii_lowercase();
        part.contains([':', '<', '>', '"', '|', '?', '*', '\\'])
            || part.ends_with(['.', ' '])
            || DEVICES.contains(&stem.as_str())
    };
    let before = change.repo(Side::Before);
    let what = match path.split('/').find(|part| cannot(part)) {
        // Whoever has such names already has no such system.
        Some(_) if !before.find(&["*:*", "*\\?*", "*\\**", "*|*"], 1).is_empty() => return None,
        Some(part) => format!("the name {part} cannot be held by Windows"),
        None => format!("{} differs from it only in its case", alike(file, change)?),
    };
    let help = "Give the file a name that every system can hold.";
    Some(file.error("name-not-portable", format!("{path} cannot be checked out everywhere: {what}")).help(help))
}

/// Another file of the folder with the same letters.
fn alike(file: &File, change: &Change) -> Option<String> {
    let (path, at) = (file.path(), folder(file.path()));
    if !at.is_ascii() || at.contains(['*', '?', '[', '{']) {
        return None;
    }
    let all =
        change.repo(Side::After).find(&[&if at.is_empty() { "/*".to_owned() } else { format!("/{at}/*") }], 2_000);
    all.into_iter().find(|other| other != path && other.eq_ignore_ascii_case(path))
}
