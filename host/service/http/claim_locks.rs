//! A claim by the names that clients of other observers have for it: `lock_id`, `path`, `agent`, `expires_at`.

use guardhost_observer::wire::HeldClaim;
use serde::Serialize;

use crate::storage::ClaimRelease;

/// A claim as it is answered.
#[derive(Debug, Serialize)]
pub struct ClaimView {
    lock_id: String,
    path: String,
    agent: String,
    expires_at: String,
    #[serde(flatten)]
    claim: HeldClaim,
}

impl From<HeldClaim> for ClaimView {
    fn from(claim: HeldClaim) -> Self {
        let parts = [&claim.repo, &claim.key, &claim.holder].map(|part| hex(part));
        ClaimView {
            lock_id: format!("{}.{}", claim.fence, parts.join(".")),
            path: claim.key.clone(),
            agent: claim.holder.clone(),
            expires_at: claim.until.clone(),
            claim,
        }
    }
}

/// The claim that a `lock_id` names. It holds all that tells a claim from others, so no storage looks it up.
pub fn read(lock: &str) -> Option<ClaimRelease> {
    let mut parts = lock.split('.');
    let fence = parts.next()?.parse().ok()?;
    let mut text = || unhex(parts.next()?);
    Some(ClaimRelease { repo: text()?, key: text()?, holder: text()?, fence })
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<String> {
    let digits = text.as_bytes();
    let pairs = digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    String::from_utf8(pairs.collect::<Option<Vec<u8>>>()?).ok()
}
