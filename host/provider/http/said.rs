//! What a server has said so far, the same for all dialects and for streams and whole bodies.

use crate::answer::Answer;
use crate::{FailureClass, ProviderFailure};
use guardhost_core::change::Usage;

#[derive(Default)]
pub(super) struct Said {
    pub(super) text: String,
    /// What the model thought aloud in a field of its own. Shown, never part of the answer.
    pub(super) thought: String,
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
    /// Why the model stopped, in the server's word.
    pub(super) finish: Option<String>,
    /// The model's own words for declining.
    pub(super) refusal: Option<String>,
    /// An error in the middle, whatever the status said.
    pub(super) error: Option<ProviderFailure>,
    /// Nothing more is to come.
    pub(super) over: bool,
}

/// What the server's word for the end means.
pub(super) enum End {
    Whole,
    Cut,
    Declined,
    /// It wants something that was not offered, or has no word of this kind.
    Odd,
}

impl Said {
    /// The line that is being written, or the end of it: asked for with every chunk, it must not cost more as the text grows. Whole
    /// words only: a secret cut in two would not be known as one.
    pub(super) fn line(&self) -> &str {
        const END: usize = 400;
        let text = if self.text.is_empty() { &self.thought } else { &self.text };
        let start = text.ceil_char_boundary(text.len().saturating_sub(END));
        let (end, _) = text[start..].rsplit_once(char::is_whitespace).unwrap_or_default();
        let end = if start > 0 { end.split_once(char::is_whitespace).unwrap_or_default().1 } else { end };
        end.trim_end().rsplit('\n').next().unwrap_or_default()
    }

    /// Whether the server gave a reason for the end that makes the text whole: then what happens to the connection afterwards is nobody's
    /// business.
    pub(super) fn is_whole(&self, end: fn(&str) -> End) -> bool {
        self.error.is_none() && self.finish.as_deref().is_some_and(|word| matches!(end(word), End::Whole))
    }

    /// The answer, if there is evidence that it is whole. `end` is the dialect's.
    pub(super) fn conclude(self, end: fn(&str) -> End) -> Result<Answer, ProviderFailure> {
        let Said { text, thought, model, usage, finish, refusal, error, .. } = self;
        let fail = |class, what: String| Err(ProviderFailure { usage, ..ProviderFailure::new(class, what) });
        if let Some(failure) = error {
            return Err(ProviderFailure { usage, ..failure });
        }
        if let Some(words) = refusal.filter(|words| !words.trim().is_empty()) {
            return fail(FailureClass::Refused, format!("the model declined to answer: {words}"));
        }
        let Some(finish) = finish else {
            return fail(
                FailureClass::ProtocolError,
                format!("the answer ended after {} bytes without a reason", text.len()),
            );
        };
        match end(&finish) {
            End::Cut => fail(FailureClass::TruncatedOutput, format!("the answer was cut off at a limit ({finish})")),
            End::Declined => fail(FailureClass::Refused, format!("the answer was blocked ({finish})")),
            End::Odd => fail(FailureClass::ProtocolError, format!("the answer ended for the reason `{finish}`")),
            End::Whole if text.trim().is_empty() && !thought.is_empty() => {
                fail(FailureClass::Empty, "the model thought and wrote no answer".to_owned())
            }
            End::Whole if text.trim().is_empty() => fail(FailureClass::Empty, "the answer is empty".to_owned()),
            End::Whole => Ok(Answer::new(text, model, usage)),
        }
    }
}
