//! G10: configuration that its tool would refuse does not come in.

mod check;
#[cfg(test)]
mod differential;
mod explain;
mod judge;
mod kind;
mod problem;
mod read;
mod remedy;
mod rules;
mod sides;
mod table;
mod template;
mod value;
mod violations;
mod words;

use guard_sdk::files::Globs;
use guard_sdk::serde::Deserialize;
use guard_sdk::{About, Change, File, Guard, Stage, Verdict, guard, log};

use crate::judge::{Judgement, judge};
use crate::kind::Kind;
use crate::sides::Sides;

pub struct SchemaHolds;

#[derive(Debug, Deserialize)]
#[serde(crate = "guard_sdk::serde", deny_unknown_fields, default)]
pub struct Settings {
    /// Names as in [`Kind::name`].
    kinds: Vec<String>,
    /// Globs of paths.
    allow: Globs,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { kinds: Kind::ALL.map(|kind| kind.name().to_owned()).to_vec(), allow: Globs::default() }
    }
}

impl Settings {
    fn judges(&self, kind: Kind) -> bool {
        self.kinds.iter().any(|name| name == kind.name())
    }
}

impl Guard for SchemaHolds {
    type Settings = Settings;

    const ABOUT: About = About {
        id: "schema-holds",
        version: env!("CARGO_PKG_VERSION"),
        mark: "G10",
        promise: "No configuration file gains a key, a type or a value that its tool refuses.",
        stages: &[Stage::Content],
        globs: &[
            "package.json",
            "tsconfig*.json",
            "jsconfig.json",
            ".eslintrc*",
            ".prettierrc*",
            "**/.github/workflows/*.y*ml",
            "action.y*ml",
            "**/.github/dependabot.y*ml",
            "Cargo.toml",
            "pyproject.toml",
            ".pre-commit-config.yaml",
            "compose*.y*ml",
            "docker-compose*.y*ml",
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_schema_check.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let mut findings = Vec::new();
        let mut concerned = false;
        let mut passed_by = Vec::new();
        for file in change.files().filter(|file| is_news(file) && !settings.allow.matches(file.path())) {
            match look(&file, &settings) {
                None => {}
                Some(Judgement::Holds) => concerned = true,
                Some(Judgement::LetPass(why)) => passed_by.push(format!("{}: {why}", file.path())),
                Some(Judgement::Breaks(more)) => findings.extend(more),
                Some(Judgement::Exhausted) => return Err(format!("{}: it takes too long to judge", file.path())),
            }
        }
        if concerned || !findings.is_empty() {
            passed_by.iter().for_each(log::info);
            return Ok(Verdict::from_findings(findings));
        }
        Ok(Verdict::not_applicable(match passed_by.is_empty() {
            true => "no touched file has a schema that this guard knows".to_owned(),
            false => passed_by.join("; "),
        }))
    }
}

/// Whether the change gives the file a content of its own: not a link, not a submodule, not the bytes it had under a
/// name that means the same.
fn is_news(file: &File) -> bool {
    let (before, after) = (file.before(), file.after());
    let same_bytes = before.is_regular() && before.blob().map(|blob| &blob.oid) == after.blob().map(|blob| &blob.oid);
    let old_path = file.old_path().unwrap_or(file.path());
    after.is_regular() && !(same_bytes && kind::from_path(old_path) == kind::from_path(file.path()))
}

fn look(file: &File, settings: &Settings) -> Option<Judgement> {
    let (kind, syntax) = kind::from_path(file.path()).filter(|(kind, _)| settings.judges(*kind))?;
    let after = match file.after().text() {
        Ok(text) => text,
        Err(unreadable) => return Some(Judgement::LetPass(unreadable.reason())),
    };
    let old = kind::from_path(file.old_path().unwrap_or(file.path()))
        .filter(|(old, _)| *old == kind && file.before().is_regular());
    let before = || old.and_then(|(_, syntax)| Some((syntax, file.before().text().ok()?)));
    let changed = || file.changed_lines();
    let mark = mark(file, &after);
    Some(judge(&Sides { path: file.path(), kind, syntax, after: &after, before: &before, changed: &changed, mark }))
}

/// Bytes of the candidate's file before its text begins, if the rest of them is the text: a byte order mark's three, or none.
fn mark(file: &File, text: &str) -> Option<usize> {
    let size = file.after().blob()?.size;
    [0, 3].into_iter().find(|mark| (text.len() + mark) as u64 == size)
}

guard!(SchemaHolds);
