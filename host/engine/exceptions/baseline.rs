//! A baseline: the findings that a repository has on the day it starts, which do not count.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use guardhost_core::change::Finding;
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_core::renamed_guards::former_id;

const SCHEMA: u32 = 1;

/// Allowed findings and how often each occurs.
#[derive(Debug, Clone, Default)]
pub struct Baseline(BTreeMap<FindingFingerprint, usize>);

/// A finding without its line number, so that it is known again when lines above it come and go.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct FindingFingerprint {
    guard: String,
    rule: String,
    path: String,
    /// Of the source line without its indentation, or of the message where the finding has no line: the first 16 bytes of its
    /// SHA-256 digest, in hexadecimal.
    line: String,
}

#[derive(Serialize, Deserialize)]
struct BaselineJson {
    schema_version: u32,
    findings: Vec<FindingFingerprint>,
}

impl Baseline {
    /// # Errors
    /// [`FaultKind::Config`]: not a baseline, or of a later version. `origin` names it.
    pub fn parse(bytes: &[u8], origin: &str) -> Result<Self> {
        let fault = || {
            Fault::new(FaultKind::Config, format!("{origin} is no baseline"))
                .hint("write one with `host check … --write-baseline FILE`")
        };
        let file: BaselineJson = serde_json::from_slice(bytes).with_context(fault)?;
        if file.schema_version != SCHEMA {
            let what = format!("{origin} has version {} of the format; this host reads {SCHEMA}", file.schema_version);
            return Err(Error::from(Fault::new(FaultKind::Config, what)));
        }
        let mut baseline = Baseline::default();
        for fingerprint in file.findings {
            *baseline.0.entry(fingerprint).or_default() += 1;
        }
        Ok(baseline)
    }

    /// `line` is the source line of the finding.
    pub fn add(&mut self, guard: &str, finding: &Finding, line: Option<&str>) {
        *self.0.entry(FindingFingerprint::new(guard, finding, line)).or_default() += 1;
    }

    /// Whether the finding is allowed; each entry allows one.
    pub(super) fn take(&mut self, guard: &str, finding: &Finding, line: Option<&str>) -> bool {
        if self.0.is_empty() {
            return false;
        }
        // An older baseline has the id that the guard had then.
        let ids = [Some(guard), former_id(guard)];
        ids.into_iter().flatten().any(|id| match self.0.get_mut(&FindingFingerprint::new(id, finding, line)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        })
    }

    pub fn len(&self) -> usize {
        self.0.values().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sorted, one entry a line, so that a difference is easy to review.
    pub fn to_json(&self) -> String {
        let entry = |fingerprint: &FindingFingerprint| serde_json::to_string(fingerprint).unwrap_or_default();
        let lines: Vec<String> =
            self.0.iter().flat_map(|(one, count)| std::iter::repeat_n(entry(one), *count)).collect();
        format!("{{\"schema_version\":{SCHEMA},\"findings\":[\n{}\n]}}\n", lines.join(",\n"))
    }
}

impl FindingFingerprint {
    fn new(guard: &str, finding: &Finding, line: Option<&str>) -> Self {
        let said: String;
        let what = match line {
            Some(line) => line.trim(),
            None => {
                said = finding.message.chars().filter(|c| !c.is_ascii_digit()).collect();
                &said
            }
        };
        FindingFingerprint {
            guard: guard.to_owned(),
            rule: finding.rule.clone(),
            path: finding.path.clone().unwrap_or_default(),
            line: Sha256::digest(what)[..16].iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}
