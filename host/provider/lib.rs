//! Asks a command-line agent, a server or a recording for a change, and falls back along a chain of providers.
//!
//! - `provide` is the entry: it asks the providers of a `chain` in the order of a `schedule`; `attempt` asks one of them.
//! - `prompt` writes the question; `transports` sends it by a process, over HTTP, or reads the answer from a `recording`.
//! - `provider`, `preset` and `settings` say which providers there are and how they are reached.
//! - `watched` notices what a program did to the repository; `probe` asks which tools an agent offers its model.
//! - `failure` says what each kind of failure means; `error_patterns` classifies messages and statuses.
//! - `budget` bounds a run, `cancel` ends it, `progress` shows it; `environment` and `secrets` keep keys where they belong.
//!
//! Success is evidence in the structure of the output: never the exit code alone, never a phrase.

mod attempt;
mod budget;
mod cancel;
mod chain;
mod environment;
mod error_patterns;
mod failure;
mod family;
mod preset;
mod probe;
mod progress;
mod prompt;
mod provide;
mod provider;
mod recording;
mod runtime;
mod schedule;
mod secrets;
mod settings;
mod transports;
mod watched;

pub use budget::SharedSpending;
pub use cancel::Cancel;
pub use chain::{Chain, NextAttempt, ReplyForm};
pub use environment::Environment;
pub use failure::{FailureClass, Fallback, ProviderFailure};
pub use family::ModelFamily;
pub use probe::{OfferedTools, offered_tools, probed_agents};
pub use prompt::tokens;
pub use provide::{Ask, TextAsk, is_over_budget, provide, provide_async, provide_text};
pub use provider::{AnswerLimits, Provider, Transport};
pub use recording::Recorder;
pub use runtime::{ProviderRuntime, RepositoryChanges, WatchRepository};
pub use settings::{ChainHint, ChosenChain, OnHookError, ProviderSettings};
pub use transports::cli::{OnChange, sweep_scratch};
