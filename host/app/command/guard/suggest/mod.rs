//! `host guard suggest`: what the set would have found with a guard that is off or with other settings, by the repository's own past.

mod candidates;
mod quiet;

use std::time::{Duration, Instant};

use guardhost_core::change::{Event, Objects, Observer, RepoPath};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_git::{ChangeFate, Head, PastChange, PastFacts, PastQuery, Repo};
use guardhost_policy::PolicySource;
use guardhost_policy::config::{FILE, with_guards};
use guardhost_report::{GuardSuggestion, Report, SuggestReport};

use self::candidates::{CandidateSettings, candidates, rounds};
use crate::cli::SuggestArgs;
use crate::command::backtest::{ForgeLinks, Judges, PastGuardVerdict, PastRuling, PastVerdict, ended_by, stopped};
use crate::context::CommandContext;

/// The share of kept changes above which a guard raises too many alarms to be suggested: what the default set itself is held to on commits of people
/// (`tests/bench/judging`).
const MOST_ALARMS: f64 = 0.005;

/// # Errors
/// Those of `host backtest`.
pub fn suggest(args: &SuggestArgs, ctx: &CommandContext) -> Result<Report> {
    let began = Instant::now();
    ctx.process.stop.limit_run(began, args.max_time.map(Duration::from_secs));
    let repo = ctx.repo()?;
    let head = repo.head()?;
    let judges = Judges::open(&ctx.policies(), &repo, &head, &[], ctx)?;
    ctx.see(&Event::Progress { text: "reading the history".to_owned() });
    let past = repo.past_changes(&PastQuery {
        pulls: args.pulls,
        agents: false,
        limit: args.limit as usize,
        since: None,
        is_written: &|path| judges.is_written(path),
        forge_words: None,
        facts: &PastFacts::new(&repo, ctx.global.fresh),
        stop: &ctx.process.stop,
    })?;
    let now = judges.judge(&past.changes, ctx)?;
    let mut report = SuggestReport {
        commit: head.commit,
        pulls: args.pulls,
        changes: past.changes.len(),
        judged: now.iter().flatten().filter(|verdict| is_judged(verdict)).count(),
        notices: [past.notices, judges.notices()].concat(),
        ..SuggestReport::default()
    };
    let let_pass = let_pass(&past.changes, &now);
    report.undone = let_pass.iter().filter(|change| is_undone(change)).count();
    report.kept = let_pass.len() - report.undone;
    let links = ForgeLinks::new(&repo);
    let rules = rules(&repo, &head)?;
    let mut is_cut = now.iter().any(Option::is_none);
    // Where nothing came back there is nothing that could have been caught.
    let all = if report.undone == 0 { Vec::new() } else { candidates(judges.pins(), ctx.embedded)? };
    for round in rounds(all) {
        let asked = CandidateRound { candidates: &round, rules: &rules, changes: &let_pass };
        is_cut |= asked.ask(&repo, &head, &links, &mut report, ctx)?;
    }
    report.suggestions.sort_by_key(|found| std::cmp::Reverse(found.caught.len()));
    quiet::quiet(&mut report, &past.changes, &now, ctx)?;
    if rules.is_empty() && !report.suggestions.is_empty() {
        report.notices.push(format!("there is no {FILE} yet: `host init` writes one with the guards that judge now"));
    }
    report.ended_by = is_cut.then(|| ended_by(ctx));
    report.micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(Report::Suggest(Box::new(report)))
}

/// What the set lets pass and what came in, so that its end is known.
fn let_pass(changes: &[PastChange], now: &[Option<PastVerdict>]) -> Vec<PastChange> {
    let pairs = changes.iter().zip(now);
    let passed = pairs.filter(|(change, verdict)| {
        let is_accepted = verdict.as_ref().is_some_and(|verdict| verdict.said == PastRuling::Accepted);
        is_accepted && (is_undone(change) || change.fate == ChangeFate::Kept)
    });
    passed.map(|(change, _)| change.clone()).collect()
}

fn is_judged(verdict: &PastVerdict) -> bool {
    matches!(verdict.said, PastRuling::Accepted | PastRuling::Rejected)
}

