//! No line of code opens what was closed: connections, shells, statements, files, secrets.

mod agents;
mod compared;
mod images;
mod pieces;
mod rules;
mod secrets;
mod signs;
mod statements;
mod widened;

use std::ops::RangeInclusive;

use guard_sdk::files::{Globs, Kind, Language, is_tooling, kind_of};
use guard_sdk::text::lines_in;
use guard_sdk::{About, Change, File, Finding, Guard, Severity, Stage, Verdict, guard, log};
use lexing::{Line, Lines, has_line, is_lexed, masked};
use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Globs of paths.
    ignore: Globs,
}

pub struct NoUnsafeCode;

impl Guard for NoUnsafeCode {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "No added line opens what should be closed: connections, statements, shells, files, secrets, in forms that are certain.",
        stages: &[Stage::Content],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "no_unsafe_code.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let (mut findings, mut judged) = (Vec::new(), false);
        for file in change.files().filter(|file| is_judged(file, &settings)) {
            let Some(language) = Language::from_path(file.path()).filter(|language| is_lexed(*language)) else {
                continue;
            };
            let Ok(after) = file.after().text() else { continue };
            judged = true;
            findings.extend(judge(change, &file, &after, language));
            findings.extend(compared::judge(change, &file, &after));
            let is_known = |one: &Finding| {
                findings.iter().any(|other| (&other.rule, &other.path, other.line) == (&one.rule, &one.path, one.line))
            };
            let modes: Vec<Finding> = widened::modes(&file, &after).into_iter().filter(|one| !is_known(one)).collect();
            findings.extend(modes);
        }
        for file in change.files().filter(|file| file.after().is_regular() && !settings.ignore.matches(file.path())) {
            let found = agents::judge(&file).or_else(|| images::judge(&file));
            judged |= found.is_some();
            findings.extend(found.unwrap_or_default());
        }
        match judged {
            true => Ok(Verdict::from_findings(findings)),
            false => Ok(Verdict::not_applicable("no code of a language that is read is added or changed")),
        }
    }
}

guard!(NoUnsafeCode);

fn is_judged(file: &File, settings: &Settings) -> bool {
    let is_new = file.before().blob().map(|blob| &blob.oid) != file.after().blob().map(|blob| &blob.oid);
    kind_of(file.path()) == Kind::Code && file.after().is_regular() && is_new && !settings.ignore.matches(file.path())
}

fn judge(change: &Change, file: &File, after: &str, language: Language) -> Vec<Finding> {
    let path = file.path();
    let changed = file.changed_lines();
    let runs = changed.iter().map(|run| (*run.start(), run.end() - run.start() + 1));
    let written: Vec<&str> = lines_in(after, runs).into_iter().map(|(_, line)| line).collect();
    // Most changes write no sign at all, and need not be read further.
    let written = written.join("\n");
    let possible = signs::Possible::in_text(&written, path);
    let may_compose = statements::may_have(&written);
    if !possible.is_any() && !may_compose {
        return Vec::new();
    }
    let Some(lines) = Lines::read(after, language) else {
        log::info(format!("{path}: its strings cannot be told apart"));
        return Vec::new();
    };
    let mut findings: Vec<Finding> = Vec::new();
    for line in changed.iter().flat_map(|run| lines.masked(run.clone())).filter(|line| line.begins_in_code) {
        let number = line.number;
        let Some((rule, shown)) = possible.sign(&line) else { continue };
        if rule == "tls-unverified" && calls_its_own(after, &line.code) {
            continue;
        }
        // A line that only moved is no news.
        if was_there(change, line.text.trim()) {
            continue;
        }
        match findings.iter_mut().find(|other| other.rule == rule) {
            Some(first) => {
                first.related.push(guard_sdk::Related { path: path.to_owned(), lines: number..=number, message: shown })
            }
            None => findings.push(finding(rule, path, number, &shown)),
        }
    }
    if findings.is_empty() && !may_compose {
        return findings;
    }
    let lines = lines.masked(1..=lines.count());
    findings.retain(|finding| is_gained(file, language, possible, &lines, &finding.rule));
    widened::raise(file, after, &mut findings);
    if may_compose {
        findings.extend(composed(file, language, &lines, &changed, &findings));
    }
    findings
}

