//! G2: every touched file still parses, and nothing of the way it came is left in it.

mod chatter;
mod duplicates;
mod fence;
mod judge;
mod markers;
mod on_purpose;
mod parse;
mod remedy;
mod rules;
mod sides;
mod syntax;
mod template;
mod unreadable;

use std::cell::RefCell;

use guard_sdk::files::Globs;
use guard_sdk::serde::Deserialize;
use guard_sdk::{About, Change, File, Guard, Stage, Verdict, guard, log};

use crate::judge::{Judgement, judge};
use crate::sides::Sides;
use crate::syntax::Syntax;

pub struct SyntaxHolds;

#[derive(Debug, Deserialize)]
#[serde(crate = "guard_sdk::serde", deny_unknown_fields, default)]
pub struct Settings {
    /// Names as in [`Syntax::name`], or [`ALL`].
    languages: Vec<String>,
    /// Globs of paths.
    allow_broken: Globs,
}

const ALL: &str = "*";

impl Default for Settings {
    fn default() -> Settings {
        Settings { languages: vec![ALL.to_owned()], allow_broken: Globs::default() }
    }
}

impl Settings {
    fn judges(&self, syntax: &Syntax) -> bool {
        self.languages.iter().any(|name| name == ALL || name == syntax.name())
    }
}

impl Guard for SyntaxHolds {
    type Settings = Settings;

    const ABOUT: About = About {
        id: "syntax-holds",
        version: env!("CARGO_PKG_VERSION"),
        mark: "G2",
        promise: "Every touched file that parsed before still parses, and so does every added one; no conflict marker and no code fence round a file comes in.",
        stages: &[Stage::Content],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_syntax_check.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let mut findings = Vec::new();
        let mut concerned = false;
        let mut passed_by = Vec::new();
        for file in change.files().filter(|file| is_news(change, file) && !settings.allow_broken.matches(file.path())) {
            match look(change, &file, &settings)? {
                Judgement::Unknown => {}
                Judgement::Holds => concerned = true,
                Judgement::LetPass(why) => passed_by.push(format!("{}: {why}", file.path())),
                Judgement::Breaks(more) => findings.extend(more),
            }
        }
        if concerned || !findings.is_empty() {
            passed_by.iter().for_each(log::info);
            return Ok(Verdict::from_findings(findings));
        }
        Ok(Verdict::not_applicable(match passed_by.is_empty() {
            true => "no touched file has a syntax that this guard can judge".to_owned(),
            false => passed_by.join("; "),
        }))
    }
}

/// Whether the change gives the file a content of its own: not a link, not a submodule, not the bytes it had under a
/// name that means the same.
fn is_news(change: &Change, file: &File) -> bool {
    let (before, after) = (file.before(), file.after());
    let same_bytes = before.is_regular() && before.blob().map(|blob| &blob.oid) == after.blob().map(|blob| &blob.oid);
    let old_path = file.old_path().unwrap_or(file.path());
    after.is_regular()
        && !(same_bytes && Syntax::from_path(change, old_path, "") == Syntax::from_path(change, file.path(), ""))
}

/// Err: what was to be judged was read by nobody.
fn look(change: &Change, file: &File, settings: &Settings) -> Result<Judgement, String> {
    let after = match file.after().text() {
        Ok(text) => text,
        Err(unreadable) if Syntax::from_path(change, file.path(), "").is_some() => {
            return Ok(Judgement::LetPass(unreadable.reason()));
        }
        Err(_) => return Ok(Judgement::Unknown),
    };
    let before = file.before().is_regular().then(|| file.before().text().ok()).flatten();
    let old_path = file.old_path().unwrap_or(file.path());
    let sides = Sides {
        change,
        path: file.path(),
        before: before.as_deref().map(|text| (old_path, text)),
        after: &after,
        mark: mark(file, &after),
        failure: RefCell::default(),
    };
    let judgement = judge(&sides, &|syntax| settings.judges(syntax));
    match sides.failure.take() {
        Some(why) => Err(format!("{}: {why}", file.path())),
        None => Ok(judgement),
    }
}

/// Bytes of the candidate's file before its text begins, if the rest of them is the text: a byte order mark's three, or none.
fn mark(file: &File, text: &str) -> Option<usize> {
    let size = file.after().blob()?.size;
    [0, 3].into_iter().find(|mark| (text.len() + mark) as u64 == size)
}

guard!(SyntaxHolds);
