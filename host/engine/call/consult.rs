//! What a guard asks beyond the change: each question and its answer are recorded, so that the call can be repeated without the network,
//! the toolchain, git's log, earlier runs or a model. A verdict that rests on them is not reused.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call::store_data::StoreData;
use crate::call::transcript::{RecordedReply, ServiceFailure, ServiceReply};
use crate::limits::GuardStop;
use crate::services::HostServices;
use guardhost_core::change::{Answers, RecordedAnswers, Service};
use guardhost_core::masked;

impl StoreData {
    /// Asks a service, or in a replay the record. `question` says all that decides the answer, beside the change itself.
    ///
    /// # Errors
    /// Of the service; [`GuardStop::NotRecorded`]: in a replay, when this was not the next question then.
    pub fn consult<Q, T>(
        &mut self,
        service: Service,
        question: &Q,
        ask: impl FnOnce(&HostServices) -> Result<ServiceReply<T>, GuardStop>,
    ) -> Result<ServiceReply<T>, GuardStop>
    where
        Q: Serialize,
        T: Serialize + DeserializeOwned,
    {
        self.reads.note_other();
        let as_json = |error: serde_json::Error| GuardStop::Machine(format!("a question has no form in JSON: {error}"));
        let question = serde_json::to_value(question).map_err(as_json)?;
        if let Some(recorded) = self.services().recorded.clone() {
            let answer = self.recorded(&recorded, service, &question)?;
            let reply = serde_json::from_value(answer.clone()).map_err(|error| {
                self.transcript.missing(format!("the answer of `{}` cannot be read: {error}", service.as_str()))
            })?;
            self.transcript.keep(service, question, answer);
            return match reply {
                RecordedReply::Reply(reply) => Ok(reply),
                RecordedReply::Failed(failure) => Err(failure.stop()),
            };
        }
        let reply = ask(self.services());
        // Only a judgement of a change can be repeated.
        if !self.guard.is_empty() {
            let recorded = match &reply {
                Ok(reply) => serde_json::to_value(reply),
                Err(stop) => match ServiceFailure::from_stop(stop) {
                    Some(failure) => serde_json::to_value(RecordedReply::<()>::Failed(failure)),
                    None => return reply,
                },
            };
            self.transcript.keep(service, question, recorded.map_err(as_json)?);
        }
        reply
    }

    /// Whether the service will give an answer, so that what it costs has to be counted. `live`: it exists here.
    pub fn offers(&self, service: Service, live: impl FnOnce(&HostServices) -> bool) -> bool {
        let Some(recorded) = &self.services().recorded else { return live(self.services()) };
        let next = recorded.guard(&self.guard).and_then(|guard| guard.answers.get(self.transcript.asked));
        // What was counted before a question that was never answered is counted again.
        next.is_none_or(|next| next.service != service || next.answer.get("unavailable").is_none())
    }

    fn recorded(&mut self, recorded: &RecordedAnswers, service: Service, question: &Value) -> Result<Value, GuardStop> {
        let recorded_guard = recorded.guard(&self.guard);
        let at = self.transcript.asked;
        let next = recorded_guard.and_then(|recorded_guard| recorded_guard.answers.get(at));
        match next {
            Some(next) if next.service == service && masked::same(&next.question, question) => Ok(next.answer.clone()),
            Some(next) => Err(self.transcript.missing(format!(
                "question {} was to `{}` then, and is another one to `{}` now",
                at + 1,
                next.service.as_str(),
                service.as_str()
            ))),
            None => {
                let left_out = recorded_guard.map_or(0, |recorded_guard| recorded_guard.left_out);
                let why = match left_out {
                    0 => format!("question {}, to `{}`, was not asked then", at + 1, service.as_str()),
                    count => format!(
                        "{count} answers of more than {} MiB in all were not stored, and question {}, to `{}`, needs one",
                        Answers::MOST >> 20,
                        at + 1,
                        service.as_str()
                    ),
                };
                Err(self.transcript.missing(why))
            }
        }
    }
}
