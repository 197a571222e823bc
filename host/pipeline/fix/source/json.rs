//! A list of issues as JSON.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::fix::issue::{Detector, Issue, ListedState, TEXT, TITLE, fingerprint, line, repo_path};

pub const HINT: &str = "a list is {\"issues\": [{\"title\": …, \"path\": …, \"line\": …}]}";

#[derive(Deserialize)]
struct IssueFile {
    issues: Vec<IssueEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an issue: an object with a `title`")]
struct IssueEntry {
    #[serde(default)]
    id: String,
    #[serde(default)]
    fingerprint: Option<String>,
    title: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    rule: String,
    #[serde(default, alias = "file")]
    path: Option<String>,
    #[serde(default)]
    line: Option<u32>,
    #[serde(default, alias = "estimated_effort")]
    effort: Option<u32>,
    #[serde(default, alias = "estimated_files_count")]
    files: Option<u32>,
    /// `{"guard": ID}`, `{"metric": ID}` or `"scanner"`.
    #[serde(default)]
    detector: Detector,
    #[serde(default)]
    status: IssueEntryStatus,
    #[serde(default)]
    why: Option<String>,
    #[serde(default)]
    duplicate_of: Option<String>,
    #[serde(default, rename = "severity")]
    _severity: Option<IgnoredAny>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum IssueEntryStatus {
    #[default]
    Open,
    Ignored,
    Duplicate,
}

pub fn issues(bytes: &[u8]) -> Result<Vec<Issue>, String> {
    // An untagged enum would say nothing of the place of an error.
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let entries = match text.trim_start().starts_with('[') {
        true => serde_json::from_str::<Vec<IssueEntry>>(text).map_err(|error| error.to_string())?,
        false => serde_json::from_str::<IssueFile>(text).map_err(|error| error.to_string())?.issues,
    };
    entries
        .into_iter()
        .enumerate()
        .map(|(at, entry)| issue(entry).map_err(|what| format!("issues[{at}]: {what}")))
        .collect()
}

fn issue(entry: IssueEntry) -> Result<Issue, String> {
    let title = line(&entry.title, TITLE);
    if title.is_empty() {
        return Err("the title is empty".into());
    }
    if entry.id.len() > 64 || entry.id.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(format!("{:?} is no id: at most 64 bytes without blanks", entry.id));
    }
    if entry.effort.is_some_and(|effort| !(1..=5).contains(&effort)) {
        return Err("an effort is 1 to 5".into());
    }
    if entry.files.is_some_and(|files| files == 0) || entry.line == Some(0) {
        return Err("files and line count from 1".into());
    }
    let path = match &entry.path {
        Some(text) => Some(repo_path(text).ok_or_else(|| format!("{text:?} is no path inside of the repository"))?),
        None => None,
    };
    let standing = match (entry.status, entry.duplicate_of) {
        (IssueEntryStatus::Open, None) => ListedState::Open,
        (IssueEntryStatus::Ignored, _) => ListedState::Ignored(entry.why),
        (IssueEntryStatus::Duplicate | IssueEntryStatus::Open, Some(of)) => ListedState::Duplicate(of),
        (IssueEntryStatus::Duplicate, None) => return Err("`duplicate_of` does not say of which issue".into()),
    };
    let place = path.as_ref().map(ToString::to_string).unwrap_or_default();
    let own = entry.fingerprint.filter(|own| !own.is_empty());
    let fingerprint = match &own {
        Some(own) => fingerprint(&["own", own]),
        None => fingerprint(&["json", &entry.rule, &place, &title]),
    };
    Ok(Issue {
        id: entry.id,
        fingerprint,
        title,
        text: entry.description.chars().take(TEXT).collect(),
        rule: entry.rule,
        path,
        line: entry.line,
        cited: Vec::new(),
        detector: entry.detector,
        marks: Vec::new(),
        effort: entry.effort,
        files: entry.files,
        standing,
    })
}