/// Whether a line of Python calls a function of its own file by its name: what `verify` means to that, the file says.
fn calls_its_own(text: &str, code: &str) -> bool {
    let open = code.find('(').unwrap_or(0);
    let start = code[..open].rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
    let (before, name) = (&code[..start], &code[start..open]);
    !name.is_empty()
        && !before.ends_with('.')
        && text.contains(&format!("def {name}("))
        && !before.trim_end().ends_with("def")
}

/// What is put together over several lines. One finding for a rule, and none where a line shows it by itself.
fn composed(
    file: &File,
    language: Language,
    lines: &[Line],
    changed: &[RangeInclusive<u32>],
    shown: &[Finding],
) -> Vec<Finding> {
    let now = statements::find(lines, language);
    if now.is_empty() {
        return Vec::new();
    }
    let before = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    let was = statements::find(&masked(&before, language).unwrap_or_default(), language);
    let count = |all: &[statements::Composed], rule: &str| all.iter().filter(|one| one.rule == rule).count();
    let is_touched = |line: &u32| changed.iter().any(|run| run.contains(line));
    let mut findings: Vec<Finding> = Vec::new();
    for one in now.iter().filter(|one| count(&now, one.rule) > count(&was, one.rule)) {
        let Some(line) = one.lines.iter().flat_map(Clone::clone).find(is_touched) else { continue };
        if shown.iter().chain(&findings).any(|other| other.rule == one.rule) {
            continue;
        }
        findings.push(finding(one.rule, file.path(), line, &one.shown));
    }
    findings
}

/// Whether the file breaks the rule in more lines than before: what is written anew in another place is no news.
fn is_gained(file: &File, language: Language, possible: signs::Possible, after: &[Line], rule: &str) -> bool {
    let breaks = |line: &&Line| line.begins_in_code && possible.sign(line).is_some_and(|(broken, _)| broken == rule);
    let before = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    let was = masked(&before, language).unwrap_or_default().iter().filter(breaks).count();
    after.iter().filter(breaks).count() > was
}

fn was_there(change: &Change, line: &str) -> bool {
    change.files().filter(|file| file.before().is_regular()).any(|file| {
        let language = Language::from_path(file.old_path().unwrap_or(file.path()));
        file.before().text().is_ok_and(|text| has_line(&text, language, line))
    })
}

fn finding(rule: &str, path: &str, line: u32, shown: &str) -> Finding {
    let (what, help, severity) = match rule {
        "tls-unverified" => (
            format!("`{shown}` accepts any certificate"),
            "Verify certificates; a test has its own authority, which can be named.",
            Severity::Error,
        ),
        "sql-from-text" => (
            format!("the statement `{shown}` is put together from values"),
            "Give the values as parameters of the statement.",
            Severity::Error,
        ),
        "shell-from-text" => (
            format!("`{shown}` gets a command that is put together from values"),
            "Give the program and its arguments as a list, without a shell.",
            // Who runs a script of the repository gives it its values, and has a shell.
            if is_tooling(path) { Severity::Warning } else { Severity::Error },
        ),
        "eval-of-data" => (
            format!("`{shown}` runs what it is given"),
            "Parse the data, such as by `json` or `ast.literal_eval`, and run nothing of it.",
            Severity::Error,
        ),
        "mode-open-to-all" => (
            format!("`{shown}` lets everybody on the machine write"),
            "Give only the owner the right to write: 0o600, 0o644, 0o755.",
            Severity::Error,
        ),
        "secret-printed" => (
            format!("the value of `{shown}` is written out"),
            "Say that it is set, or show a few characters of it.",
            Severity::Error,
        ),
        "secret-shown" => (
            format!("the value of `{shown}` is shown"),
            "Say that it is set, if it need not be read there.",
            Severity::Warning,
        ),
        "secret-by-default" => (
            format!("`{shown}` has a default that everybody can read"),
            "Fail with a message if it is not set.",
            Severity::Error,
        ),
        "origin-open-to-all" => ("every origin may ask".to_owned(), "Name the origins that may.", Severity::Warning),
        _ => (
            format!("a host is compared by a part of its name, `{shown}`"),
            "Parse the address, and compare its host as a whole, or by its last labels.",
            Severity::Warning,
        ),
    };
    Finding { severity, ..Finding::error(rule, what).at(path, line).help(help) }
}
