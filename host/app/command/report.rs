//! `host report`: recorded runs as pages, or as a bundle from which another `host report` makes them.

use std::collections::BTreeSet;
use std::path::Path;

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_display::OutputFormat;
use guardhost_pages::{Bundle, GuardNote, OlderRun, PageSettings, report_with_older};
use guardhost_report::journal::{Depth, History, ObjectBody, latest, newest_first};
use guardhost_report::rulings::read as read_rulings;
use jiff::Timestamp;

use super::explain::guard_notes;
use super::select_run::named_run;
use crate::cli::ReportArgs;
use crate::context::CommandContext;

/// What `host report` writes.
pub struct WrittenReport {
    pub bytes: Vec<u8>,
    /// Number of runs.
    pub runs: usize,
    /// Remarks, one sentence each.
    pub notices: Vec<String>,
}

/// # Errors
/// [`FaultKind::Usage`]: a run is not known, a file is no bundle, or the format is none of a report.
pub fn report(args: &ReportArgs, ctx: &CommandContext) -> Result<WrittenReport> {
    let (mut bundle, mut older) = (Bundle::default(), Vec::new());
    for file in &args.bundles {
        bundle.merge(read(file, ctx)?);
    }
    // Bundles alone need no repository.
    if !args.runs.is_empty() || args.bundles.is_empty() {
        let state = ctx.repo()?.state_dir()?;
        match args.runs.is_empty() {
            true => older = add_newest(&mut bundle, args, &state, ctx.global.format)?,
            false => chosen(args, &state)?.iter().try_for_each(|history| bundle.add_history(history))?,
        }
        // A report of some runs is about these.
        if args.runs.is_empty() {
            bundle.rulings.extend(read_rulings(&state, Timestamp::now())?.rulings);
        }
    }
    let mut notices = Vec::new();
    if let Err(error) = describe_guards(&mut bundle, &older, ctx) {
        notices.push(format!("the promises of guards are left out: {error:#}"));
    }
    let bundle = if args.redact { bundle.redacted() } else { bundle };
    let runs = bundle.runs.len() + older.len();
    let settings = PageSettings { syntax: Some(ctx.embedded), ..PageSettings::default() };
    let bytes = match ctx.global.format {
        OutputFormat::Human => report_with_older(&bundle, older, settings).html.into_bytes(),
        OutputFormat::Bundle | OutputFormat::Json => bundle.to_json()?,
        OutputFormat::Sarif
        | OutputFormat::Junit
        | OutputFormat::Github
        | OutputFormat::Gitlab
        | OutputFormat::Rdjson
        | OutputFormat::Rdjsonl
        | OutputFormat::AgentTrace
        | OutputFormat::Short => {
            return Err(Fault::new(FaultKind::Usage, "a report of runs has no such format")
                .hint("--format human writes pages, --format bundle a bundle; GUARDHOST_FORMAT may have set another")
                .into());
        }
    };
    Ok(WrittenReport { bytes, runs, notices })
}

fn read(file: &Path, ctx: &CommandContext) -> Result<Bundle> {
    let name = file.display().to_string();
    let bytes = std::fs::read(ctx.path(file))
        .with_context(|| Fault::new(FaultKind::Usage, format!("cannot read {name}")).hint("--bundle wants a file"))?;
    Bundle::from_json(&name, &bytes)
}

/// One run is held at a time. Of runs without pages of their own figures alone are wanted, which are kept beside their records: beside the
/// bundle, unless that is redacted, or merged with others that may know more of the same runs.
fn add_newest(bundle: &mut Bundle, args: &ReportArgs, state: &Path, format: OutputFormat) -> Result<Vec<OlderRun>> {
    let whole = if format == OutputFormat::Human { PageSettings::default().runs } else { usize::MAX };
    let is_in_bundle = args.redact || !args.bundles.is_empty();
    let mut older = Vec::new();
    for (at, folder) in newest_first(state)?.into_iter().take(args.limit).enumerate() {
        match at < whole {
            true => bundle.add_history(&History::read(folder, Depth::All)?)?,
            false if is_in_bundle => bundle.add_figures(folder)?,
            false => older.extend(OlderRun::read(folder)?),
        }
    }
    Ok(older)
}

/// The named runs; with a plan its steps.
fn chosen(args: &ReportArgs, state: &Path) -> Result<Vec<History>> {
    let named: Vec<History> = args.runs.iter().map(|name| named_run(state, name)).collect::<Result<_>>()?;
    let ids: BTreeSet<&str> = named.iter().map(|history| history.run.as_str()).collect();
    let mut steps = latest(state, usize::MAX)?;
    steps.retain(|step| !ids.contains(step.run.as_str()) && step.step_of().is_some_and(|(plan, _)| ids.contains(plan)));
    Ok(named.into_iter().chain(steps).collect())
}

/// Adds what the guards of the runs promise, as far as this machine has them.
fn describe_guards(bundle: &mut Bundle, older: &[OlderRun], ctx: &CommandContext) -> Result<()> {
    let of_older: BTreeSet<&str> = older.iter().flat_map(OlderRun::guards).collect();
    let judged: BTreeSet<String> = bundle
        .objects
        .values()
        .flat_map(|object| match &object.body {
            ObjectBody::Evidence(evidence) => vec![evidence.tool.clone()],
            // Of runs without Evidence in the bundle.
            ObjectBody::Run(run) => run.guards.clone(),
            ObjectBody::PatchSet(_) | ObjectBody::Decision(_) | ObjectBody::Issue(_) => Vec::new(),
        })
        .chain(of_older.into_iter().map(str::to_owned))
        .collect();
    for guard in guard_notes(ctx, &judged)? {
        let row = guard.info.row;
        let note = GuardNote {
            version: row.version,
            mark: row.mark,
            promise: row.promise,
            rules: guard.rules.unwrap_or_default().into_iter().map(|rule| (rule.rule, rule.meaning)).collect(),
        };
        bundle.guards.entry(row.id).or_insert(note);
    }
    Ok(())
}
