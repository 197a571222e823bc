//! No change brings in a credential.

mod assignment;
mod header;
mod keywords;
mod known;
mod patterns;
mod place;
mod private_key;
mod random;
mod rules;
mod token;
mod url;

use std::cell::OnceCell;

use guard_sdk::files::Globs;
use guard_sdk::text::lines_in;
use guard_sdk::{About, Change, File, Finding, Guard, Stage, Verdict, guard, log};
use serde::Deserialize;

use place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Globs of paths.
    ignore: Globs,
    /// Values that are no secrets.
    allow: Vec<String>,
}

/// A secret in an added line.
struct Secret {
    rule: &'static str,
    /// What it is, with its article.
    what: String,
    value: String,
}

pub struct NoSecrets;

impl Guard for NoSecrets {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G20",
        promise: "No added line holds a credential in a form that is known.",
        stages: &[Stage::Content],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "no_secrets.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let mut findings = Vec::new();
        let mut is_concerned = false;
        let mut scanner = token::Scanner::new();
        for file in change.files().filter(|file| file.after().is_regular()) {
            let place = Place::from_path(file.path());
            if place == Place::Ignored || settings.ignore.matches(file.path()) {
                continue;
            }
            if file.before().blob().map(|blob| &blob.oid) == file.after().blob().map(|blob| &blob.oid) {
                continue;
            }
            match file.after().text() {
                Ok(text) => {
                    is_concerned = true;
                    findings.extend(judge(change, &file, &text, place, &settings, &mut scanner));
                }
                Err(why) => log::info(format!("{}: {}", file.path(), why.reason())),
            }
        }
        match is_concerned {
            true => Ok(Verdict::from_findings(findings)),
            false => Ok(Verdict::not_applicable("the change adds no text where credentials count")),
        }
    }
}

fn judge(
    change: &Change,
    file: &File,
    text: &str,
    place: Place,
    settings: &Settings,
    scanner: &mut token::Scanner,
) -> Vec<Finding> {
    // Most changes have nothing that would be looked for in the lines around.
    let all: OnceCell<Vec<&str>> = OnceCell::new();
    let all = || all.get_or_init(|| text.lines().collect());
    let mut findings = Vec::new();
    let runs = file.changed_lines().into_iter().map(|run| (*run.start(), run.end() - run.start() + 1));
    for (number, line) in lines_in(text, runs) {
        let mut secrets = scanner.tokens(line);
        if private_key::may_begin(line) {
            secrets.extend(private_key::begins(&all()[number as usize - 1..]));
        }
        secrets.extend(url::passwords(line));
        if secrets.is_empty() {
            let mut assigned = assignment::secrets(line, file.path(), place, !file.before().exists());
            assigned.extend(header::tokens(line, place));
            // Asked last: it reads the lines around.
            if !assigned.is_empty() && !is_of_search(all(), number as usize) {
                secrets.extend(assigned);
            }
        }
        for secret in secrets {
            let allowed = settings.allow.iter().any(|allowed| secret.value.contains(allowed.as_str()));
            if allowed || known::is_public(&secret.value) || was_there(change, &secret.value, settings) {
                continue;
            }
            findings.push(finding(file.path(), number, line, &secret));
        }
    }
    findings
}

/// Lines above and below that are asked what a key is for.
const NEAR: usize = 8;

/// Whether the lines around set up the search of a web site, whose key browsers are sent.
fn is_of_search(lines: &[&str], number: usize) -> bool {
    let near = &lines[number.saturating_sub(1 + NEAR)..lines.len().min(number + NEAR)];
    near.iter().map(|line| line.to_ascii_lowercase()).any(|line| line.contains("algolia") || line.contains("docsearch"))
}

/// Whether a touched file of the base holds the value where credentials count: it moved, and is no news.
fn was_there(change: &Change, value: &str, settings: &Settings) -> bool {
    let counts = |path: &str| Place::from_path(path) != Place::Ignored && !settings.ignore.matches(path);
    let of_base = change.files().filter(|file| file.before().is_regular());
    let mut of_base = of_base.filter(|file| counts(file.old_path().unwrap_or(file.path())));
    of_base.any(|file| file.before().text().is_ok_and(|text| text.contains(value)))
}

fn finding(path: &str, number: u32, line: &str, secret: &Secret) -> Finding {
    let start: String = secret.value.chars().take(4).collect();
    let message = format!("{} is added (`{start}…`, {} characters)", secret.what, secret.value.chars().count());
    let finding = Finding::error(secret.rule, message).at(path, number).attribute("secret", "true");
    // A key of several lines has no columns.
    let finding = match line.find(&secret.value) {
        Some(at) => {
            let first = line[..at].chars().count() as u32 + 1;
            finding.columns(first, first + secret.value.chars().count() as u32 - 1)
        }
        None => finding,
    };
    finding.help(
        "Take it out, and read it at run time from the environment or a secret store. In a document or an example, write a \
         placeholder such as `<your-token>`. A credential that was ever real has to be revoked.",
    )
}

guard!(NoSecrets);
