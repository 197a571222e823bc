//! A recording in the place of a provider.

use std::path::Path;

use guardhost_core::change::{Event, Observer};

use super::ProviderResponse;
use crate::ProviderFailure;
use crate::recording::{self, RecordedBody, RecordedOutcome, RecordedRound};

/// What the recording holds for a round of a part of the command: its last line. The failures before it are reported to the observer, as they were in the run.
pub(super) fn replay(
    file: &Path,
    (round, step): (u32, Option<&str>),
    observer: &dyn Observer,
) -> Result<ProviderResponse, ProviderFailure> {
    let mut records = recording::for_step(recording::read(file)?, step);
    records.retain(|record| record.round == round);
    let Some(last) = records.pop() else {
        let of = step.map(|step| format!(" of {step}")).unwrap_or_default();
        return Err(recording::unusable(format!("{} holds no reply for round {round}{of}", file.display())));
    };
    let following = records.iter().skip(1).chain([&last]);
    for (record, next) in records.iter().zip(following) {
        if let RecordedOutcome::Failure { class, message } = &record.outcome {
            observer.see(&Event::ProviderFailed {
                provider: record.provider.clone(),
                class: class.name(),
                message: message.clone(),
                next: Some(next.provider.clone()),
            });
        }
    }
    let RecordedRound { provider, model, usage, outcome, .. } = last;
    let bytes = match outcome {
        RecordedOutcome::Reply { reply: RecordedBody::Text(text) } => text.into_bytes(),
        RecordedOutcome::Reply { reply: RecordedBody::Bytes(bytes) } => bytes,
        RecordedOutcome::Failure { class, message } => {
            return Err(ProviderFailure { usage, ..ProviderFailure::new(class, message) });
        }
    };
    let provider = Some(provider).filter(|name| !name.is_empty());
    Ok(ProviderResponse { provider, ..ProviderResponse::new(bytes, model, usage) })
}
