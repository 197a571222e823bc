//! The inputs for a guard of the plan stage: plans, and a history of runs that fits them.

use super::CertifyOptions;
use super::rng::Rng;
use guardhost_core::change::{PastRun, PlanStep, RepoPath, RunEnding, RunHistory};
use guardhost_core::error::Result;

/// Plans, each with a name for messages: `options.changes` generated ones, and unusual ones.
pub fn plans(paths: &[String], options: &CertifyOptions) -> Vec<(String, Vec<PlanStep>)> {
    let mut rng = Rng::new(options.seed);
    let generated = (0..options.changes).map(|at| {
        let steps = (0..rng.below(9)).map(|id| step(&id.to_string(), "Change it.", hints(&mut rng, paths)));
        (format!("generated plan {at} of seed {}", options.seed), steps.collect())
    });
    let mut plans: Vec<_> = generated.collect();
    let odd = ["", "../../etc/passwd", "/", "a\0b", "\u{202e}txt", "漢字/🙂"].map(str::to_owned);
    plans.push(("no steps".to_owned(), Vec::new()));
    plans.push(("odd paths".to_owned(), vec![step("odd", "\u{1b}[31m\0", odd.map(path).to_vec())]));
    plans.push(("1 MiB of text".to_owned(), vec![step("long", &"lorem ipsum ".repeat(1 << 16), Vec::new())]));
    let many = (0..2_000).map(|id| step(&id.to_string(), "One of many.", hints(&mut rng, paths)));
    plans.push(("2,000 steps".to_owned(), many.collect()));
    plans
}

fn step(id: &str, text: &str, hints: Vec<RepoPath>) -> PlanStep {
    PlanStep { id: id.to_owned(), title: format!("PlanStep {id}"), text: text.to_owned(), hints, ..PlanStep::default() }
}

fn hints(rng: &mut Rng, paths: &[String]) -> Vec<RepoPath> {
    (0..rng.below(4)).filter_map(|_| rng.pick(paths).cloned().map(path)).collect()
}

fn path(text: String) -> RepoPath {
    RepoPath::from(text.as_str())
}

/// An invented history: several runs for each path; older ones failed more often.
pub struct SyntheticHistory(pub Vec<String>);

impl RunHistory for SyntheticHistory {
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<PastRun>> {
        const KINDS: [RunEnding; 4] =
            [RunEnding::Accepted, RunEnding::Rejected, RunEnding::Failed, RunEnding::Abandoned];
        let mut rng = Rng::new(0);
        let runs = 8 * u32::try_from(self.0.len()).unwrap_or(u32::MAX / 8);
        let outcome = |age_hours: u32| {
            let kind = KINDS[rng.below(KINDS.len()).max(rng.below(2))];
            PastRun {
                run: format!("run-{age_hours}"),
                step: String::new(),
                plan: None,
                digest: String::new(),
                age_hours,
                kind,
                touched: rng.pick(&self.0).cloned().map(path).into_iter().collect(),
                rejected_by: Vec::new(),
            }
        };
        Ok((0..runs.min(limit)).take_while(|age_hours| *age_hours < window_hours).map(outcome).collect())
    }
}
