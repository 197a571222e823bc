//! Speaks to an observer. Whatever is wrong with it becomes an [`Absence`], which is recorded and shown and never ends a run.

mod absence;
mod budget;
mod calls;
mod http;

pub use absence::{Absence, AbsenceReason};
pub use budget::{ALL, CALL, ObserverTime};
pub use calls::{ClaimOutcome, FenceCheck, Stored};
pub use http::{Client, ObserverSettings};
