//! What `guardhost:model` needs of the application: somebody who asks providers.

use serde::{Deserialize, Serialize};

use guardhost_core::stop::{StopToken, Stopped};

/// A question of a guard. The texts are the guard's, and what they quote is untrusted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct ModelQuestion {
    /// Who answers, and how.
    pub role: String,
    pub text: String,
    /// The JSON Schema of the answer.
    pub schema: String,
    /// Questions with different numbers go to different providers, as far as there are several.
    pub member: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelAnswer {
    /// An object that fits the schema.
    pub json: String,
    /// The provider, and its model if known.
    pub by: String,
}

/// Why there is no answer, with a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelFailure {
    /// What came does not fit the schema.
    Unreadable(String),
    NoAnswer(String),
    /// The budget is used up.
    Exhausted(String),
}

impl ModelFailure {
    pub fn why(&self) -> &str {
        match self {
            ModelFailure::Unreadable(why) | ModelFailure::NoAnswer(why) | ModelFailure::Exhausted(why) => why,
        }
    }
}

/// Asks providers.
pub trait Models: Send + Sync {
    /// One answer a question, in order. `guard` asks.
    ///
    /// # Errors
    /// When it was ended.
    fn ask(
        &self,
        guard: &str,
        questions: &[ModelQuestion],
        stop: &StopToken,
    ) -> Result<Vec<Result<ModelAnswer, ModelFailure>>, Stopped>;
}
