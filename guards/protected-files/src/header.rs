//! Notices of a licence at the top of a file.

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{Change, File, Finding, Side};

use crate::Made;

/// Lines in which a notice stands.
const TOP: usize = 30;

pub fn judge(file: &File, made: &Made) -> Option<Finding> {
    let path = file.path();
    if !matches!(kind_of(path), Kind::Code | Kind::Test) || !file.before().is_regular() || !file.after().is_regular() {
        return None;
    }
    // Nothing at the top was taken away.
    if !file.hunks().iter().any(|hunk| hunk.old_lines > 0 && hunk.old_start as usize <= TOP) {
        return None;
    }
    let (before, after) = (file.before().text().ok()?, file.after().text().ok()?);
    let notice = notice(&before)?;
    if after.trim().is_empty() || self::notice(&after).is_some() || after.contains(notice.trim()) {
        return None;
    }
    if made.speaks_of(&["licen", "copyright", "header", "spdx", "notice", "boilerplate"]) {
        return None;
    }
    let shown: String = notice.trim().chars().take(70).collect();
    Some(
        Finding::error("licence-header-dropped", format!("{path} loses its notice `{shown}`"))
            .at(path, 1)
            .help("Put the notice back at the top of the file."),
    )
}

/// Files of the folder that are looked at, at least and at most.
const BESIDE: (usize, usize) = (5, 12);

/// A new file without a notice among files that all have one.
pub fn missing(file: &File, change: &Change, made: &Made) -> Option<Finding> {
    let path = file.path();
    if file.before().exists() || file.old_path().is_some() || !matches!(kind_of(path), Kind::Code | Kind::Test) {
        return None;
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (_, ending) = name.rsplit_once('.')?;
    let after = file.after().text().ok()?;
    if after.trim().is_empty() || notice(&after).is_some() || folder.contains(['*', '[', '{', '?']) {
        return None;
    }
    let repo = change.repo(Side::Before);
    let own = if folder.is_empty() { format!("/*.{ending}") } else { format!("/{folder}/*.{ending}") };
    let beside: Vec<String> = repo.find(&[&own], 200).into_iter().filter(|other| other != path).collect();
    // An empty file needs none.
    let texts: Vec<String> = beside.iter().take(BESIDE.1).filter_map(|other| repo.text(other).ok()).collect();
    let texts: Vec<&String> = texts.iter().filter(|text| !text.trim().is_empty()).collect();
    let first = texts.first().and_then(|text| notice(text))?.trim();
    if texts.len() < BESIDE.0 || texts.iter().any(|text| notice(text).is_none()) {
        return None;
    }
    let shown: String = first.chars().take(70).collect();
    let finding = Finding::error(
        "notice-missing",
        format!("{path} has no notice, and all files beside it have one, such as `{shown}`"),
    )
    .at(path, 1)
    .help("Begin the file with the notice that the files beside it have.");
    Some(made.only_by_models(finding))
}

/// The first line of a comment at the top that says who holds the rights, or under which terms.
fn notice(text: &str) -> Option<&str> {
    text.lines().take(TOP).find(|line| {
        let lower = line.trim().to_lowercase();
        let is_comment =
            lower.starts_with(['#', '/', '*', ';', '-', '"', '\'', '<', '%']) || lower.starts_with("copyright");
        let says = [
            "spdx-license-identifier",
            "copyright (c)",
            "copyright ©",
            "licensed under",
            "licensed to the apache",
            "all rights reserved",
        ];
        let is_dated = lower.contains("copyright") && lower.contains(|c: char| c.is_ascii_digit());
        is_comment && (is_dated || says.iter().any(|form| lower.contains(form)))
    })
}
