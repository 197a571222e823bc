//! How a plan is made: a provider is asked, its reply is read and checked, and what was wrong goes back to it once.

mod brief;
mod left_out;
mod prompt;
mod question;
mod reply;
mod shared_facts;

pub use question::{Exchange, PlanQuestion, Planned};
pub use shared_facts::SharedFacts;

use guardhost_core::change::Observer;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_provider::{Chain, ProviderRuntime, TextAsk, provide_text};

use super::layers::objections_to_paths;
use super::model::Plan;

/// Name and version of the question, for records.
const PROMPT: &str = "plan/2";

/// How often the provider is asked: once, and once more with what was wrong.
const QUESTIONS: u32 = 2;

/// Asks the chain for a plan. Paths that do not exist go back to the provider once, like whatever else is wrong; what is still wrong then
/// is for the layers, if it is about paths.
///
/// `plan` of the result is an error of [`FaultKind::Provider`] with the code `plan-invalid` when the last reply is no plan.
pub fn ask(question: &PlanQuestion, chain: &mut Chain, runtime: &ProviderRuntime, observer: &dyn Observer) -> Planned {
    let mut exchanges = Vec::new();
    let plan = exchange(question, chain, runtime, observer, &mut exchanges);
    Planned { plan, exchanges, spent: chain.spent() }
}

fn exchange(
    question: &PlanQuestion,
    chain: &mut Chain,
    runtime: &ProviderRuntime,
    observer: &dyn Observer,
    exchanges: &mut Vec<Exchange>,
) -> Result<Plan> {
    let first = prompt::prompt(question)?;
    let mut wrong = String::new();
    for round in 1..=QUESTIONS {
        let text = match wrong.is_empty() {
            true => first.clone(),
            false => prompt::again(&first, &wrong),
        };
        let ask = TextAsk { text: &text, version: PROMPT, round };
        let reply = provide_text(&ask, chain, runtime, observer)?;
        let read = reply::plan(&reply, &question.context, runtime.cancel.stop())?;
        let objections = match &read {
            Ok(read) => objections_to_paths(&read.plan, question.tree)?,
            Err(_) => Vec::new(),
        };
        wrong = match &read {
            Err(what) => what.clone(),
            Ok(_) => objections.join("\n"),
        };
        let left_out = read.as_ref().map(|read| read.left_out.clone()).unwrap_or_default();
        exchanges.push(Exchange { question: text, reply, wrong: wrong.clone(), left_out });
        match read {
            Ok(read) if wrong.is_empty() || round == QUESTIONS => return Ok(read.plan),
            Ok(_) | Err(_) => {}
        }
    }
    let fault = Fault::new(FaultKind::Provider, format!("no plan came back: {wrong}"));
    Err(fault.code("plan-invalid").hint("ask another provider or model, or name a smaller task").into())
}
