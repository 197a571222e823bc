//! What only a server needs: the observer that runs share, judging on many machines, and the webhooks of forges. The commands of one
//! person's machine are the library `host`, and know nothing of this one: docs/decisions/server.md.

pub mod cli;
pub mod fleet;
pub mod judging;
pub mod serve;
