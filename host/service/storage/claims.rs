//! Who gets a claim: decided once, for every storage, from the row of the key. The storage reads and writes the row in one transaction.

use guardhost_observer::wire::{ClaimFence, ClaimRequest, HeldClaim, TTL_MAX};

use super::{ClaimAnswer, Micros, ReleaseAnswer};

/// The row of a key. It stays when the claim ends, so that no fence is used twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRow {
    /// Empty: nobody, since it was released.
    pub holder: String,
    /// The last fence; 0 before the first.
    pub fence: u64,
    pub until: Micros,
}

impl ClaimRow {
    pub fn none() -> Self {
        ClaimRow { holder: String::new(), fence: 0, until: Micros(0) }
    }

    /// No claim lasts longer than the longest one: what does was made before the clock went back, and nobody knows when it ends.
    fn is_held(&self, now: Micros) -> bool {
        !self.holder.is_empty() && self.until > now && self.until <= now.plus_seconds(TTL_MAX)
    }

    /// The claim, if it is held.
    pub fn held(&self, repo: &str, key: &str, now: Micros) -> Option<HeldClaim> {
        self.is_held(now).then(|| HeldClaim {
            repo: repo.to_owned(),
            key: key.to_owned(),
            holder: self.holder.clone(),
            fence: self.fence,
            until: self.until.text(),
        })
    }
}

/// The answer, and the row to write; None leaves it as it is.
pub fn claim(row: &ClaimRow, request: &ClaimRequest, now: Micros) -> (ClaimAnswer, Option<ClaimRow>) {
    let present = row.held(&request.repo, &request.key, now);
    let until = now.plus_seconds(request.ttl());
    let granted = |fence| {
        let row = ClaimRow { holder: request.holder.clone(), fence, until };
        let claim = row.held(&request.repo, &request.key, now);
        match claim {
            Some(claim) => (ClaimAnswer::Held(claim), Some(row)),
            // The shortest claim lasts longer than no time.
            None => (ClaimAnswer::Stale { present: None }, None),
        }
    };
    // Its holder goes on, also where the clock went back.
    if row.until > now && row.holder == request.holder && request.fence == Some(row.fence) {
        return granted(row.fence);
    }
    match (present, request.fence) {
        (present, Some(_)) => (ClaimAnswer::Stale { present }, None),
        (Some(present), None) if present.holder == request.holder => granted(present.fence),
        (Some(present), None) => (ClaimAnswer::Taken(present), None),
        (None, None) => granted(row.fence + 1),
    }
}

/// Who ends which claim.
#[derive(Debug, Clone)]
pub struct ClaimRelease {
    pub repo: String,
    pub key: String,
    pub holder: String,
    pub fence: u64,
}

/// The answer, and the row to write.
pub fn release(row: &ClaimRow, asked: &ClaimRelease, now: Micros) -> (ReleaseAnswer, Option<ClaimRow>) {
    match row.held(&asked.repo, &asked.key, now) {
        None => (ReleaseAnswer::Free, None),
        // The fence alone is no proof: every refusal tells it.
        Some(present) if present.fence == asked.fence && present.holder == asked.holder => {
            (ReleaseAnswer::Released, Some(ClaimRow { holder: String::new(), ..row.clone() }))
        }
        Some(present) => (ReleaseAnswer::Stale(present), None),
    }
}

/// # Errors
/// The claim is not held with this fence; by whom it is.
pub fn check(row: &ClaimRow, repo: &str, fence: &ClaimFence, now: Micros) -> Result<(), Option<HeldClaim>> {
    match row.held(repo, &fence.key, now) {
        Some(present) if present.fence == fence.fence => Ok(()),
        other => Err(other),
    }
}
