//! What models say of a change: the questions of critics, and independent votes.

mod answer_log;
mod ask;
mod change_text;
pub mod compare;
mod models;
mod record;
pub mod vote;

pub use answer_log::{AnswerLog, RecordedModels};
pub use ask::Asker;
pub use change_text::{ChangeText, withheld};
pub use models::ProviderModels;
pub use record::{Critics, embedded_critics, record_review};
