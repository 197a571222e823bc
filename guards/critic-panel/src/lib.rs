//! Reviewers with different duties read the change, each by itself.

mod persona;
mod rules;

use critics::{Lines, Opinion, agreed, finding, findings_schema, read};
use guard_sdk::model::{Failure, Question};
use guard_sdk::{About, Capability, Change, Denied, Finding, Guard, Need, Stage, Verdict, guard, log};
use serde::Deserialize;

use persona::Persona;

/// Bytes of a change that are shown.
const SHOWN: usize = 160_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    personas: Vec<Persona>,
    /// How many providers each persona is asked of.
    members: u32,
    /// How many of these must say a thing for it to count.
    agree: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { personas: Persona::ALL.to_vec(), members: 1, agree: 1 }
    }
}

pub struct CriticPanel;

impl Guard for CriticPanel {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "A developer, an architect and a new contributor have read the change, and what they object to names a line of it.",
        stages: &[Stage::Content],
        needs: &[Need::new(
            Capability::Model,
            "to ask models, as a developer, an architect and a contributor, what is wrong with the change",
        )],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_panel.findings",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let Some(about) = critics::about(change, SHOWN) else {
            return Ok(Verdict::not_applicable("the change has no text that a reviewer could read"));
        };
        let schema = findings_schema(&[]);
        let ask = |persona: Persona| {
            (0..settings.members).map({
                let (about, schema) = (about.clone(), schema.clone());
                move |member| Question { role: persona.role(), text: about.clone(), schema: schema.clone(), member }
            })
        };
        let questions: Vec<Question> = settings.personas.iter().flat_map(|persona| ask(*persona)).collect();
        let answers = match change.models().ask(&questions) {
            Ok(answers) => answers,
            Err(Denied::Unavailable(why)) => return Ok(Verdict::not_applicable(why)),
            Err(denied) => return Err(format!("models cannot be asked: {denied:?}")),
        };
        let lines = Lines::new(change);
        let mut findings: Vec<Finding> = Vec::new();
        let mut answered = false;
        for (persona, answers) in settings.personas.iter().zip(answers.chunks(settings.members as usize)) {
            let mut members: Vec<Vec<Opinion>> = Vec::new();
            for answer in answers {
                match answer.as_ref().map_err(failed).and_then(|answer| read(&answer.json, &lines)) {
                    Ok(said) => {
                        answered = true;
                        if said.uncited > 0 {
                            log::info(format!(
                                "{}: {} findings name no line of the change",
                                persona.name(),
                                said.uncited
                            ));
                        }
                        members.push(said.opinions);
                    }
                    Err(why) => {
                        let message = format!("the {} did not answer: {why}", persona.name());
                        findings.push(Finding::warning("not-reviewed", message));
                    }
                }
            }
            let least = settings.agree.min(members.len()).max(1);
            let shared = agreed(&members, least);
            findings.extend(shared.iter().map(|(opinion, _)| finding("review", opinion, persona.name())));
        }
        match findings.first() {
            Some(silent) if !answered => Err(format!("nobody reviewed it: {}", silent.message)),
            _ => Ok(Verdict::from_findings(findings)),
        }
    }
}

fn failed(failure: &Failure) -> String {
    let (Failure::Unreadable(why) | Failure::NoAnswer(why) | Failure::Exhausted(why) | Failure::Other(why)) = failure;
    why.clone()
}

guard!(CriticPanel);
