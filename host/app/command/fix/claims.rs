//! Claims of issues at an observer, beside the lock files of this machine, so that two machines never fix the same issue at once.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use guardhost_core::change::{Event, Observer};
use guardhost_core::error::Result;
use guardhost_git::Repo;
use guardhost_observer::client::{Absence, ClaimOutcome as Answer, Client, ObserverSettings, ObserverTime};
use guardhost_observer::wire::{ClaimRequest, HeldClaim as Held, TTL_DEFAULT};
use guardhost_pipeline::fix::claim::{ClaimedIssue, Claims, IssueClaim, LockFiles};
use guardhost_report::journal::first_run;

use crate::context::CommandContext;
use crate::observing::{ObserverConnection, connect, notice};

/// A lock file first; then, if there is an observer, its claim. An observer that is away is said and done without.
pub struct IssueClaims<'a> {
    ctx: &'a CommandContext<'a>,
    files: LockFiles,
    shared: Option<ClaimObserver>,
}

struct ClaimObserver {
    client: Arc<Client>,
    repo: String,
    /// The first of the runs that resume one another, so that the next takes up what a killed one had claimed.
    holder: String,
    kept_alive: Arc<ClaimKeeper>,
}

impl<'a> IssueClaims<'a> {
    /// For the run `run`, which goes on where `resumes` stopped.
    ///
    /// # Errors
    /// Of the folder of the lock files, and of the records.
    pub fn new(ctx: &'a CommandContext, repo: &Repo, run: &str, resumes: Option<&str>) -> Result<Self> {
        let state_dir = repo.state_dir()?;
        let holder = match resumes {
            Some(resumed) => first_run(&state_dir, resumed)?,
            None => run.to_owned(),
        };
        let shared = connect(ctx, repo).map(|ObserverConnection { settings, client, repo_id }| ClaimObserver {
            client: Arc::new(client),
            repo: repo_id,
            holder,
            kept_alive: Arc::new(ClaimKeeper::start(&settings)),
        });
        Ok(IssueClaims { ctx, files: LockFiles::new(&state_dir), shared })
    }
}

impl Claims for IssueClaims<'_> {
    fn claim(&self, fingerprint: &str, run: &str) -> Result<ClaimedIssue> {
        let here = match self.files.claim(fingerprint, run)? {
            ClaimedIssue::Ours(claim) => claim,
            held @ ClaimedIssue::Held { .. } => return Ok(held),
        };
        let Some(shared) = &self.shared else { return Ok(ClaimedIssue::Ours(here)) };
        match shared.claim(fingerprint) {
            Ok(Some(there)) => Ok(ClaimedIssue::Ours(IssueClaim::new(here.fence, (here, there)))),
            Ok(None) => Ok(ClaimedIssue::Held { by: None }),
            Err(absence) => {
                self.ctx.see(&Event::Notice { text: notice(&absence.to_string()) });
                Ok(ClaimedIssue::Ours(here))
            }
        }
    }
}

impl ClaimObserver {
    /// None: another machine has it.
    fn claim(&self, fingerprint: &str) -> Result<Option<SharedClaim>, Absence> {
        let request = ClaimRequest {
            repo: self.repo.clone(),
            key: format!("issue:{fingerprint}"),
            holder: self.holder.clone(),
            ttl_seconds: None,
            fence: None,
        };
        Ok(match self.client.claim(&request)? {
            Answer::Held(claim) => {
                self.kept_alive.add(ClaimRequest { fence: Some(claim.fence), ..request });
                Some(SharedClaim { claim, client: self.client.clone(), kept_alive: self.kept_alive.clone() })
            }
            Answer::Lost(_) => None,
        })
    }
}

/// A claim at the observer, given back when it is dropped.
struct SharedClaim {
    claim: Held,
    client: Arc<Client>,
    kept_alive: Arc<ClaimKeeper>,
}

impl Drop for SharedClaim {
    fn drop(&mut self) {
        self.kept_alive.remove(&self.claim.key);
        // It lapses by itself otherwise.
        let _ = self.client.release(&self.claim);
    }
}

type Requests = Arc<Mutex<BTreeMap<String, ClaimRequest>>>;

/// Extends all claims of a run, from one thread, which ends with the last of them.
struct ClaimKeeper {
    requests: Requests,
    _end: Sender<()>,
}

impl ClaimKeeper {
    fn start(settings: &ObserverSettings) -> Self {
        let requests = Requests::default();
        let (end, ended) = mpsc::channel::<()>();
        let extended = requests.clone();
        // A claim that cannot be extended lapses.
        if let Ok(client) = Client::new(settings, ObserverTime::aside()) {
            let extend = move || {
                while ended.recv_timeout(Duration::from_secs(TTL_DEFAULT / 3)) == Err(RecvTimeoutError::Timeout) {
                    let held: Vec<ClaimRequest> =
                        extended.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
                    held.iter().for_each(|request| drop(client.claim(request)));
                }
            };
            let _ = std::thread::Builder::new().name("issue-claims".to_owned()).spawn(extend);
        }
        ClaimKeeper { requests, _end: end }
    }

    fn add(&self, request: ClaimRequest) {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).insert(request.key.clone(), request);
    }

    fn remove(&self, key: &str) {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }
}
