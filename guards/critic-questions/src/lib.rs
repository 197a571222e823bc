//! One model asks three questions about the change, another answers them, and the lines that it cites are looked up.

mod exchange;
mod rules;

use critics::Lines;
use guard_sdk::model::{Answer, Failure, Question};
use guard_sdk::{About, Capability, Change, Denied, Finding, Guard, Need, NoSettings, Stage, Verdict, guard};
use serde::de::DeserializeOwned;

use exchange::{Answered, Answers, Questions, ReviewQuestion, SLOTS, State, answers_schema, questions_schema};

/// Bytes of a change that are shown.
const SHOWN: usize = 160_000;

const QUESTIONER: &str = "\
You review a change and may ask its author exactly three questions, one of each kind: `evidence` (what shows that it does what it is for), `edge` (what happens \
with the input or the state that the author is most likely to have missed), `scope` (what else is touched, or should have been). Ask what can be answered with a \
line of the change.";

const DEFENDER: &str = "\
You answer three questions about a change in place of its author, from the text of the change alone. `handled` needs the line that shows it, as `path:line` with \
the numbers that stand before the lines. `gap`: the change does not handle it. `uncertain`: the text does not tell. Do not concede what the change does handle, and do \
not claim what no line shows.";

pub struct CriticQuestions;

impl Guard for CriticQuestions {
    type Settings = NoSettings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "Three questions about the change are answered with lines that are there.",
        stages: &[Stage::Content],
        needs: &[Need::new(
            Capability::Model,
            "to ask one model for three questions about the change, and another one to answer them",
        )],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_qa.findings",
        ..About::NONE
    };

    fn check(change: &Change, _: NoSettings) -> Result<Verdict, String> {
        let Some(about) = critics::about(change, SHOWN) else {
            return Ok(Verdict::not_applicable("the change has no text that a reviewer could read"));
        };
        let question = |role: &str, text: String, schema, member| Question { role: role.into(), text, schema, member };
        let asked = match ask::<Questions>(change, question(QUESTIONER, about.clone(), questions_schema(), 0)) {
            Ok(asked) => asked.and_then(|asked| each_slot(asked.questions, |asked| asked.slot)),
            Err(denied) => return unavailable(denied),
        };
        let asked: Vec<ReviewQuestion> = match asked {
            Ok(asked) => asked,
            Err(why) => return Err(not_reviewed(&why)),
        };
        let list: String =
            asked.iter().map(|asked| format!("- {}: {}\n", asked.slot.as_str(), asked.question)).collect();
        let text = format!("{about}\n## The questions\n\n{list}");
        let answered = match ask::<Answers>(change, question(DEFENDER, text, answers_schema(), 1)) {
            Ok(answered) => answered.and_then(|answered| each_slot(answered.answers, |answered| answered.slot)),
            Err(denied) => return unavailable(denied),
        };
        let answered: Vec<Answered> = match answered {
            Ok(answered) => answered,
            Err(why) => return Err(not_reviewed(&why)),
        };
        let lines = Lines::new(change);
        let both = asked.iter().zip(&answered);
        Ok(Verdict::from_findings(both.filter_map(|(asked, answered)| finding(asked, answered, &lines)).collect()))
    }
}

/// None when it is handled.
fn finding(asked: &ReviewQuestion, answered: &Answered, lines: &Lines) -> Option<Finding> {
    let question = asked.question.trim();
    let finding = match answered.checked(lines) {
        State::Handled => return None,
        State::Gap if answered.verdict == State::Handled => {
            let cited = answered.evidence.trim();
            let cited = if cited.is_empty() {
                "no line is cited".to_owned()
            } else {
                format!("{cited} is no line of the change")
            };
            Finding::error("gap", format!("{question} It is said to be handled, and {cited}"))
        }
        State::Gap => Finding::error("gap", question),
        State::Uncertain => Finding::warning("uncertain", question),
    };
    let finding = finding.attribute("slot", asked.slot.as_str());
    let finding = match answered.place(lines) {
        Some((path, line)) => finding.at(path, line),
        None => finding,
    };
    Some(match answered.rationale.trim() {
        "" => finding,
        rationale => finding.help(rationale),
    })
}

/// The inner error says why there is no answer.
fn ask<T: DeserializeOwned>(change: &Change, question: Question) -> Result<Result<T, String>, Denied> {
    let answer = change.models().ask(&[question])?.into_iter().next();
    Ok(match answer.unwrap_or_else(|| Err(Failure::Other("no answer".into()))) {
        Ok(Answer { json, .. }) => serde_json::from_str(&json).map_err(|error| error.to_string()),
        Err(Failure::Unreadable(why) | Failure::NoAnswer(why) | Failure::Exhausted(why) | Failure::Other(why)) => {
            Err(why)
        }
    })
}

/// Sorted, if there is exactly one of each.
fn each_slot<T>(mut all: Vec<T>, slot: impl Fn(&T) -> exchange::Slot) -> Result<Vec<T>, String> {
    all.sort_by_key(|one| slot(one));
    match all.iter().map(&slot).eq(SLOTS) {
        true => Ok(all),
        false => Err("it does not hold one entry of each kind".into()),
    }
}

fn unavailable(denied: Denied) -> Result<Verdict, String> {
    match denied {
        Denied::Unavailable(why) => Ok(Verdict::not_applicable(why)),
        other => Err(format!("models cannot be asked: {other:?}")),
    }
}

fn not_reviewed(why: &str) -> String {
    format!("the three questions and answers did not come: {why}")
}

guard!(CriticQuestions);
