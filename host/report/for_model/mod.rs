//! What a model reads of a change that was not accepted: the one text for rounds of a run, hooks of agents, sessions and `--format short`.
//!
//! The promise for every text here:
//! - It has at most as many bytes as its caller allows; findings that do not fit are counted, the most severe stand first.
//! - Words of guards, models and files stand in lines marked with `|`, and no text can unmark its own lines.
//! - No character hides in it, and a line that holds a credential is not quoted.
//! - What several guards say of one line stands there once, with the source line and the help.

mod brief;
mod feedback;
mod findings;
mod quote;

pub use brief::{BRIEF_LIMIT, brief};
pub use feedback::{FEEDBACK_LIMIT, feedback};
pub use quote::{clean, cut, summary};
