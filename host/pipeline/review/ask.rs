//! One question to a chain of providers, whose answer is an object that fits a schema.

use guardhost_core::change::{Budget, NullObserver, Usage};
use guardhost_core::error::Error;
use guardhost_core::stop::{StopToken, Stopped};
use guardhost_engine::check_schema;
use guardhost_engine::model::{ModelAnswer, ModelFailure};
use guardhost_patch::repair::json_object;
use guardhost_provider::{Chain, ProviderRuntime, TextAsk, is_over_budget, provide_text};
use serde_json::Value;

/// Name and version of the question, for records.
const PROMPT: &str = "review/1";

/// Bytes of a reply: 30 findings with long explanations are a tenth of it.
const REPLY: usize = 1 << 20;

/// Characters of what was wrong with an answer.
const WRONG: usize = 2_000;

/// A chain, and how often it was asked: recordings answer by this number.
pub struct Asker {
    chain: Chain,
    asked: u32,
}

impl Asker {
    pub fn new(chain: Chain) -> Self {
        Asker { chain, asked: 0 }
    }

    /// What the next questions may use, instead of what was left. The clock starts now, and nothing is spent yet.
    pub fn within(&mut self, budget: Budget) {
        self.chain = self.chain.clone().within(budget);
    }

    /// What was spent since the budget was set.
    pub fn spent(&self) -> Usage {
        self.chain.spent()
    }

    /// Asks, and once more with what was wrong. The name of the provider, and its model, stand in the answer.
    ///
    /// # Errors
    /// When it was ended.
    pub fn ask(
        &mut self,
        text: &str,
        schema: &str,
        runtime: &ProviderRuntime,
        stop: &StopToken,
    ) -> Result<Result<ModelAnswer, ModelFailure>, Stopped> {
        let first = format!(
            "{text}\n\n## Schema of the answer\n\nAnswer with one JSON object that fits this schema, and with nothing else.\n\n{schema}\n"
        );
        let mut wrong = String::new();
        for _ in 0..2 {
            stop.check()?;
            self.asked += 1;
            let text = match wrong.is_empty() {
                true => first.clone(),
                false => format!(
                    "{first}\n## Your last answer was not accepted\n\n{wrong}\n\nAnswer again, with the whole JSON object.\n"
                ),
            };
            let ask = TextAsk { text: &text, version: PROMPT, round: self.asked };
            let reply = match provide_text(&ask, &mut self.chain, runtime, &NullObserver) {
                Ok(reply) => reply,
                Err(error) => {
                    stop.check()?;
                    return Ok(Err(failure(&error)));
                }
            };
            let by = match &reply.model {
                Some(model) => format!("{}, {model}", reply.provider),
                None => reply.provider.clone(),
            };
            if reply.bytes.len() > REPLY {
                wrong = format!("the answer has {} bytes; {REPLY} are the most", reply.bytes.len());
                continue;
            }
            wrong = match json_object(&reply, Value::is_object, stop)? {
                None => "the answer holds no JSON object".to_owned(),
                Some(value) => match check_schema(schema, &value, "answer") {
                    Ok(()) => return Ok(Ok(ModelAnswer { json: value.to_string(), by })),
                    Err(what) => what.chars().take(WRONG).collect(),
                },
            };
        }
        Ok(Err(ModelFailure::Unreadable(wrong)))
    }
}

fn failure(error: &Error) -> ModelFailure {
    match is_over_budget(error) {
        true => ModelFailure::Exhausted(format!("{error:#}")),
        false => ModelFailure::NoAnswer(format!("{error:#}")),
    }
}
