//! Events of the trace that follow from what a guard said, under the name that it gives in `describe`, for readers of the older trace.
//!
//! The name is text of the guard. Only names with a dot are used, and none that begins as one of the host's own events with a dot does, so that a guard
//! cannot forge one.

use std::collections::BTreeMap;

use guardhost_core::change::{Evidence, GuardVerdict};
use serde_json::{Value, json};

use crate::escape;

/// Bytes of a guard's name.
const MAX_NAME: usize = 64;
/// Characters of the text that goes with an event.
const MAX_ERROR: usize = 300;
/// What the host's own events with a dot begin with.
const OF_HOST: [&str; 4] = ["plan.", "scope.", "worker.", "critic_refiner."];
/// What the name of a guard that judges ends with; what a critic's does.
const FAIL: &str = ".fail";
const FINDINGS: &str = ".findings";

/// Remembers what guards rejected in earlier rounds of the run.
#[derive(Default)]
pub struct GuardEvents {
    /// By id: the last round in which the guard rejected, and in how many rounds it did.
    rejected: BTreeMap<String, (u32, u32)>,
}

impl GuardEvents {
    /// The names and data of the events of one judgement of a guard, in their order.
    pub fn events(&mut self, evidence: &Evidence, round: u32) -> Vec<(String, Value)> {
        let name = evidence.event.as_str();
        if name.len() > MAX_NAME || !is_plain(name) {
            return Vec::new();
        }
        let mut found = Vec::new();
        if matches!(evidence.verdict, GuardVerdict::Reject(_)) {
            found.push((name.to_owned(), failure(evidence)));
        }
        if let Some(stem) = name.strip_suffix(FAIL) {
            found.extend(self.retried(stem, evidence, round));
            found.extend(scored(stem, evidence));
        }
        if let Some(stem) = name.strip_suffix(FINDINGS) {
            found.extend(reviewed(stem, evidence));
        }
        // What a name was made of may be one of the host's.
        found.retain(|(name, _)| is_plain(name));
        found
    }

    /// Whether a later round fixed what an earlier one was rejected for. A guard is asked again in the same round where a fix is tried.
    fn retried(&mut self, stem: &str, evidence: &Evidence, round: u32) -> Option<(String, Value)> {
        let earlier = self.rejected.get(&evidence.id).copied();
        match &evidence.verdict {
            GuardVerdict::Reject(_) => {
                let (last, count) = earlier.unwrap_or_default();
                let attempt = if last == round { count } else { count + 1 };
                self.rejected.insert(evidence.id.clone(), (round, attempt));
                (attempt > 1 && last != round).then(|| {
                    let mut data = failure(evidence);
                    data["attempt"] = json!(attempt);
                    (format!("{stem}_retry.fail"), data)
                })
            }
            GuardVerdict::Pass(_) => {
                let (_, count) = earlier.filter(|(last, _)| *last < round)?;
                self.rejected.remove(&evidence.id);
                Some((format!("{stem}_retry.success"), json!({ "guard": evidence.id, "attempt": count + 1 })))
            }
            GuardVerdict::NotApplicable(_) | GuardVerdict::Error { .. } => None,
        }
    }
}

fn failure(evidence: &Evidence) -> Value {
    let findings = evidence.verdict.findings();
    let first = findings.first();
    let error = first.map(|finding| escape::inline(&finding.message, MAX_ERROR));
    let path = first.and_then(|finding| finding.path.as_deref());
    json!({ "guard": evidence.id, "path": path, "error": error, "findings": findings.len() })
}

/// A guard that measures says what it measured, whatever it thinks of it.
fn scored(stem: &str, evidence: &Evidence) -> Option<(String, Value)> {
    let name = format!("{}.scored", stem.strip_prefix("critic_").unwrap_or(stem));
    (!evidence.metrics.is_empty()).then(|| (name, json!({ "guard": evidence.id, "metrics": evidence.metrics })))
}

/// A critic that has answered, also where it objects to nothing; or one that could not.
fn reviewed(stem: &str, evidence: &Evidence) -> Option<(String, Value)> {
    let ended = |verdict: &str| {
        let findings = evidence.verdict.findings().len();
        let data = json!({ "guard": evidence.id, "verdict": verdict, "findings": findings, "micros": evidence.micros });
        Some((format!("{stem}.review.end"), data))
    };
    match &evidence.verdict {
        GuardVerdict::Pass(_) => ended("pass"),
        GuardVerdict::Reject(_) => ended("reject"),
        GuardVerdict::NotApplicable(_) => None,
        GuardVerdict::Error { message, .. } => {
            let reason = escape::inline(message, MAX_ERROR);
            Some((format!("{stem}.crashed"), json!({ "guard": evidence.id, "reason": reason })))
        }
    }
}

fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
    let is_of_host = OF_HOST.iter().any(|prefix| name.starts_with(prefix));
    !is_of_host && name.contains('.') && name.bytes().all(plain)
}
