//! Asks a command-line agent, a server or a recording for a change, and falls back along a chain of providers.
//!
//! `prompt` writes the question, `provider`, `preset` and `settings` say which providers there are, `chain` in which order they are
//! asked, `budget` how much a run may use. `cli`, `http` and `recording` send one question; `failure` and `signs` classify what went
//! wrong. Success is evidence in the structure of the output: never the exit code alone, never a phrase.

mod answer;
mod attempt;
mod budget;
mod cancel;
mod chain;
mod cli;
mod environment;
mod failure;
mod http;
mod preset;
mod progress;
mod prompt;
mod provide;
mod provider;
mod recording;
mod settings;
mod signs;
mod turns;

pub use cancel::Cancel;
pub use chain::{Chain, NextAttempt, ReplyForm};
pub use environment::Environment;
pub use failure::{FailureClass, Next, ProviderFailure};
pub use prompt::tokens;
pub use provide::{Ask, ProviderRuntime, is_over_budget, provide, provide_async};
pub use provider::{Limits, Provider, Transport};
pub use recording::Recorder;
pub use settings::{ChainHint, ChosenChain, Settings};
