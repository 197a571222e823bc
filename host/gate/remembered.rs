//! What the repository remembers of a ruling.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use guardhost_core::canonical;
use guardhost_core::change::{
    Allowance, AllowedBy, Candidate, Event, Evidence, Finding, GuardVerdict, HostRule, Judgement, Mode, Observer,
    RememberedAllowance, RememberedFinding, RememberedRuling, RememberedVerdict, RulingMemory, Severity, Verdict,
};
use guardhost_policy::Policy;
use serde_json::json;

use crate::case::ChangeAuthor;
use crate::door::Door;
use crate::receipt::rules_digest;
use crate::ruling::Ruling;

/// Files and groups of findings that a record names at most, so that a change of a whole tree leaves a small one too.
const NAMED: usize = 50;

/// Characters of a path in a record.
const PATH: usize = 300;

/// Who ruled, and what was allowed.
pub(crate) struct RuledBy<'a> {
    pub door: Door,
    pub author: ChangeAuthor,
    pub agent: Option<String>,
    pub skipped: &'a [String],
    pub rule_change_allowed: bool,
}

/// A record that is not written yet, with where it belongs.
pub struct Remembrance {
    pub(crate) record: RememberedRuling,
    pub(crate) memory: Arc<dyn RulingMemory>,
}

impl Remembrance {
    /// Writes it. That it cannot be written is a notice, and nothing else.
    pub fn keep(&self, observer: &dyn Observer) {
        if let Err(error) = self.memory.remember(&self.record) {
            observer.see(&Event::Notice { text: format!("this ruling is not remembered: {error:#}") });
        }
    }
}

/// None for a change without files, on which nothing was ruled, and where nothing is remembered.
pub(crate) fn remembrance(ruling: &Ruling, by: RuledBy<'_>, policy: &Policy, took: Duration) -> Option<Remembrance> {
    let memory = Arc::clone(policy.memory.as_ref()?);
    let record = match ruling {
        Ruling::Empty(_) => return None,
        Ruling::Refused(refused) => refused_change(&refused.candidate),
        Ruling::Judged(judged) => {
            let (candidate, proposed) = judged.proposed();
            let mended = judged.is_accepted() && !proposed.is_accepted();
            RememberedRuling { mended, ..from_judgement(candidate, proposed, judged.judgement()) }
        }
    };
    let RuledBy { door, author, agent, skipped, rule_change_allowed } = by;
    Some(Remembrance {
        record: RememberedRuling {
            door: door.as_str().to_owned(),
            author: author.as_str().to_owned(),
            agent,
            rules: digest(policy),
            skipped: skipped.to_vec(),
            rule_change_allowed,
            micros: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            ..record
        },
        memory,
    })
}

/// What judged: the host's own rules, and each guard with its pin.
fn digest(policy: &Policy) -> String {
    let pin = |id: &String| policy.guards.pin(id).as_ref().map(canonical::digest);
    let guards = policy.guards.ids().into_iter().map(|id| (pin(&id), policy.guards.digest(&id).map(str::to_owned), id));
    canonical::digest(&json!({ "rules": rules_digest(policy), "guards": guards.collect::<Vec<_>>() }))
}

fn touched(candidate: &Candidate) -> RememberedRuling {
    RememberedRuling {
        base: candidate.base_tree.to_string(),
        tree: candidate.tree.to_string(),
        files: candidate.files.iter().take(NAMED).map(|file| cut(&file.path.to_string())).collect(),
        more_files: candidate.files.len().saturating_sub(NAMED),
        ..RememberedRuling::default()
    }
}

fn cut(path: &str) -> String {
    path.chars().take(PATH).collect()
}

/// A change of the rules that nobody allowed.
fn refused_change(candidate: &Candidate) -> RememberedRuling {
    let finding = RememberedFinding {
        guard: HostRule::RulesKept.id().to_owned(),
        rule: "rules-changed".to_owned(),
        file: None,
        count: 1,
    };
    RememberedRuling { verdict: RememberedVerdict::Refused, findings: vec![finding], ..touched(candidate) }
}

/// `proposed` is what stood against the change, `taken` what stands against what is made of it.
fn from_judgement(candidate: &Candidate, proposed: &Judgement, taken: &Judgement) -> RememberedRuling {
    let enforced = || proposed.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
    let passed = |evidence: &&Evidence| matches!(evidence.verdict, GuardVerdict::Pass(_));
    RememberedRuling {
        verdict: match taken.verdict() {
            Verdict::Pass => RememberedVerdict::Accepted,
            Verdict::Reject => RememberedVerdict::Rejected,
            Verdict::Error => RememberedVerdict::Failed,
        },
        findings: counted(enforced().flat_map(against)),
        allowed: allowed(enforced()),
        passed: enforced().filter(passed).map(|evidence| evidence.id.clone()).collect(),
        fuel: proposed.evidence.iter().map(|evidence| evidence.fuel).sum(),
        ..touched(candidate)
    }
}

/// Guard, rule and file of everything that blocks.
type FindingKey = (String, String, Option<String>);

fn against(evidence: &Evidence) -> Vec<FindingKey> {
    let named = |finding: &Finding| (evidence.id.clone(), finding.rule.clone(), finding.path.as_deref().map(cut));
    match &evidence.verdict {
        GuardVerdict::Reject(findings) => {
            let errors: Vec<FindingKey> =
                findings.iter().filter(|finding| finding.severity == Severity::Error).map(named).collect();
            match errors.is_empty() {
                // A guard may reject without a finding.
                true => vec![(evidence.id.clone(), String::new(), None)],
                false => errors,
            }
        }
        GuardVerdict::Error { code, .. } => vec![(evidence.id.clone(), (*code).to_owned(), None)],
        GuardVerdict::Pass(_) | GuardVerdict::NotApplicable(_) => Vec::new(),
    }
}

fn counted(found: impl Iterator<Item = FindingKey>) -> Vec<RememberedFinding> {
    let mut counts: BTreeMap<FindingKey, usize> = BTreeMap::new();
    found.for_each(|named| *counts.entry(named).or_default() += 1);
    let finding = |((guard, rule, file), count)| RememberedFinding { guard, rule, file, count };
    counts.into_iter().take(NAMED).map(finding).collect()
}

fn allowed<'a>(enforced: impl Iterator<Item = &'a Evidence>) -> Vec<RememberedAllowance> {
    let mut by: BTreeMap<AllowedBy, Vec<FindingKey>> = BTreeMap::new();
    for evidence in enforced {
        for allowed in &evidence.allowed {
            let how = match allowed.by {
                Allowance::Comment { .. } => AllowedBy::Comment,
                Allowance::Baseline => AllowedBy::Baseline,
            };
            let Finding { rule, path, .. } = &allowed.finding;
            by.entry(how).or_default().push((evidence.id.clone(), rule.clone(), path.as_deref().map(cut)));
        }
    }
    let of_one = |(by, named): (AllowedBy, Vec<FindingKey>)| {
        counted(named.into_iter()).into_iter().map(move |finding| RememberedAllowance { finding, by })
    };
    by.into_iter().flat_map(of_one).collect()
}
