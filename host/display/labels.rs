//! Names that people see for strategies, usage and outcomes.

use guardhost_core::change::{Budget, ChangeType, RecordedEnd, StepOutcome, Strategy, Touched, Usage};
use guardhost_report::journal::{ListedRun, RunCommand, State};

use super::format_units;

/// Completes "placed …".
pub fn strategy(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Exact => "exactly",
        Strategy::WholeFile => "as whole files",
        Strategy::Offset => "at other lines than named",
        Strategy::Recount => "with corrected line counts",
        Strategy::Whitespace => "with corrected white space",
        Strategy::ThreeWay => "by a three-way merge",
        Strategy::AlreadyApplied => "already: the files contain the change",
    }
}

/// The letter that git shows.
pub fn letter(change: ChangeType) -> &'static str {
    match change {
        ChangeType::Add => "A",
        ChangeType::Modify => "M",
        ChangeType::Delete => "D",
        ChangeType::Rename => "R",
        ChangeType::Copy => "C",
    }
}

/// `src/new.py` or `src/old.py -> src/new.py`.
pub fn path(touched: &Touched) -> String {
    match &touched.old_path {
        Some(old) => format!("{old} -> {}", touched.path),
        None => touched.path.to_string(),
    }
}

/// `812 -> 320 tokens, $0.0123`; empty when the provider reports no usage.
pub fn usage(usage: &Usage) -> String {
    let tokens = match (usage.input_tokens, usage.output_tokens) {
        (None, None) => None,
        (input, output) => {
            let figure = |tokens: Option<u64>| tokens.map_or("?".to_owned(), |tokens| tokens.to_string());
            Some(format!("{} -> {} tokens", figure(input), figure(output)))
        }
    };
    let cost = usage.cost_usd.map(|cost| format!("${cost:.4}"));
    [tokens, cost].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `2000 of 5000 tokens, $0.2500 of $1, 12 of 60 s`; quantities without a limit are left out.
pub fn spent(spent: &Usage, seconds: u64, budget: &Budget) -> String {
    let used = spent.input_tokens.unwrap_or(0).saturating_add(spent.output_tokens.unwrap_or(0));
    let tokens = budget.tokens.map(|most| format!("{used} of {most} tokens"));
    let cost = budget.cost_usd.map(|most| format!("${:.4} of ${most}", spent.cost_usd.unwrap_or(0.0)));
    let time = budget.seconds.map(|most| format!("{seconds} of {most} s"));
    [tokens, cost, time].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `demo`, `demo (some-model)`; a recorded reply is always marked as one.
pub fn provider(name: &str, model: Option<&str>, recorded: bool) -> String {
    let model = model.map(|model| format!(" ({model})")).unwrap_or_default();
    let recorded = if recorded { ", a recorded reply" } else { "" };
    format!("{name}{model}{recorded}")
}

/// What became of a step of a plan.
pub fn step(step: StepOutcome) -> &'static str {
    match step {
        StepOutcome::Ran(ended) => ended.words(),
        StepOutcome::NotReached => "not reached",
        StepOutcome::Done | StepOutcome::Dropped | StepOutcome::Skipped => step.as_str(),
    }
}

/// How many rounds a recorded run had. None of a plan, and of what else asks in runs of its own: it has none.
pub fn rounds(run: &ListedRun) -> Option<String> {
    let asks = run.command.as_ref().is_none_or(|command| *command == RunCommand::Run);
    Some(run.rounds).filter(|rounds| asks || *rounds > 0).map(|rounds| format_units::count(rounds as usize, "round"))
}

/// The same of a recorded run, which may also be running, or have ended by an error.
pub fn ending(run: &ListedRun) -> String {
    let words = match (run.state, run.outcome.as_ref()) {
        (State::Running, _) => "running",
        (State::Ended, Some(RecordedEnd::Known(known))) => known.words(),
        (State::Ended, Some(RecordedEnd::Unknown(word))) => return word.replace('-', " "),
        (State::Ended, None) | (State::Interrupted, _) => "interrupted",
    };
    words.to_owned()
}
