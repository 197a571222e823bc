//! The verdicts of the guards, and of the host's own rules, on a candidate.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Evidence, EvidenceSource, GuardVerdict, Mode, Quotes};

/// The evidence of every guard in the order of the guard set, and then of the host's own rules that reject.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Judgement {
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "verdict")]
pub enum Verdict {
    Pass,
    Reject,
    /// None rejected, and one failed, which blocks too.
    Error,
}

impl Judgement {
    pub fn verdict(&self) -> Verdict {
        let enforced = || self.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
        if enforced().any(|evidence| matches!(evidence.verdict, GuardVerdict::Reject(_))) {
            Verdict::Reject
        } else if enforced().any(|evidence| matches!(evidence.verdict, GuardVerdict::Error { .. })) {
            Verdict::Error
        } else {
            Verdict::Pass
        }
    }

    /// As a model may read it: `quotes` are of the same change.
    pub fn for_model(&self, quotes: &Quotes) -> Judgement {
        let mut shown = self.clone();
        for finding in shown.evidence.iter_mut().flat_map(|evidence| evidence.verdict.findings_mut()) {
            if let Some(why) = quotes.withheld(finding) {
                finding.message = format!("what it says is not shown: {why}");
                (finding.help, finding.fix, finding.related) = (None, None, Vec::new());
            }
        }
        shown
    }

    /// As if every guard were enforced: what critics say of a change is advice, and no less worth showing.
    pub fn enforced(&self) -> Judgement {
        let mut judgement = self.clone();
        judgement.evidence.iter_mut().for_each(|evidence| evidence.mode = Mode::Enforce);
        judgement
    }

    /// No enforced guard rejected or failed.
    pub fn is_accepted(&self) -> bool {
        match self.verdict() {
            Verdict::Pass => true,
            Verdict::Reject | Verdict::Error => false,
        }
    }

    /// No enforced guard passed, rejected or failed: nothing judged the change. What the host's own rules say does not count.
    pub fn is_unjudged(&self) -> bool {
        let judged = |evidence: &Evidence| match (evidence.source, evidence.mode, &evidence.verdict) {
            (EvidenceSource::Host, ..) | (_, Mode::Monitor, _) | (.., GuardVerdict::NotApplicable(_)) => false,
            (
                EvidenceSource::Guard,
                Mode::Enforce,
                GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::Error { .. },
            ) => true,
        };
        !self.evidence.iter().any(judged)
    }

    /// Ids of the enforced guards that rejected or failed, in the order of the set.
    pub fn against(&self) -> Vec<&str> {
        let no = |verdict: &GuardVerdict| matches!(verdict, GuardVerdict::Reject(_) | GuardVerdict::Error { .. });
        let enforced = self.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
        enforced.filter(|evidence| no(&evidence.verdict)).map(|evidence| evidence.id.as_str()).collect()
    }
}
