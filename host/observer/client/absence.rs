//! Why the observer did not answer, or not with an answer.

use std::fmt;

/// One question that the observer did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absence {
    /// What was asked: `GET /repo/agent-log`.
    pub question: String,
    pub reason: AbsenceReason,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AbsenceReason {
    /// The setting names no address that can be asked.
    Config(String),
    /// Nothing listens there, or the connection broke.
    Unreachable(String),
    /// No whole answer came in time.
    TimedOut,
    /// What a run may wait for the observer is used up, so it was not asked.
    OutOfTime,
    /// An HTTP status that is no success, and what it says.
    Status(u16, String),
    /// More than an answer may have.
    TooLarge,
    /// No JSON, JSON of another shape, or an answer to something else.
    Unusable(String),
    /// What could not be sent could not be kept either.
    NotKept(String),
    /// So many events have more data than one may have, and were not sent.
    LeftOut(u64),
}

impl AbsenceReason {
    /// Stable, kebab-case.
    pub fn code(&self) -> &'static str {
        match self {
            AbsenceReason::Config(_) => "config",
            AbsenceReason::Unreachable(_) => "unreachable",
            AbsenceReason::TimedOut => "timed-out",
            AbsenceReason::OutOfTime => "out-of-time",
            AbsenceReason::Status(..) => "status",
            AbsenceReason::TooLarge => "too-large",
            AbsenceReason::Unusable(_) => "unusable",
            AbsenceReason::NotKept(_) => "not-kept",
            AbsenceReason::LeftOut(_) => "left-out",
        }
    }

    /// The server refuses this content, and would each time: it is not sent again.
    pub fn is_final(&self) -> bool {
        matches!(self, AbsenceReason::Status(400 | 403 | 404 | 405 | 409 | 413 | 415 | 422, _))
    }
}

impl fmt::Display for AbsenceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AbsenceReason::Config(why) => f.write_str(why),
            AbsenceReason::Unreachable(why) => write!(f, "it cannot be reached: {why}"),
            AbsenceReason::TimedOut => f.write_str("no whole answer came in time"),
            AbsenceReason::OutOfTime => f.write_str("the time that a run waits for the observer is used up"),
            AbsenceReason::Status(status, why) => write!(f, "it answered HTTP {status}: {why}"),
            AbsenceReason::TooLarge => f.write_str("its answer is too large"),
            AbsenceReason::Unusable(why) => write!(f, "its answer cannot be used: {why}"),
            AbsenceReason::NotKept(why) => write!(f, "what waits for it could not be written: {why}"),
            AbsenceReason::LeftOut(1) => f.write_str("one event is larger than it takes, and was not sent"),
            AbsenceReason::LeftOut(count) => write!(f, "{count} events are larger than it takes, and were not sent"),
        }
    }
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.question, self.reason)
    }
}
