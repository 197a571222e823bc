//! Progress of a call: one step for each guard that has judged.

use std::sync::{Mutex, PoisonError};

use guardhost_core::change::{Event, Observer};
use tokio::sync::mpsc::UnboundedSender;

/// How far a call is.
pub(super) struct ProgressStep {
    pub done: u32,
    pub total: u32,
    /// The guard that judged last.
    pub message: String,
}

/// Passes what the guards of a call say on to the client that asked for progress.
#[derive(Default)]
pub struct CallProgress(Mutex<Option<ProgressState>>);

struct ProgressState {
    to: UnboundedSender<ProgressStep>,
    done: u32,
    total: u32,
}

impl CallProgress {
    /// Until the next call of this, steps go to `to`.
    pub(super) fn follow_call(&self, to: Option<UnboundedSender<ProgressStep>>) {
        let heard = to.map(|to| ProgressState { to, done: 0, total: 0 });
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = heard;
    }
}

impl Observer for CallProgress {
    fn see(&self, event: &Event) {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(heard) = heard.as_mut() else { return };
        match event {
            // A change with fixes is judged once more; progress never goes back.
            Event::Judging { guards } => heard.total = heard.done + u32::try_from(guards.len()).unwrap_or(u32::MAX / 2),
            Event::Judged { evidence } => {
                heard.done += 1;
                heard.total = heard.total.max(heard.done);
                let message = format!("{}: {}", evidence.id, evidence.verdict.as_str());
                // The client may have left.
                let _ = heard.to.send(ProgressStep { done: heard.done, total: heard.total, message });
            }
            _ => {}
        }
    }
}
