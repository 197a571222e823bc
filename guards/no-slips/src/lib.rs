//! No slip that any reader would point at comes in: what is written does something, once, and for whom it is meant.

mod absent;
mod blocks;
mod choices;
mod compared;
mod conditions;
mod defaults;
mod defined;
mod finally;
mod formats;
mod formatted;
mod imported;
mod interpolated;
mod iterated;
mod keys;
mod members;
mod ordered;
mod reached;
mod remembering;
mod rules;
mod siblings;
mod subject;
mod words;

use guard_sdk::files::{Globs, Kind, kind_of};
use guard_sdk::{About, Capability, Change, File, Finding, Guard, Need, Stage, Verdict, guard, log};
use serde::Deserialize;

use subject::Subject;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Globs of paths.
    ignore: Globs,
}

pub struct NoSlips;

impl Guard for NoSlips {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "No plain slip comes in: nothing is defined twice, out of reach, compared for nothing, imported for nothing, or shared by mistake, and a choice chooses.",
        stages: &[Stage::Content],
        needs: &[Need::new(
            Capability::Repo,
            "to see whether another file gives a class the member that it reads, and whether lines that are fixed stand elsewhere too",
        )],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "no_slips.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let (mut findings, mut judged) = (Vec::new(), false);
        for file in change.files().filter(|file| is_judged(file, &settings)) {
            match Subject::new(change, file) {
                Ok(Some(subject)) => {
                    judged = true;
                    findings.extend(judge(&subject));
                }
                Ok(None) => {}
                Err(why) => {
                    judged = true;
                    log::info(format!("{}: {why}", file.path()));
                }
            }
        }
        findings.extend(siblings::judge(change, change.files().filter(|file| is_judged(file, &settings))));
        match judged || !findings.is_empty() {
            true => Ok(Verdict::from_findings(findings)),
            false => Ok(Verdict::not_applicable("no code of a language that is read is added or changed")),
        }
    }
}

guard!(NoSlips);

fn is_judged(file: &File, settings: &Settings) -> bool {
    let is_new = file.before().blob().map(|blob| &blob.oid) != file.after().blob().map(|blob| &blob.oid);
    matches!(kind_of(file.path()), Kind::Code | Kind::Test)
        && file.after().is_regular()
        && is_new
        && !settings.ignore.matches(file.path())
}

fn judge(subject: &Subject) -> Vec<Finding> {
    let read = subject.read();
    let mut findings = defined::judge(subject, &read);
    findings.extend(defaults::judge(subject, &read));
    findings.extend(absent::judge(subject, &read));
    findings.extend(reached::judge(subject, &read));
    findings.extend(conditions::judge(subject, &read));
    findings.extend(compared::judge(subject, &read));
    findings.extend(choices::judge(subject, &read));
    findings.extend(formats::judge(subject, &read));
    findings.extend(interpolated::judge(subject));
    findings.extend(keys::judge(subject, &read));
    findings.extend(members::judge(subject));
    findings.extend(finally::judge(subject, &read));
    findings.extend(iterated::judge(subject, &read));
    findings.extend(ordered::judge(subject, &read));
    findings.extend(remembering::judge(subject));
    findings.extend(imported::judge(subject, &read));
    findings
}
