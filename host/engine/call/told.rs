//! What a guard is told beyond the change: each question and its answer are recorded, so that the call can be repeated without the network,
//! the toolchain, git's log, earlier runs or a model. A verdict that rests on them is not reused.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bindings::guardhost::guard::types::Denied;
use crate::call::store_data::StoreData;
use crate::limits::Stop;
use crate::services::HostServices;
use guardhost_core::change::{Answer, Answers, RecordedAnswers, Service};
use guardhost_core::masked;
use guardhost_core::stop::Stopped;

/// The questions of one call, with the answers.
#[derive(Default)]
pub struct Told {
    pub answers: Answers,
    /// Bytes of them, as JSON.
    bytes: usize,
    /// How many questions were asked.
    asked: usize,
    /// In a replay: the question that has no recorded answer.
    pub not_recorded: Option<String>,
}

/// An answer of a service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply<T> {
    Given(T),
    /// The service does not exist here; the reason, for the guard.
    Unavailable(String),
}

impl<T> Reply<T> {
    /// As the contract has it.
    pub fn granted(self) -> Result<T, Denied> {
        match self {
            Reply::Given(answer) => Ok(answer),
            Reply::Unavailable(why) => Err(Denied::Unavailable(why)),
        }
    }
}

/// An answer as it is recorded.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Recorded<T> {
    Failed(ServiceFailure),
    #[serde(untagged)]
    Reply(Reply<T>),
}

/// Why a service failed, which ends the call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ServiceFailure {
    Repository(String),
    Toolchain(String),
    Machine(String),
    /// Milliseconds that the call was allowed.
    OutOfTime(u64),
}

impl ServiceFailure {
    /// None for what is no answer: the limits of the call, the end of the whole run, what this clone does not hold.
    fn of(stop: &Stop) -> Option<Self> {
        match stop {
            Stop::Repository(what) => Some(ServiceFailure::Repository(what.clone())),
            Stop::Toolchain(what) => Some(ServiceFailure::Toolchain(what.clone())),
            Stop::Machine(what) => Some(ServiceFailure::Machine(what.clone())),
            Stop::Ended(Stopped::OutOfTime(limit)) => {
                Some(ServiceFailure::OutOfTime(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)))
            }
            Stop::Ended(Stopped::Interrupted | Stopped::OverBudget(_))
            | Stop::Memory(_)
            | Stop::Count(_)
            | Stop::Output(_)
            | Stop::Misuse(_)
            | Stop::Export(_)
            | Stop::NotRecorded(_)
            | Stop::PartialClone(_) => None,
        }
    }

    fn stop(self) -> Stop {
        match self {
            ServiceFailure::Repository(what) => Stop::Repository(what),
            ServiceFailure::Toolchain(what) => Stop::Toolchain(what),
            ServiceFailure::Machine(what) => Stop::Machine(what),
            ServiceFailure::OutOfTime(millis) => Stop::Ended(Stopped::OutOfTime(Duration::from_millis(millis))),
        }
    }
}

impl StoreData {
    /// Asks a service, or in a replay the record. `question` says all that decides the answer, beside the change itself.
    ///
    /// # Errors
    /// Of the service; [`Stop::NotRecorded`]: in a replay, when this was not the next question then.
    pub fn consult<Q, T>(
        &mut self,
        service: Service,
        question: &Q,
        ask: impl FnOnce(&HostServices) -> Result<Reply<T>, Stop>,
    ) -> Result<Reply<T>, Stop>
    where
        Q: Serialize,
        T: Serialize + DeserializeOwned,
    {
        self.reads.note_other();
        let as_json = |error: serde_json::Error| Stop::Machine(format!("a question has no form in JSON: {error}"));
        let question = serde_json::to_value(question).map_err(as_json)?;
        if let Some(recorded) = self.services().recorded.clone() {
            let answer = self.recorded(&recorded, service, &question)?;
            let reply = serde_json::from_value(answer.clone()).map_err(|error| {
                self.told.missing(format!("the answer of `{}` cannot be read: {error}", service.word()))
            })?;
            self.told.keep(service, question, answer);
            return match reply {
                Recorded::Reply(reply) => Ok(reply),
                Recorded::Failed(failure) => Err(failure.stop()),
            };
        }
        let reply = ask(self.services());
        // Only a judgement of a change can be repeated.
        if !self.guard.is_empty() {
            let recorded = match &reply {
                Ok(reply) => serde_json::to_value(reply),
                Err(stop) => match ServiceFailure::of(stop) {
                    Some(failure) => serde_json::to_value(Recorded::<()>::Failed(failure)),
                    None => return reply,
                },
            };
            self.told.keep(service, question, recorded.map_err(as_json)?);
        }
        reply
    }

    /// Whether the service will give an answer, so that what it costs has to be counted. `live`: it exists here.
    pub fn offers(&self, service: Service, live: impl FnOnce(&HostServices) -> bool) -> bool {
        let Some(recorded) = &self.services().recorded else { return live(self.services()) };
        let next = recorded.guards.get(&self.guard).and_then(|guard| guard.answers.get(self.told.asked));
        // What was counted before a question that was never answered is counted again.
        next.is_none_or(|next| next.service != service || next.answer.get("unavailable").is_none())
    }

    fn recorded(&mut self, recorded: &RecordedAnswers, service: Service, question: &Value) -> Result<Value, Stop> {
        let told = recorded.guards.get(&self.guard);
        let at = self.told.asked;
        let next = told.and_then(|told| told.answers.get(at));
        match next {
            Some(next) if next.service == service && masked::same(&next.question, question) => Ok(next.answer.clone()),
            Some(next) => Err(self.told.missing(format!(
                "question {} was to `{}` then, and is another one to `{}` now",
                at + 1,
                next.service.word(),
                service.word()
            ))),
            None => {
                let left_out = told.map_or(0, |told| told.left_out);
                let why = match left_out {
                    0 => format!("question {}, to `{}`, was not asked then", at + 1, service.word()),
                    count => format!(
                        "{count} answers of more than {} MiB in all were not kept, and question {}, to `{}`, needs one",
                        Answers::MOST >> 20,
                        at + 1,
                        service.word()
                    ),
                };
                Err(self.told.missing(why))
            }
        }
    }
}

impl Told {
    fn keep(&mut self, service: Service, question: Value, answer: Value) {
        self.asked += 1;
        let bytes = question.to_string().len() + answer.to_string().len();
        if self.answers.left_out > 0 || self.bytes + bytes > Answers::MOST {
            self.answers.left_out += 1;
            return;
        }
        self.bytes += bytes;
        self.answers.answers.push(Answer { service, question, answer });
    }

    fn missing(&mut self, why: String) -> Stop {
        self.not_recorded = Some(why.clone());
        Stop::NotRecorded(why)
    }
}
