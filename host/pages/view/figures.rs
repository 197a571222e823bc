//! Figures over all runs of a bundle: by guard, by file, and by rule.

use std::collections::{BTreeMap, BTreeSet};

use guardhost_core::change::Finding;
use guardhost_report::VerdictKind;

use super::judgement::GuardView;
use super::round::{RoundEnd, RoundView};
use super::run::RunView;
use crate::{Bundle, GuardNote};

#[derive(Debug, Clone, Default)]
pub struct Figures<'a> {
    /// By id.
    pub guards: BTreeMap<String, GuardFigures<'a>>,
    /// Most rejections first.
    pub files: Vec<FileFigures>,
    /// By guard and rule, most frequent first.
    pub mending: Vec<RuleRepair>,
}

#[derive(Debug, Clone, Default)]
pub struct GuardFigures<'a> {
    pub note: GuardNote,
    /// Oldest first.
    pub judged: Vec<JudgedFigures<'a>>,
    /// Verdicts of earlier runs.
    pub reused: usize,
    /// Of calls that ran: sorted.
    pub micros: Vec<u64>,
    pub fuel: Vec<u64>,
    /// Newest first.
    pub rejections: Vec<(&'a RunView<'a>, u32, &'a Finding)>,
}

#[derive(Debug, Clone)]
pub struct JudgedFigures<'a> {
    pub run: &'a str,
    pub round: u32,
    pub verdict: VerdictKind,
}

#[derive(Debug, Clone, Default)]
pub struct FileFigures {
    pub path: String,
    /// Rounds that touched it.
    pub rounds: usize,
    /// Rounds in which a guard that blocks found something in it.
    pub rejected: usize,
    pub findings: usize,
    /// Guard and number of findings.
    pub guards: BTreeMap<String, usize>,
    /// The latest round that was rejected for it.
    pub last: Option<(String, u32)>,
}

/// What became of the findings of a rule in the round after them.
#[derive(Debug, Clone, Default)]
pub struct RuleRepair {
    pub guard: String,
    pub rule: String,
    pub found: usize,
    /// The next round was judged, and has no finding of the rule in that file.
    pub mended: usize,
    pub again: usize,
    /// The next round had no change that guards could judge.
    pub unjudged: usize,
    /// There was no next round.
    pub last: usize,
    /// Of the rounds that fixed: each round counts once for a rule.
    pub micros: u64,
    pub tokens: u64,
    pub cost: f64,
    pub rounds: usize,
}

impl<'a> Figures<'a> {
    /// `runs`: newest first.
    pub fn new(bundle: &Bundle, runs: &'a [RunView<'a>]) -> Self {
        let mut figures = Figures::default();
        let (mut files, mut mending) = (BTreeMap::new(), BTreeMap::new());
        for (id, note) in &bundle.guards {
            figures.guards.entry(id.clone()).or_default().note = note.clone();
        }
        for run in runs.iter().rev() {
            for (at, round) in run.rounds.iter().enumerate() {
                for guard in &round.guards {
                    figures.guard(run, round, guard);
                }
                add_files(&mut files, run, round);
                add_repair(&mut mending, round, run.rounds.get(at + 1));
            }
        }
        for guard in figures.guards.values_mut() {
            guard.rejections.reverse();
            guard.micros.sort_unstable();
            guard.fuel.sort_unstable();
        }
        figures.files = files.into_values().collect();
        figures.files.sort_by(|a, b| (b.rejected, b.findings, &a.path).cmp(&(a.rejected, a.findings, &b.path)));
        figures.mending = mending.into_values().collect();
        figures.mending.sort_by(|a, b| (b.found, &a.guard, &a.rule).cmp(&(a.found, &b.guard, &b.rule)));
        figures
    }

    fn guard(&mut self, run: &'a RunView<'a>, round: &'a RoundView<'a>, guard: &'a GuardView) {
        let own = self.guards.entry(guard.id.clone()).or_default();
        if own.note.mark.is_empty() {
            own.note.mark.clone_from(&guard.g);
        }
        own.judged.push(JudgedFigures { run: &run.id, round: round.number, verdict: guard.verdict });
        match guard.verdict {
            VerdictKind::NotApplicable => {}
            // What it took then is no time of the guard now.
            _ if guard.reused => own.reused += 1,
            VerdictKind::Pass | VerdictKind::Reject | VerdictKind::Error => {
                own.micros.push(guard.micros);
                own.fuel.push(guard.fuel);
            }
        }
        if guard.verdict == VerdictKind::Reject {
            own.rejections.extend(guard.findings.iter().map(|finding| (run, round.number, finding)));
        }
    }
}

