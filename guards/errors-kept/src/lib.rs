//! Errors are still seen: no handler swallows them, and no checker is told to leave a file out.

mod discarded;
mod rules;
mod swallowed;
mod turned;
mod unasked;
mod unawaited;
mod unchecked;

use std::collections::BTreeSet;

use guard_sdk::files::{Globs, Kind, Language, kind_of};
use guard_sdk::{About, Change, File, Finding, Guard, Severity, Side, Stage, Verdict, guard, log};
use lexing::{Line, Lines, has_line, is_lexed, masked};
use serde::Deserialize;

use unchecked::Reach;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Globs of paths.
    ignore: Globs,
}

pub struct ErrorsKept;

impl Guard for ErrorsKept {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "Errors are still seen: no new handler swallows them all, nothing that may fail goes unawaited, and no checker is told to leave a whole file out.",
        stages: &[Stage::Content],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "errors_kept.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let (mut findings, mut judged) = (Vec::new(), false);
        let mut aside: Vec<(String, u32)> = Vec::new();
        let mut unread = swallowed::Unread::default();
        for file in change.files().filter(|file| is_judged(file, &settings)) {
            let lexed = Language::from_path(file.path()).filter(|language| is_lexed(*language));
            if lexed.is_none() && change.languages(Side::After).language(file.path()).is_none() {
                continue;
            }
            let Ok(after) = file.after().text() else { continue };
            judged = true;
            findings.extend(swallowed::find(change, &file, &after, &mut unread));
            let Some(language) = lexed.filter(|language| may_matter(&file, &after, *language)) else { continue };
            let Some(lines) = Lines::read(&after, language) else {
                log::info(format!("{}: its strings cannot be told apart", file.path()));
                continue;
            };
            findings.extend(judge(&file, &after, &lines, language, change.is_by_model(), &mut aside));
        }
        if let Some(why) = unread.failure {
            return Err(why);
        }
        findings.extend(counted(&aside));
        findings.extend(unread.finding());
        match judged {
            true => Ok(Verdict::from_findings(findings)),
            false => Ok(Verdict::not_applicable("no code of a language that is read is added or changed")),
        }
    }
}

guard!(ErrorsKept);

/// How far a line is indented, in bytes.
fn depth(line: &Line) -> usize {
    line.text.len() - line.text.trim_start().len()
}

fn is_judged(file: &File, settings: &Settings) -> bool {
    let is_new = file.before().blob().map(|blob| &blob.oid) != file.after().blob().map(|blob| &blob.oid);
    kind_of(file.path()) == Kind::Code && file.after().is_regular() && is_new && !settings.ignore.matches(file.path())
}

/// Whether the change may write work that is lost, or the word of a comment or a cast that is looked for.
fn may_matter(file: &File, after: &str, language: Language) -> bool {
    let new = file.added_lines().unwrap_or_default();
    new.iter().any(|line| unchecked::may_reach(&line.text))
        || discarded::may_be_in(file, &new, language)
        || may_be_unawaited(file, after, language)
        || unasked::may_be_in(file, &before_of(file))
        || turned::may_be_in(file, &before_of(file), language)
}

/// The base's text; empty where there is none.
fn before_of(file: &File) -> String {
    if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() }
}

/// What is lost, is called in a line that the change writes.
fn may_be_unawaited(file: &File, after: &str, language: Language) -> bool {
    let new = || file.added_lines().unwrap_or_default();
    unawaited::may_have(after, language) && new().iter().any(|line| line.text.contains('('))
}

fn judge(
    file: &File,
    after: &str,
    lines: &Lines,
    language: Language,
    by_model: bool,
    aside: &mut Vec<(String, u32)>,
) -> Vec<Finding> {
    let path = file.path();
    let new: BTreeSet<u32> = file.changed_lines().into_iter().flatten().collect();
    let before = before_of(file);
    let may_be_lost = may_be_unawaited(file, after, language);
    let may_be_discarded = discarded::may_be_in(file, &file.added_lines().unwrap_or_default(), language);
    // To tell all strings of both texts apart costs more than the rest of this guard.
    let may_be_unasked = unasked::may_be_in(file, &before);
    let may_be_turned = turned::may_be_in(file, &before, language);
    let (old, all) = match may_be_lost || may_be_discarded || may_be_unasked || may_be_turned {
        true => (masked(&before, language).unwrap_or_default(), lines.masked(1..=lines.count())),
        false => (Vec::new(), Vec::new()),
    };
    let mut findings: Vec<Finding> = Vec::new();
    if may_be_discarded {
        findings.extend(discarded::find(file, &old, &all, language));
    }
    if may_be_turned {
        findings.extend(turned::find(file, &old, &all, language, by_model));
    }
    if may_be_unasked {
        findings.extend(unasked::find(file, &old, &all, language));
    }
    let lost = if may_be_lost { unawaited::find(&all, language) } else { Vec::new() };
    let was_lost = match !lost.is_empty() && unawaited::may_have(&before, language) {
        true => unawaited::find(&old, language).len(),
        false => 0,
    };
    let is_gain = lost.len() > was_lost;
    findings.extend(lost.iter().filter(|lost| is_gain && new.contains(&lost.line)).map(|lost| {
        Finding::error("not-awaited", format!("nobody waits for `{}`, so its errors are lost", lost.shown))
            .at(path, lost.line)
            .help("Await it: `await f()`, or `for (const x of xs) { await … }` or `await Promise.all(xs.map(async …))` in place of `forEach`.")
    }));
    // A generator writes such comments over what no person reads. That a text says so is nothing that anybody can check.
    let is_generated = guard_generated::says_generated(after);
    let severity = if is_generated { Severity::Warning } else { Severity::Error };
    let stood = |line: &Line| has_line(&before, Some(language), line.text.trim());
    for line in file.changed_lines().into_iter().flat_map(|run| lines.masked(run)) {
        match unchecked::reach(&line) {
            Some(Reach::File) if !stood(&line) => {
                let comment: String = line.text.trim().chars().take(60).collect();
                let about = Finding::error(
                    "file-unchecked",
                    format!("`{comment}` takes {path} as a whole away from a checker"),
                );
                let help = "Remove the comment, and fix what the checker finds; where one line must be left out, name the rule there and say why.";
                findings.push(Finding { severity, ..about }.at(path, line.number).help(help));
            }
            Some(Reach::Line) if !stood(&line) => aside.push((path.to_owned(), line.number)),
            Some(_) | None => {}
        }
    }
    findings
}

/// One warning for all lines of the change.
fn counted(aside: &[(String, u32)]) -> Option<Finding> {
    let (path, line) = aside.first()?;
    let message = match aside.len() {
        1 => "the change tells a checker to leave 1 line out".to_owned(),
        count => format!("the change tells a checker to leave {count} lines out"),
    };
    let finding = Finding::warning("lines-unchecked", message)
        .at(path, *line)
        .help("Fix what the checker finds, where that is possible.");
    Some(
        aside
            .iter()
            .skip(1)
            .take(9)
            .fold(finding, |finding, (path, line)| finding.related(path, *line..=*line, "here too")),
    )
}
