//! Observe: every report in every format as a snapshot, the trace, the records; and text that means harm.

mod harm;
mod records;
mod reports;
mod samples;
mod trace;
