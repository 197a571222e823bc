//! The questions of a run. An answer about something else than what was asked is no answer.

use reqwest::Method;
use serde_json::Value;

use super::{Absence, AbsenceReason, Client};
use crate::wire::{
    Appended, ClaimRequest, ClaimState, EventBatch, HeldClaim, NewObservation, Observation, Released, TreeFacts,
};

/// What came of asking for a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimOutcome {
    Held(HeldClaim),
    /// Another holder has it, or, of an extension, the claim is lost; what the server says.
    Lost(String),
}

/// Whether a claim is still held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FenceCheck {
    Held,
    /// By whom the key is claimed now, if anyone.
    Stale(Option<HeldClaim>),
}

/// The server has it. `is_new` is false for what it had before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    pub is_new: bool,
}

const NO_BODY: Option<&()> = None;

impl Client {
    /// # Errors
    /// The server answers about its contract, and it is not ours. One that does not answer is asked again by whatever comes next.
    pub fn refuse_others(&self) -> Result<(), Absence> {
        let is_ours = match self.ask::<Value>(Method::GET, "/contract", &[], NO_BODY) {
            Ok(contract) => contract["paths"]["/events"].is_object(),
            Err(Absence { reason: AbsenceReason::Status(400..500, _), .. }) => false,
            Err(_) => true,
        };
        let why = || "it is an observer of another kind; nothing is sent to it".to_owned();
        is_ours
            .then_some(())
            .ok_or_else(|| Absence { question: "GET /contract".into(), reason: AbsenceReason::Config(why()) })
    }

    /// The newest observations of a repository, newest first. `since` as in `24h`, `7d`.
    pub fn agent_log(&self, repo: &str, since: &str, limit: u32) -> Result<Vec<Observation>, Absence> {
        self.log(repo, &[("repo", repo), ("since", since), ("limit", &limit.to_string())])
    }

    /// The newest observations of all that are kept; with a run, of this one.
    pub fn newest(&self, repo: &str, run: Option<&str>, limit: u32) -> Result<Vec<Observation>, Absence> {
        let limit = limit.to_string();
        let mut query = vec![("repo", repo), ("limit", limit.as_str())];
        query.extend(run.map(|run| ("run_id", run)));
        self.log(repo, &query)
    }

    fn log(&self, repo: &str, query: &[(&str, &str)]) -> Result<Vec<Observation>, Absence> {
        // Some observers write null for an empty list.
        let rows: Option<Vec<Observation>> = self.ask(Method::GET, "/repo/agent-log", query, NO_BODY)?;
        let rows = rows.unwrap_or_default();
        match rows.iter().find(|row| row.observed.repo != repo) {
            None => Ok(rows),
            Some(other) => Err(unusable("GET /repo/agent-log", format!("it lists a run of `{}`", other.observed.repo))),
        }
    }

    /// The facts of a tree, if the server has them.
    pub fn fingerprint(&self, repo: &str, tree: &str) -> Result<Option<TreeFacts>, Absence> {
        let query = [("repo", repo), ("tree", tree)];
        match self.ask::<TreeFacts>(Method::GET, "/repo/fingerprint", &query, NO_BODY) {
            Ok(facts) if facts.tree == tree => Ok(Some(facts)),
            Ok(facts) => Err(unusable("GET /repo/fingerprint", format!("it is of the tree `{}`", facts.tree))),
            Err(Absence { reason: AbsenceReason::Status(404, _), .. }) => Ok(None),
            Err(absence) => Err(absence),
        }
    }

    pub fn put_fingerprint(&self, facts: &TreeFacts) -> Result<Stored, Absence> {
        self.ask::<Value>(Method::PUT, "/repo/fingerprint", &[], Some(facts))?;
        Ok(Stored { is_new: true })
    }

    /// Its id must be set: what is sent again is kept once. A server that names it by a number alone has it too, and would keep it twice.
    pub fn observe(&self, new: &NewObservation) -> Result<Stored, Absence> {
        let kept: Value = self.ask(Method::POST, "/observation", &[], Some(new))?;
        let key = kept["key"].as_str().or(kept["id"].as_str());
        let has_it = match key {
            Some(key) => new.id.is_some_and(|id| id.to_string() == key),
            None => kept["id"].is_i64(),
        };
        match has_it {
            true => Ok(Stored { is_new: kept["duplicate"] != true }),
            false => Err(unusable("POST /observation", "it answers for another observation".into())),
        }
    }

    pub fn append(&self, batch: &EventBatch) -> Result<Stored, Absence> {
        let appended: Appended = self.ask(Method::POST, "/events", &[], Some(batch))?;
        Ok(Stored { is_new: appended.added > 0 })
    }

    /// Takes a claim, or extends the one whose fence the request names.
    pub fn claim(&self, request: &ClaimRequest) -> Result<ClaimOutcome, Absence> {
        match self.ask::<HeldClaim>(Method::POST, "/claim", &[], Some(request)) {
            Ok(claim) => {
                let is_ours = claim.holder == request.holder
                    && claim.key == request.key
                    && request.fence.is_none_or(|fence| fence == claim.fence);
                match is_ours {
                    true => Ok(ClaimOutcome::Held(claim)),
                    false => Err(unusable("POST /claim", "it answers for another claim".into())),
                }
            }
            Err(Absence { reason: AbsenceReason::Status(409, why), .. }) => Ok(ClaimOutcome::Lost(why)),
            Err(absence) => Err(absence),
        }
    }

    /// Whether the claim is still held with its fence.
    pub fn check_fence(&self, claim: &HeldClaim) -> Result<FenceCheck, Absence> {
        let query = [("repo", claim.repo.as_str()), ("key", claim.key.as_str())];
        let state: ClaimState = self.ask(Method::GET, "/claim", &query, NO_BODY)?;
        match state.claim {
            Some(present) if present.key != claim.key => {
                Err(unusable("GET /claim", "it answers for another key".into()))
            }
            Some(present) if present.fence == claim.fence && present.holder == claim.holder => Ok(FenceCheck::Held),
            other => Ok(FenceCheck::Stale(other)),
        }
    }

    /// Ends a claim. One that another holder has is left to it.
    pub fn release(&self, claim: &HeldClaim) -> Result<(), Absence> {
        let fence = claim.fence.to_string();
        let query = [
            ("repo", claim.repo.as_str()),
            ("key", claim.key.as_str()),
            ("holder", claim.holder.as_str()),
            ("fence", fence.as_str()),
        ];
        match self.ask::<Released>(Method::DELETE, "/claim", &query, NO_BODY) {
            Ok(_) | Err(Absence { reason: AbsenceReason::Status(409, _), .. }) => Ok(()),
            Err(absence) => Err(absence),
        }
    }
}

fn unusable(question: &str, why: String) -> Absence {
    Absence { question: question.into(), reason: AbsenceReason::Unusable(why) }
}
