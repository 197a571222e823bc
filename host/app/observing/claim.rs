//! The claim of a run: taken before the first question to a provider, extended while the run works, checked before its commit.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use guardhost_core::error::{Error, Fault, Result};
use guardhost_observer::client::{Absence, ClaimOutcome, Client, FenceCheck, ObserverSettings, ObserverTime};
use guardhost_observer::wire::{ClaimRequest, HeldClaim, TTL_DEFAULT};

use super::CLAIMED;

/// A claim, and the thread that extends it.
pub struct RunClaim {
    pub claim: HeldClaim,
    end: Option<Sender<()>>,
    beating: Option<JoinHandle<()>>,
}

/// Why a run has no claim.
pub enum NotHeld {
    Absent(Absence),
    /// Another run works on the same.
    Taken(Error),
}

/// Claims `key` for the run `holder`.
pub fn take(
    client: &Client,
    settings: &ObserverSettings,
    repo: &str,
    key: &str,
    holder: &str,
) -> Result<RunClaim, NotHeld> {
    let request = ClaimRequest {
        repo: repo.to_owned(),
        key: key.to_owned(),
        holder: holder.to_owned(),
        ttl_seconds: None,
        fence: None,
    };
    match client.claim(&request) {
        Ok(ClaimOutcome::Held(claim)) => Ok(RunClaim::start(claim, settings, request)),
        Ok(ClaimOutcome::Lost(why)) => {
            let (kind, code) = CLAIMED;
            Err(NotHeld::Taken(
                Fault::new(kind, format!("another run works on this task: {why}"))
                    .hint("wait until it ends, give this run another task, or run without --observer")
                    .code(code)
                    .into(),
            ))
        }
        Err(absence) => Err(NotHeld::Absent(absence)),
    }
}

impl RunClaim {
    fn start(claim: HeldClaim, settings: &ObserverSettings, request: ClaimRequest) -> Self {
        let (end, ended) = mpsc::channel();
        let beat = ClaimRequest { fence: Some(claim.fence), ..request };
        // A claim that cannot be extended lapses, which the check before the commit sees.
        let beating = Client::new(settings, ObserverTime::aside()).ok().and_then(|client| {
            let beating = std::thread::Builder::new().name("observer-claim".to_owned());
            let every = Duration::from_secs(TTL_DEFAULT / 3);
            let extend = move || {
                while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                    if let Ok(ClaimOutcome::Lost(_)) = client.claim(&beat) {
                        return;
                    }
                }
            };
            beating.spawn(extend).ok()
        });
        RunClaim { claim, end: Some(end), beating }
    }

    /// Whether the claim is still held: the error of a commit that must not be made.
    pub fn check(&self, client: &Client) -> Result<Result<()>, Absence> {
        Ok(match client.check_fence(&self.claim)? {
            FenceCheck::Held => Ok(()),
            FenceCheck::Stale(present) => {
                let (kind, code) = CLAIMED;
                let by = match present {
                    Some(present) => format!("{} holds it with the fence {}", present.holder, present.fence),
                    None => "it expired, and another run may have begun".to_owned(),
                };
                Err(Fault::new(
                    kind,
                    format!(
                        "the claim of this run is stale (its fence was {}): {by}; nothing was committed",
                        self.claim.fence
                    ),
                )
                .hint("look at what the other run made, then run again")
                .code(code)
                .into())
            }
        })
    }

    pub fn release(mut self, client: &Client) -> Result<(), Absence> {
        self.stop();
        client.release(&self.claim)
    }

    fn stop(&mut self) {
        drop(self.end.take());
        if let Some(beating) = self.beating.take() {
            // It waits for nothing but the word, or one answer.
            let _ = beating.join();
        }
    }
}

impl Drop for RunClaim {
    fn drop(&mut self) {
        self.stop();
    }
}
