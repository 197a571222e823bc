//! The verdicts on the plan, a line for each step, and how many were committed.

use super::super::{format_units, labels};
use super::check::verdicts;
use super::made_plan;
use super::notes::notices;
use super::table::{self, cell};
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_core::change::StepOutcome;
use guardhost_report::escape;
use guardhost_report::{CheckReport, PlanReport, StepReport};

pub fn plan(page: &mut PageWriter, plan: &PlanReport) {
    plan_of(page, plan, "host run", true);
}

/// `command` continues it. Whether its last commit is the result: what comes behind it may be, or may refuse it.
pub fn plan_of(page: &mut PageWriter, plan: &PlanReport, command: &str, is_result: bool) {
    page.line(&format!("{} {}", page.paint(BOLD, "plan"), escape::inline(&plan.run, 100)));
    if !plan.judgement.evidence.is_empty() {
        let check = CheckReport { judgement: plan.judgement.clone(), ..CheckReport::default() };
        page.inside(2, |page| verdicts(page, &check));
    }
    made_plan::layers(page, &plan.layers);
    page.gap();
    let rows: Vec<_> = plan.steps.iter().map(|step| row(page, step)).collect();
    for (line, step) in table::lines(page, &rows).iter().zip(&plan.steps) {
        page.row(line);
        if let Some(why) = &step.why {
            page.line(&format!("    {}", page.paint(DIM, &escape::inline(why, 400))));
        }
    }
    page.gap();
    let commits = plan.steps.iter().filter(|step| step.commit.is_some()).count();
    let earlier = plan.steps.iter().filter(|step| step.outcome == StepOutcome::Done).count();
    let of = |number: usize| format!("{number} of {}", format_units::count(plan.steps.len(), "step"));
    match plan.commit {
        Some(commit) => {
            let (sign, of) = match (commits, earlier) {
                (_, 0) => (page.sign("✓ committed", "committed"), of(commits)),
                (0, _) => (page.sign("✓ done before:", "done before:"), of(earlier)),
                (_, _) => (page.sign("✓ committed", "committed"), format!("{}, {earlier} done before,", of(commits))),
            };
            let (sign, at) = (page.paint(GREEN, sign), &commit.to_string()[..12]);
            page.line(&format!("{sign} {of} on {}, now at {at}", plan.branch));
        }
        None if earlier > 0 => page.line(&format!("nothing committed, {} done before", of(earlier))),
        None => page.line(&format!("nothing committed, {}", of(commits))),
    }
    if plan.commit.is_some() && is_result {
        next(page, &plan.branch);
    }
    notices(page, &plan.notices);
    if plan.steps.iter().any(|step| step.outcome.is_left_to_do()) {
        let label = page.paint(CYAN, "hint");
        page.labelled(&label, &format!("{command} --resume {} continues with the remaining steps", plan.run), PLAIN);
    }
}

/// How a result is taken.
pub fn next(page: &mut PageWriter, branch: &str) {
    let branch = escape::inline(branch.trim_start_matches("refs/heads/"), 200);
    page.command("next", &format!("host accept {branch}, or git merge {branch}"));
}

fn row(page: &PageWriter, step: &StepReport) -> Vec<table::Cell> {
    let (paint, sign) = match step.outcome {
        StepOutcome::Done => (GREEN, page.sign("✓", "ok")),
        StepOutcome::Ran(end) if end.is_accepted() => (GREEN, page.sign("✓", "ok")),
        StepOutcome::Ran(_) => (RED, page.sign("✗", "no")),
        StepOutcome::Dropped | StepOutcome::Skipped | StepOutcome::NotReached => (YELLOW, page.sign("-", "-")),
    };
    vec![
        cell(paint, sign),
        cell(BOLD, escape::inline(&step.id, 64)),
        cell(paint, labels::step(step.outcome)),
        cell(PLAIN, escape::inline(&step.title, 100)),
    ]
}