impl GuardFigures<'_> {
    /// Verdicts on changes that concern it.
    pub fn concerned(&self) -> usize {
        self.judged.len() - self.count(VerdictKind::NotApplicable)
    }

    pub fn count(&self, verdict: VerdictKind) -> usize {
        self.judged.iter().filter(|judged| judged.verdict == verdict).count()
    }
}

/// The value that `share` of a hundred are not above; None of nothing. `sorted` ascends.
pub fn percentile(sorted: &[u64], share: usize) -> Option<u64> {
    let at = (sorted.len() * share).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied()
}

fn blocking<'a>(round: &'a RoundView<'_>) -> impl Iterator<Item = (&'a GuardView, &'a Finding)> {
    let guards = round.guards.iter().filter(|guard| guard.is_blocking());
    guards.flat_map(|guard| guard.findings.iter().map(move |finding| (guard, finding)))
}

fn add_files(files: &mut BTreeMap<String, FileFigures>, run: &RunView<'_>, round: &RoundView<'_>) {
    let entry = |files: &mut BTreeMap<String, FileFigures>, path: &str| {
        files.entry(path.to_owned()).or_insert_with(|| FileFigures { path: path.to_owned(), ..FileFigures::default() });
    };
    for touched in &round.touched {
        let path = touched.path.to_string();
        entry(files, &path);
        files.entry(path).or_default().rounds += 1;
    }
    let mut rejected = BTreeSet::new();
    for (guard, finding) in blocking(round) {
        let Some(path) = &finding.path else { continue };
        entry(files, path);
        let file = files.entry(path.clone()).or_default();
        file.findings += 1;
        *file.guards.entry(guard.id.clone()).or_default() += 1;
        if rejected.insert(path) {
            file.rejected += 1;
            file.last = Some((run.id.clone(), round.number));
        }
    }
}

fn add_repair(all: &mut BTreeMap<(String, String), RuleRepair>, round: &RoundView<'_>, next: Option<&RoundView<'_>>) {
    // What guards' own fixes fixed was no work of a next round.
    if round.end == RoundEnd::Accepted {
        return;
    }
    let mut counted = BTreeSet::new();
    for (guard, finding) in blocking(round) {
        let key = (guard.id.clone(), finding.rule.clone());
        let rule = all.entry(key.clone()).or_insert_with(|| RuleRepair {
            guard: guard.id.clone(),
            rule: finding.rule.clone(),
            ..RuleRepair::default()
        });
        rule.found += 1;
        let Some(next) = next else {
            rule.last += 1;
            continue;
        };
        let answer = next.guards.iter().find(|other| other.id == guard.id && other.verdict != VerdictKind::Error);
        let Some(answer) = answer else {
            rule.unjudged += 1;
            continue;
        };
        if answer.findings.iter().any(|other| other.rule == finding.rule && other.path == finding.path) {
            rule.again += 1;
            continue;
        }
        rule.mended += 1;
        if counted.insert(key) {
            rule.rounds += 1;
            rule.micros = rule.micros.saturating_add(next.answer_micros.unwrap_or_default());
            let tokens = [next.usage.input_tokens, next.usage.output_tokens].into_iter().flatten();
            rule.tokens = tokens.fold(rule.tokens, u64::saturating_add);
            rule.cost += next.usage.cost_usd.unwrap_or_default();
        }
    }
}
