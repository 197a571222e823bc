//! An adversary reads the change: every objection cites one of four axioms.

mod rules;

use critics::{Lines, agreed, finding, findings_schema, read};
use guard_sdk::model::{Failure, Question};
use guard_sdk::{About, Capability, Change, Denied, Guard, Need, NoSettings, Stage, Verdict, guard, log};

/// Bytes of a change that are shown.
const SHOWN: usize = 240_000;

/// Each is a rule of this guard.
const AXIOMS: [&str; 4] = ["mutation", "success", "ambiguity", "opacity"];

const ROLE: &str = "\
You are an adversary who is paid for every real defect of a change, and loses twice as much for a false one. Attack it by four axioms, and cite one with each \
finding:

- mutation: no state that others rely on is changed without a bound and without a word.
- success: no step is taken to succeed; somebody says what happens if it does not.
- ambiguity: nothing can be read in two ways, neither code nor text.
- opacity: no failure and no decision is silent.

Report what you can show with a file and a line of the change. An empty list is a good answer: if the change holds, say so by finding nothing. \
`blocker`: data is lost or a promise is broken. `major`: it is wrong for inputs that will come. `minor` and `nit`: the rest.";

pub struct CriticDevil;

impl Guard for CriticDevil {
    type Settings = NoSettings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "An adversary has read the change; each objection names a line and one of four axioms.",
        stages: &[Stage::Content],
        needs: &[Need::new(Capability::Model, "to ask a model, as an adversary, what is wrong with the change")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_devil.findings",
        ..About::NONE
    };

    fn check(change: &Change, _: NoSettings) -> Result<Verdict, String> {
        let Some(text) = critics::about(change, SHOWN) else {
            return Ok(Verdict::not_applicable("the change has no text that a reviewer could read"));
        };
        let question = Question { role: ROLE.into(), text, schema: findings_schema(&AXIOMS), member: 0 };
        let answers = match change.models().ask(&[question]) {
            Ok(answers) => answers,
            Err(Denied::Unavailable(why)) => return Ok(Verdict::not_applicable(why)),
            Err(denied) => return Err(format!("models cannot be asked: {denied:?}")),
        };
        let answer = answers.into_iter().next().unwrap_or_else(|| Err(Failure::Other("no answer".into())));
        let said = answer.map_err(reason).and_then(|answer| read(&answer.json, &Lines::new(change)));
        let said = said.map_err(|why| format!("the adversary did not answer: {why}"))?;
        if said.uncited > 0 {
            log::info(format!("{} findings name no line of the change", said.uncited));
        }
        let findings = agreed(&[said.opinions], 1);
        let axiom = |axiom: &str| AXIOMS.into_iter().find(|known| *known == axiom);
        let findings =
            findings.iter().filter_map(|(opinion, _)| Some(finding(axiom(&opinion.axiom)?, opinion, "adversary")));
        Ok(Verdict::from_findings(findings.collect()))
    }
}

fn reason(failure: Failure) -> String {
    let (Failure::Unreadable(why) | Failure::NoAnswer(why) | Failure::Exhausted(why) | Failure::Other(why)) = failure;
    why
}

guard!(CriticDevil);
