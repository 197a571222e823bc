//! G1: build manifests and lock files change only when the task hints at that exact path.

mod manifests;
mod mention;
mod rules;
mod scope;

use guard_sdk::files::Globs;
use guard_sdk::{About, Change, File, Finding, Guard, Stage, Status, Verdict, guard};
use serde::Deserialize;

use manifests::Kind;
use scope::Scope;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    strict: bool,
    also: Globs,
    allow: Globs,
}

pub struct ScopeKept;

impl Guard for ScopeKept {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G1",
        promise: "Build manifests and lock files change only when the task hints at that exact path.",
        stages: &[Stage::Patch],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_manifest_block.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let Some(task) = change.task() else {
            return Ok(Verdict::not_applicable("no task is known"));
        };
        let compile_fix = task.is_compile_fix;
        let scope = Scope::new(task);
        let strict = settings.strict && scope.is_given();
        let mut findings = Vec::new();
        let mut manifests = 0;
        for (path, file) in change.files().flat_map(touched_paths) {
            match settings.kind(path) {
                Some(kind) => {
                    manifests += 1;
                    if compile_fix {
                        findings.push(in_compile_fix(path, kind).file(file.path()));
                    } else if !scope.names(path) {
                        findings.push(unhinted(path, kind, &scope).file(file.path()));
                    }
                }
                None if strict && !scope.covers(path) => findings.push(outside(path, &scope).file(file.path())),
                None => {}
            }
        }
        if manifests == 0 && !strict {
            return Ok(Verdict::not_applicable("no build manifest and no lock file is touched"));
        }
        Ok(Verdict::from_findings(findings))
    }
}

guard!(ScopeKept);

impl Settings {
    fn kind(&self, path: &str) -> Option<Kind> {
        if self.allow.matches(path) {
            return None;
        }
        let added = || self.also.matches(path).then_some(Kind::Manifest);
        manifests::kind(path).or_else(added)
    }
}

/// The paths at which a file of the change differs: a renamed file is gone from its old path too.
fn touched_paths(file: File<'_>) -> impl Iterator<Item = (&str, File<'_>)> {
    let left = match file.status() {
        Status::Renamed => file.old_path(),
        Status::Added | Status::Modified | Status::Deleted | Status::Copied | Status::TypeChanged => None,
    };
    left.into_iter().chain([file.path()]).map(move |path| (path, file))
}

fn in_compile_fix(path: &str, kind: Kind) -> Finding {
    Finding::error("compile-fix", format!("{path} is a {kind}, and the task is only to fix a broken build"))
        .help(format!("Leave {path} as it was and fix the source that does not build."))
}

fn unhinted(path: &str, kind: Kind, scope: &Scope) -> Finding {
    let message = match scope.namesake(path) {
        _ if scope.forbids(path) => format!("{path} is a {kind}, and the task says to leave it alone"),
        Some(hint) => format!("{path} is a {kind}, and the task hints at another file of that name, {hint}"),
        None => format!("{path} is a {kind}, and the task does not hint at it"),
    };
    let rule = match kind {
        Kind::Manifest => "manifest-unhinted",
        Kind::Lock => "lock-unhinted",
    };
    Finding::error(rule, message).help(format!(
        "Leave {path} as it was and solve the task without it. Only a task that names this exact path may change it."
    ))
}

fn outside(path: &str, scope: &Scope) -> Finding {
    Finding::error("outside-hints", format!("{path} lies outside of what the task hints at"))
        .help(format!("Leave {path} as it was. In scope: {}.", scope.listed()))
}
