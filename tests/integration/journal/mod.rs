//! The journal of runs: the folder of a run, and the trace.

mod guard_events;
mod listed;
mod records;
mod retention;
mod trace;
