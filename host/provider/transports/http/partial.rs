//! What a server has sent so far, the same for all dialects and for streams and whole bodies.

use crate::transports::{ProviderResponse, used_tools};
use crate::{FailureClass, ProviderFailure};
use guardhost_core::change::Usage;
use serde_json::Value;

#[derive(Default)]
pub(super) struct PartialResponse {
    pub(super) text: String,
    /// The model's reasoning, where the server sends it in a field of its own. Shown, never part of the answer.
    pub(super) reasoning: String,
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
    /// Why the model stopped, in the server's word.
    pub(super) finish_reason: Option<String>,
    /// The model's own words for declining.
    pub(super) refusal: Option<String>,
    /// Tools that the answer asks for, or that the server says it used. None was offered.
    pub(super) tools: Vec<String>,
    /// An error in the middle, whatever the status was.
    pub(super) error: Option<ProviderFailure>,
    /// Nothing more will come.
    pub(super) done: bool,
}

/// What a server's finish reason means.
pub(super) enum FinishReason {
    Complete,
    Truncated,
    Declined,
    /// The model wants something that was not offered, or the word is not a known finish reason.
    Unknown,
}

impl PartialResponse {
    /// The line that is being written, or the end of it: asked for with every chunk, it must not cost more as the text grows. Whole
    /// words only: half a secret would not be recognized and redacted.
    pub(super) fn last_line(&self) -> &str {
        const END: usize = 400;
        let text = if self.text.is_empty() { &self.reasoning } else { &self.text };
        let start = text.ceil_char_boundary(text.len().saturating_sub(END));
        let (end, _) = text[start..].rsplit_once(char::is_whitespace).unwrap_or_default();
        let end = if start > 0 { end.split_once(char::is_whitespace).unwrap_or_default().1 } else { end };
        end.trim_end().rsplit('\n').next().unwrap_or_default()
    }

    /// Takes in a call of a tool, by its name.
    pub(super) fn tool(&mut self, name: &Value) {
        self.tools.push(name.as_str().unwrap_or("without a name").to_owned());
    }

    /// Whether the server gave a finish reason that makes the text complete. What happens to the connection afterwards does not matter.
    pub(super) fn is_complete(&self, finish: fn(&str) -> FinishReason) -> bool {
        self.error.is_none()
            && self.finish_reason.as_deref().is_some_and(|word| matches!(finish(word), FinishReason::Complete))
    }

    /// The answer, if there is evidence that it is complete. `finish` is the dialect's.
    pub(super) fn into_response(self, finish: fn(&str) -> FinishReason) -> Result<ProviderResponse, ProviderFailure> {
        let PartialResponse { text, reasoning, model, usage, finish_reason, refusal, tools, error, done: _ } = self;
        let fail = |class, what: String| Err(ProviderFailure { usage, ..ProviderFailure::new(class, what) });
        if let Some(failure) = error {
            return Err(ProviderFailure { usage, ..failure });
        }
        if let Some(words) = refusal.filter(|words| !words.trim().is_empty()) {
            return fail(FailureClass::Refused, format!("the model declined to answer: {words}"));
        }
        let Some(reason) = finish_reason else {
            return fail(
                FailureClass::ProtocolError,
                format!("the answer ended after {} bytes without a reason", text.len()),
            );
        };
        let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
        if let (FinishReason::Complete, Some(failure)) = (finish(&reason), used_tools(&tools)) {
            return Err(ProviderFailure { usage, ..failure });
        }
        match finish(&reason) {
            FinishReason::Truncated => {
                fail(FailureClass::TruncatedOutput, format!("the answer was cut off at a limit ({reason})"))
            }
            FinishReason::Declined => fail(FailureClass::Refused, format!("the answer was blocked ({reason})")),
            FinishReason::Unknown => {
                fail(FailureClass::ProtocolError, format!("the answer ended for the reason `{reason}`"))
            }
            FinishReason::Complete if text.trim().is_empty() && !reasoning.is_empty() => {
                fail(FailureClass::Empty, "the model thought and wrote no answer".to_owned())
            }
            FinishReason::Complete if text.trim().is_empty() => {
                fail(FailureClass::Empty, "the answer is empty".to_owned())
            }
            FinishReason::Complete => Ok(ProviderResponse::new(text, model, usage)),
        }
    }
}
