//! `host explain`: what a guard checks, a change that it rejects, one that it accepts, and its settings.

mod active_guards;
mod examples;
mod settings;

use std::collections::BTreeSet;

use crate::cli::ExplainArgs;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::renamed_guards::means;
use guardhost_policy::config::did_you_mean;
use guardhost_report::{Example, ExplainReport, Explained, ExplainedRule, Report, RuleMeaning, VerdictKind};

use crate::context::CommandContext;
use active_guards::ActiveGuards;

pub fn explain(args: &ExplainArgs, ctx: &CommandContext) -> Result<Report> {
    let guards = ActiveGuards::read(ctx)?;
    let Some(what) = &args.what else { return Ok(Report::Explain(ExplainReport::All { guards: guards.all()? })) };
    let (name, rule) = match what.split_once('/') {
        Some((name, rule)) => (name, Some(rule)),
        None => (what.as_str(), None),
    };
    let explained = match guards.find(name) {
        // A rule alone, as a finding may be quoted.
        Err(error) if rule.is_none() => match guards.with_rule(name)?.as_slice() {
            [] => return Err(error),
            [only] => {
                let rule = explain_rule(guards.find(only)?, name)?;
                return Ok(Report::Explain(ExplainReport::Rule { rule: Box::new(rule) }));
            }
            several => {
                let names: Vec<String> = several.iter().map(|id| format!("{id}/{name}")).collect();
                let fault = Fault::new(FaultKind::Usage, format!("several guards have a rule `{name}`"));
                return Err(fault.hint(format!("name one: {}", names.join(", "))).into());
            }
        },
        found => found?,
    };
    Ok(Report::Explain(match rule {
        None => ExplainReport::Guard { guard: Box::new(explained) },
        Some(rule) => ExplainReport::Rule { rule: Box::new(explain_rule(explained, rule)?) },
    }))
}

/// The guards among `ids` that this machine knows, in full.
pub(super) fn guard_notes(ctx: &CommandContext, ids: &BTreeSet<String>) -> Result<Vec<Explained>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let guards = ActiveGuards::read(ctx)?;
    let known =
        guards.all()?.into_iter().map(|row| row.row.id).filter(|id| ids.iter().any(|written| means(written, id)));
    known.map(|id| guards.find(&id)).collect()
}

fn explain_rule(guard: Explained, rule: &str) -> Result<ExplainedRule> {
    let rules = guard.rules.unwrap_or_default();
    let Some(RuleMeaning { meaning, .. }) = rules.iter().find(|known| known.rule == rule) else {
        let known: Vec<&str> = rules.iter().map(|known| known.rule.as_str()).collect();
        return Err(unknown(&format!("rule of {}", guard.info.row.id), rule, &known).into());
    };
    let found = |example: &Example| example.findings.iter().any(|finding| finding.rule == rule);
    let accepted = guard.examples.iter().find(|example| matches!(example.verdict, VerdictKind::Pass)).cloned();
    let rejected = guard.examples.into_iter().chain(guard.of_rules).find(found);
    Ok(ExplainedRule {
        rule: rule.to_owned(),
        meaning: meaning.clone(),
        guard: guard.info.row.id,
        mark: guard.info.row.mark,
        examples: rejected.into_iter().chain(accepted).collect(),
    })
}

fn unknown(what: &str, name: &str, known: &[&str]) -> Fault {
    let suggestion = did_you_mean(name, known);
    let list = if known.is_empty() { "none are known".to_owned() } else { format!("known are: {}", known.join(", ")) };
    Fault::new(FaultKind::Usage, format!("no {what} `{name}`")).hint(format!("{suggestion}{list}"))
}
