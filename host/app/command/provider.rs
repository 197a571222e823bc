//! `host provider list` and `host provider test NAME`; and the chain of providers that a run asks.

use std::time::{Duration, Instant};

use crate::cli::ProviderArgs;
use guardhost_core::change::{Budget, Feedback, Task};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_policy::config::ProviderChains;
use guardhost_provider::{
    Ask, Cancel, Chain, ChainHint, Environment, Provider, ProviderRuntime, ProviderSettings, provide,
};
use guardhost_report::{DoctorReport, DoctorRow, Health, Report};

use crate::context::CommandContext;

/// The provider of the command line, or the chain that the repository and the user have configured; with a notice about that choice,
/// if there is one.
pub fn chain(
    args: &ProviderArgs,
    repository: &ProviderChains,
    ctx: &CommandContext,
) -> Result<(Chain, Option<String>)> {
    let settings = settings(ctx)?;
    let (mut providers, notice) = match &args.provider {
        Some(spec) => (vec![settings.provider(spec, &ctx.process.cwd)?], None),
        None => {
            let picked = settings.chain(args.hint, &|hint| match hint {
                None => &repository.command_chain,
                Some(ChainHint::Fast) => &repository.command_chain_fast,
                Some(ChainHint::Quality) => &repository.command_chain_quality,
            })?;
            (picked.providers, picked.notice)
        }
    };
    match (providers.as_mut_slice(), &args.model) {
        (_, None) => {}
        ([only], Some(model)) => only.model = Some(model.clone()),
        (_, Some(_)) => {
            let what = "--model is for one provider, and the chain has several";
            return Err(Fault::new(FaultKind::Usage, what).hint("name the provider as well: --provider NAME").into());
        }
    }
    if let Some(seconds) = args.timeout {
        providers.iter_mut().for_each(|provider| provider.limits.wall = Duration::from_secs(seconds));
    }
    let budget = Budget { seconds: args.max_time, tokens: args.max_tokens, cost_usd: args.max_cost };
    Ok((Chain::new(providers).within(budget), notice))
}

/// The providers that can be named, each with its status as far as it is known without asking, and the configured chains.
pub fn providers(ctx: &CommandContext) -> Result<Report> {
    let environment = Environment::new(ctx.process.env.iter().cloned());
    let settings = settings(ctx)?;
    let mut rows = Vec::new();
    for provider in settings.everybody()? {
        let (ok, detail) = match provider.ready(&environment) {
            Ok(detail) => (Health::Pass, detail),
            Err(why) => (Health::Warn, why),
        };
        rows.push(DoctorRow { name: provider.name, ok, detail, hint: None });
    }
    for (name, chain) in settings.chains()? {
        rows.push(DoctorRow { name: name.to_owned(), ok: Health::Pass, detail: chain, hint: None });
    }
    Ok(Report::Doctor(DoctorReport { checks: rows }))
}

/// Sends one short question, as a run would.
pub fn test_provider(name: &str, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let provider = settings(ctx)?.provider(name, &ctx.process.cwd)?;
    let runtime = runtime(ctx, cancel);
    let task = Task { text: "This only tests the connection: nothing has to change.".to_owned(), ..Task::default() };
    let ask = Ask { task: &task, feedback: &Feedback::default(), tree: None, round: 1 };
    let started = Instant::now();
    let seconds = || started.elapsed().as_secs_f64();
    let reply = provide(&ask, &mut without_waiting(provider), &runtime, ctx)
        .with_context(|| format!("the test of {name} failed after {:.1} s", seconds()))?;
    let model = reply.model.map(|model| format!(", model {model}")).unwrap_or_default();
    let row = DoctorRow {
        name: name.to_owned(),
        ok: Health::Pass,
        detail: format!("answered in {:.1} s{model}", seconds()),
        hint: None,
    };
    let understood = reply.bytes.split(|byte| *byte == b'\n').any(|line| line.trim_ascii() == b"NO_CHANGES_NEEDED");
    let row = match understood {
        true => row,
        false => DoctorRow {
            ok: Health::Warn,
            detail: format!("{}, but not in the form that was asked for", row.detail),
            hint: Some("its patches may be as hard to read; try another model".to_owned()),
            ..row
        },
    };
    Ok(Report::Doctor(DoctorReport { checks: vec![row] }))
}

/// For questions that concern no repository.
pub fn runtime(ctx: &CommandContext, cancel: Cancel) -> ProviderRuntime {
    ProviderRuntime {
        environment: Environment::new(ctx.process.env.iter().cloned()),
        scratch: ctx.process.temp.clone(),
        exe: ctx.process.exe.clone(),
        repository: None,
        cancel,
        recorder: None,
        step: None,
    }
}

/// A chain that does not wait for an overloaded provider: a test shows the current state.
fn without_waiting(provider: Provider) -> Chain {
    let mut chain = Chain::new(vec![provider]);
    chain.patience = Duration::ZERO;
    chain
}

/// Of the names in a repository's settings, those of the user's own providers; with a notice about the others.
///
/// # Errors
/// Of the user's settings.
pub fn chosen_by_repository(names: &[String], ctx: &CommandContext) -> Result<(Vec<String>, Option<String>)> {
    let settings = settings(ctx)?;
    let (known, notice) = settings.defined(names);
    Ok((known.into_iter().cloned().collect(), notice))
}

fn settings(ctx: &CommandContext) -> Result<ProviderSettings> {
    ctx.process.settings.as_deref().map_or_else(|| Ok(ProviderSettings::default()), ProviderSettings::read)
}
