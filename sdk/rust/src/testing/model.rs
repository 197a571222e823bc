//! `model.json`: what models would answer, in the order of the questions.

use std::cell::RefCell;
use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::Value;

use crate::model::{Answer, Failure, Question};

#[derive(Clone, Default, Deserialize)]
pub(super) struct CaseModels(RefCell<VecDeque<Entry>>);

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Words that stand in the question's role or text.
    asked: Option<String>,
    #[serde(flatten)]
    answer: Given,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Given {
    Answer(Value),
    Unreadable(String),
    NoAnswer(String),
    Exhausted(String),
    Other(String),
}

impl CaseModels {
    /// # Panics
    /// When the next question is not the one that the case expects.
    pub fn answer(&self, question: &Question) -> Result<Answer, Failure> {
        let Some(Entry { asked, answer }) = self.0.borrow_mut().pop_front() else {
            return Err(Failure::NoAnswer("model.json has no further answer".into()));
        };
        let is_asked = |words: &String| question.role.contains(words) || question.text.contains(words);
        if let Some(words) = asked.filter(|words| !is_asked(words)) {
            panic!(
                "model.json expects a question with {words:?}, and this is asked:\n{}\n{}",
                question.role, question.text
            );
        }
        match answer {
            Given::Answer(value) => Ok(Answer { json: value.to_string(), by: "model.json".into() }),
            Given::Unreadable(why) => Err(Failure::Unreadable(why)),
            Given::NoAnswer(why) => Err(Failure::NoAnswer(why)),
            Given::Exhausted(why) => Err(Failure::Exhausted(why)),
            Given::Other(why) => Err(Failure::Other(why)),
        }
    }
}
