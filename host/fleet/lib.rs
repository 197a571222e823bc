//! Judging on many machines. A submitter puts a [`job::Job`] into a [`queue::Queue`]; a [`worker`] takes it, fetches the objects that it
//! lacks ([`objects`]), judges, and answers with a signed [`result`]. How a change is judged is handed in, so that this crate knows no guards.
//!
//! What makes it exact:
//! - the id of a job is a digest of all that decides its verdict, so that a job that is submitted twice is one job;
//! - the first result of a job is kept, and never replaced; a later one must be equal byte for byte, else an alarm names both workers;
//! - a job is leased, and comes back when its worker says nothing for a while; so a job is never lost, and may be judged twice;
//! - a queue that is full refuses new jobs and keeps old ones; a job that ends its workers is put aside with the reason;
//! - each failure is counted where it belongs ([`failure`]): that of a machine is not the job's.

pub mod alarm;
pub mod failure;
pub mod hex;
pub mod job;
pub mod keys;
pub mod metrics;
pub mod objects;
pub mod queue;
pub mod result;
pub mod settings;
pub mod shared_verdicts;
pub mod submit;
pub mod worker;
