//! `model.json` of a case: what models would answer, in the order of the questions.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use guardhost_core::stop::{StopToken, Stopped};
use guardhost_engine::check_schema;
use guardhost_engine::model::{ModelAnswer, ModelFailure, ModelQuestion, Models};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct CaseModels(Mutex<VecDeque<RecordedModelAnswer>>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedModelAnswer {
    /// Words that stand in the question's role or text.
    asked: Option<String>,
    #[serde(flatten)]
    given: Given,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Given {
    Answer(Value),
    Unreadable(String),
    NoAnswer(String),
    Exhausted(String),
}

impl CaseModels {
    /// A question that the case does not expect, and an answer that does not fit its schema, are no answers: the case then fails.
    fn answer(&self, question: &ModelQuestion) -> Result<ModelAnswer, ModelFailure> {
        let next = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(RecordedModelAnswer { asked, given }) = next else {
            return Err(ModelFailure::NoAnswer("model.json has no further answer".to_owned()));
        };
        let is_asked = |words: &String| question.role.contains(words) || question.text.contains(words);
        if let Some(words) = asked.filter(|words| !is_asked(words)) {
            return Err(ModelFailure::NoAnswer(format!("model.json expects a question with {words:?}")));
        }
        match given {
            Given::Answer(value) => match check_schema(&question.schema, &value, "answer") {
                Ok(()) => Ok(ModelAnswer { json: value.to_string(), by: "model.json".to_owned() }),
                Err(what) => Err(ModelFailure::Unreadable(what)),
            },
            Given::Unreadable(why) => Err(ModelFailure::Unreadable(why)),
            Given::NoAnswer(why) => Err(ModelFailure::NoAnswer(why)),
            Given::Exhausted(why) => Err(ModelFailure::Exhausted(why)),
        }
    }
}

impl Models for CaseModels {
    fn ask(
        &self,
        _guard: &str,
        questions: &[ModelQuestion],
        stop: &StopToken,
    ) -> Result<Vec<Result<ModelAnswer, ModelFailure>>, Stopped> {
        stop.check()?;
        Ok(questions.iter().map(|question| self.answer(question)).collect())
    }
}
