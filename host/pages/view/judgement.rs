//! What guards said of a candidate: `judgement.json`, or the events of a run that has none yet.

use std::collections::BTreeMap;

use guardhost_core::change::{Finding, Mode};
use guardhost_report::{Said, VerdictKind};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GuardView {
    pub id: String,
    /// Its mark, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub g: String,
    pub verdict: VerdictKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default)]
    pub micros: u64,
    #[serde(default)]
    pub fuel: u64,
    /// The verdict is that of an earlier run: it took no time and no fuel.
    #[serde(default)]
    pub reused: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What it counted; None where neither that nor its findings are recorded.
    #[serde(default, deserialize_with = "numbers", skip_serializing_if = "Option::is_none")]
    pub metrics: Option<BTreeMap<String, f64>>,
    #[serde(default)]
    pub mode: Mode,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Findings that a person allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<Value>,
}

/// A fix of a finding as a diff of the candidate's file: an entry of `fixes.json`.
#[derive(Debug, Clone, Deserialize)]
pub struct FixDiff {
    pub guard: String,
    /// Position among the guard's findings, from 0.
    pub finding: usize,
    pub diff: String,
}

#[derive(Deserialize)]
struct JudgementView {
    guards: Vec<GuardView>,
}

/// A figure that is no number is written as `null`, and counts nothing.
fn numbers<'de, D: Deserializer<'de>>(from: D) -> Result<Option<BTreeMap<String, f64>>, D::Error> {
    let read = Option::<BTreeMap<String, Option<f64>>>::deserialize(from)?;
    Ok(read.map(|read| read.into_iter().filter_map(|(name, number)| Some((name, number?))).collect()))
}

impl GuardView {
    /// None where less is recorded than it said.
    pub fn said(&self) -> Option<Said<'_>> {
        Some(Said {
            guard: &self.id,
            verdict: self.verdict,
            reason: self.reason.as_deref(),
            findings: &self.findings,
            metrics: self.metrics.as_ref()?,
        })
    }

    /// This guard alone blocks the change.
    pub fn is_blocking(&self) -> bool {
        self.mode == Mode::Enforce && self.verdict.is_blocking()
    }
}

/// None for a text that is no judgement of this version.
pub fn from_text(text: &str) -> Option<Vec<GuardView>> {
    serde_json::from_str::<JudgementView>(text).ok().map(|judgement| judgement.guards)
}

/// The findings of all guards of a judgement.
pub fn findings_of_text(text: &str) -> Vec<Finding> {
    from_text(text).unwrap_or_default().into_iter().flat_map(|guard| guard.findings).collect()
}

pub fn fixes(text: &str) -> Vec<FixDiff> {
    serde_json::from_str(text).unwrap_or_default()
}

/// The data of a `judged` event.
pub fn from_event(data: &serde_json::Map<String, Value>) -> Option<GuardView> {
    serde_json::from_value(Value::Object(data.clone())).ok()
}
