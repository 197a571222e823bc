//! What a guard was told beyond the change: the questions of one call, and the answers as they are recorded.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bindings::guardhost::guard::types::Denied;
use crate::limits::GuardStop;
use guardhost_core::change::{Answer, Answers, Service};
use guardhost_core::stop::Stopped;

/// The questions of one call, with the answers.
#[derive(Default)]
pub struct CallTranscript {
    pub answers: Answers,
    /// Bytes of them, as JSON.
    bytes: usize,
    /// How many questions were asked.
    pub(super) asked: usize,
    /// In a replay: the question that has no recorded answer.
    pub not_recorded: Option<String>,
}

/// An answer of a service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ServiceReply<T> {
    Given(T),
    /// The service does not exist here; the reason, for the guard.
    Unavailable(String),
}

impl<T> ServiceReply<T> {
    /// As the contract has it.
    pub fn granted(self) -> Result<T, Denied> {
        match self {
            ServiceReply::Given(answer) => Ok(answer),
            ServiceReply::Unavailable(why) => Err(Denied::Unavailable(why)),
        }
    }
}

/// An answer as it is recorded.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RecordedReply<T> {
    Failed(ServiceFailure),
    #[serde(untagged)]
    Reply(ServiceReply<T>),
}

/// Why a service failed, which ends the call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ServiceFailure {
    Repository(String),
    Toolchain(String),
    Machine(String),
    /// Milliseconds that the call was allowed.
    OutOfTime(u64),
}

impl ServiceFailure {
    /// None for what is no answer: the limits of the call, the end of the whole run, what this clone does not hold.
    pub(super) fn from_stop(stop: &GuardStop) -> Option<Self> {
        match stop {
            GuardStop::Repository(what) => Some(ServiceFailure::Repository(what.clone())),
            GuardStop::Toolchain(what) => Some(ServiceFailure::Toolchain(what.clone())),
            GuardStop::Machine(what) => Some(ServiceFailure::Machine(what.clone())),
            GuardStop::Ended(Stopped::OutOfTime(limit)) => {
                Some(ServiceFailure::OutOfTime(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)))
            }
            GuardStop::Ended(Stopped::Interrupted | Stopped::OverBudget(_))
            | GuardStop::Memory(_)
            | GuardStop::Count(_)
            | GuardStop::Output(_)
            | GuardStop::Misuse(_)
            | GuardStop::Export(_)
            | GuardStop::NotRecorded(_)
            | GuardStop::PartialClone(_) => None,
        }
    }

    pub(super) fn stop(self) -> GuardStop {
        match self {
            ServiceFailure::Repository(what) => GuardStop::Repository(what),
            ServiceFailure::Toolchain(what) => GuardStop::Toolchain(what),
            ServiceFailure::Machine(what) => GuardStop::Machine(what),
            ServiceFailure::OutOfTime(millis) => GuardStop::Ended(Stopped::OutOfTime(Duration::from_millis(millis))),
        }
    }
}

impl CallTranscript {
    pub(super) fn keep(&mut self, service: Service, question: Value, answer: Value) {
        self.asked += 1;
        let bytes = question.to_string().len() + answer.to_string().len();
        if self.answers.left_out > 0 || self.bytes + bytes > Answers::MOST {
            self.answers.left_out += 1;
            return;
        }
        self.bytes += bytes;
        self.answers.answers.push(Answer { service, question, answer });
    }

    pub(super) fn missing(&mut self, why: String) -> GuardStop {
        self.not_recorded = Some(why.clone());
        GuardStop::NotRecorded(why)
    }
}
