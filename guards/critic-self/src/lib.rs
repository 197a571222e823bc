//! A whole pull request is reread at once: what shows only when all of its commits are seen together.

mod rules;

use critics::{Lines, Opinion, agreed, finding, findings_schema, read};
use guard_sdk::model::{Failure, Question};
use guard_sdk::{About, Capability, Change, Denied, Finding, Guard, Need, Stage, Verdict, guard, log};
use serde::Deserialize;

/// Bytes of a change that are shown: a pull request is larger than a commit, and a question has at most 512 KiB.
const SHOWN: usize = 400_000;

const ROLE: &str = "\
You are about to open a pull request and reread all of it as the reviewer who will be hardest on it. Every commit was looked at by itself; you look for what shows only in the whole: \
parts that contradict one another, a thing that is built twice, a half that is missing, a caller, a test or a document that was left behind, a promise of the commit messages that \
the code does not keep, code that nothing uses any more. Do not repeat what a look at one line shows.

Report only what is wrong, each with the file and the line that show it. An empty list is a good answer, and the usual one. You see the change and not the rest of the repository: what \
you cannot see, you do not know. When you are not sure, report a lower severity, or nothing. `blocker`: it must not be merged like this. `major`: it is wrong. `minor`: it should be \
better. `nit`: taste.";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// How many providers are asked.
    members: u32,
    /// How many of these must say a thing for it to count.
    agree: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { members: 1, agree: 1 }
    }
}

pub struct CriticSelf;

impl Guard for CriticSelf {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "A whole pull request was reread at once, and what is objected to names a line of it.",
        stages: &[Stage::Content],
        needs: &[Need::new(Capability::Model, "to ask models what is wrong with the pull request as a whole")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_self.findings",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let Some(text) = critics::about(change, SHOWN) else {
            return Ok(Verdict::not_applicable("the change has no text that a reviewer could read"));
        };
        let schema = findings_schema(&[]);
        let question = |member| Question { role: ROLE.into(), text: text.clone(), schema: schema.clone(), member };
        let questions: Vec<Question> = (0..settings.members).map(question).collect();
        let answers = match change.models().ask(&questions) {
            Ok(answers) => answers,
            Err(Denied::Unavailable(why)) => return Ok(Verdict::not_applicable(why)),
            Err(denied) => return Err(format!("models cannot be asked: {denied:?}")),
        };
        let lines = Lines::new(change);
        let (mut findings, mut members): (Vec<Finding>, Vec<Vec<Opinion>>) = (Vec::new(), Vec::new());
        for answer in answers {
            match answer.map_err(reason).and_then(|answer| read(&answer.json, &lines)) {
                Ok(said) => {
                    if said.uncited > 0 {
                        log::info(format!("{} findings name no line of the change", said.uncited));
                    }
                    members.push(said.opinions);
                }
                Err(why) => {
                    findings.push(Finding::warning("not-reviewed", format!("a reviewer did not answer: {why}")));
                }
            }
        }
        if let ([], Some(silent)) = (&*members, findings.first()) {
            return Err(format!("nobody reviewed it: {}", silent.message));
        }
        let least = settings.agree.min(members.len()).max(1);
        findings.extend(agreed(&members, least).iter().map(|(opinion, _)| finding("whole", opinion, "self")));
        Ok(Verdict::from_findings(findings))
    }
}

fn reason(failure: Failure) -> String {
    let (Failure::Unreadable(why) | Failure::NoAnswer(why) | Failure::Exhausted(why) | Failure::Other(why)) = failure;
    why
}

guard!(CriticSelf);