fn is_undone(change: &PastChange) -> bool {
    match change.fate {
        ChangeFate::Reverted(_) | ChangeFate::Mended(_) => true,
        ChangeFate::Kept | ChangeFate::Closed | ChangeFate::Undecided => false,
    }
}

/// Empty where there is none.
fn rules(repo: &Repo, head: &Head) -> Result<String> {
    let objects = repo.store();
    match objects.entry(head.tree, &RepoPath::from(FILE))? {
        Some(entry) => Ok(String::from_utf8_lossy(&objects.blob(entry.oid)?).into_owned()),
        None => Ok(String::new()),
    }
}

/// Candidates that judge together.
struct CandidateRound<'r> {
    candidates: &'r [CandidateSettings],
    rules: &'r str,
    changes: &'r [PastChange],
}

impl CandidateRound<'_> {
    /// Whether the work ended before all was judged.
    fn ask(
        &self,
        repo: &Repo,
        head: &Head,
        links: &ForgeLinks,
        report: &mut SuggestReport,
        ctx: &CommandContext,
    ) -> Result<bool> {
        let pins: Vec<_> = self.candidates.iter().map(|candidate| candidate.pin.clone()).collect();
        let cannot = || Fault::new(FaultKind::Config, "the rules of a suggestion cannot be written");
        let file = tempfile::NamedTempFile::new_in(repo.state_dir()?).with_context(cannot)?;
        std::fs::write(file.path(), with_guards(self.rules, &pins)?).with_context(cannot)?;
        let source = PolicySource { config: Some(file.path().to_owned()), ..ctx.policies() };
        let verdicts = Judges::open(&source, repo, head, &[], ctx)?.judge(self.changes, ctx)?;
        for candidate in self.candidates {
            let found = self.suggestion(candidate, &verdicts, links)?;
            match is_carried(found.caught.len(), found.alarmed.len(), report.kept) {
                true => report.suggestions.push(found),
                false => report.others.push(found),
            }
        }
        Ok(verdicts.iter().any(Option::is_none))
    }

    fn suggestion(
        &self,
        candidate: &CandidateSettings,
        verdicts: &[Option<PastVerdict>],
        links: &ForgeLinks,
    ) -> Result<GuardSuggestion> {
        let id = &candidate.pin.id;
        let mut found = GuardSuggestion {
            guard: id.clone(),
            why: candidate.why.clone(),
            toml: candidate.pin.written(self.rules)?,
            ..GuardSuggestion::default()
        };
        for (change, verdict) in self.changes.iter().zip(verdicts) {
            let Some(verdict) = verdict else { continue };
            let said = verdict.guards.iter().find(|(guard, _)| guard == id).map(|(_, said)| *said);
            match said {
                Some(PastGuardVerdict::Reject) => {
                    let mut alone = verdict.clone();
                    alone.errors.retain(|(guard, _)| guard == id);
                    let shown = stopped(change, &alone, links);
                    if is_undone(change) { found.caught.push(shown) } else { found.alarmed.push(shown) }
                }
                Some(PastGuardVerdict::Failed) => found.failed += 1,
                Some(PastGuardVerdict::Pass | PastGuardVerdict::NotApplicable) | None => {}
            }
        }
        Ok(found)
    }
}

/// Whether the past carries a suggestion: it would have caught something, no less than it would have raised alarms, and these on few of the changes that
/// were kept.
fn is_carried(caught: usize, alarmed: usize, kept: usize) -> bool {
    caught > 0 && alarmed <= caught && alarmed as f64 <= MOST_ALARMS * kept as f64
}

#[cfg(test)]
mod tests {
    use super::is_carried;

    #[test]
    fn what_the_past_does_not_carry_is_not_suggested() {
        for (caught, alarmed, kept, expected) in [
            (0, 0, 1_000, false),
            (1, 0, 0, true),
            (1, 1, 199, false),
            (1, 1, 200, true),
            (1, 2, 1_000, false),
            (2, 2, 400, true),
            (9, 3, 500, false),
        ] {
            assert_eq!(is_carried(caught, alarmed, kept), expected, "{caught} {alarmed} {kept}");
        }
    }
}
