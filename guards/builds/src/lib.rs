//! GB: no compile error that the base did not have.

mod known;
mod rules;

use guard_sdk::{
    About, BuildReport, Capability, Change, Denied, Diagnostic, Finding, Guard, Need, NoSettings, Side, Stage, Verdict,
    guard,
};

use known::Known;

/// Errors that are told one by one; a model mends the first ones first.
const MOST: usize = 100;
/// Of an error's text, and of a failed build's output, in bytes.
const TEXT: usize = 1_000;

pub struct Builds;

impl Guard for Builds {
    type Settings = NoSettings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "GB",
        promise: "No compile error that the base did not have, in any language of the change that has a build.",
        stages: &[Stage::Command],
        needs: &[Need::of(Capability::Toolchain, "to build the base and the candidate, in a sandbox")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_build.fail",
        ..About::NONE
    };

    fn check(change: &Change, _: NoSettings) -> Result<Verdict, String> {
        let tools = change.toolchain();
        let after = tools.build(Side::After).map_err(|why| unanswered("the candidate", why))?;
        if after.is_empty() {
            return Ok(Verdict::not_applicable("no language of the change has a build that the host knows"));
        }
        if after.iter().all(|report| report.is_ok) {
            return Ok(Verdict::Pass(Vec::new()));
        }
        // The base is only built when there is something to compare.
        let base = tools.build(Side::Before).map_err(|why| unanswered("the base", why))?;
        let (mut findings, mut unlooked) = (Vec::new(), Vec::new());
        for report in after.iter().filter(|report| !report.is_ok) {
            let before = base.iter().find(|base| (&base.tool, &base.project) == (&report.tool, &report.project));
            match judge(change, before, report) {
                Ok(found) => findings.extend(found),
                Err(why) => unlooked.push(format!("{}: {why}", name(report))),
            }
        }
        // What could not be built may have new errors.
        if findings.is_empty() && !unlooked.is_empty() {
            return Err(format!("it could not look: {}", unlooked.join("; ")));
        }
        if findings.len() > MOST {
            let more = findings.len() - MOST;
            findings.truncate(MOST);
            findings.push(Finding::error("more", format!("{more} more errors are new")));
        }
        findings.extend(unlooked.into_iter().map(|why| Finding::info("not-run", format!("not built: {why}"))));
        Ok(Verdict::from_findings(findings))
    }
}

guard!(Builds);

fn unanswered(side: &str, why: Denied) -> String {
    format!("the build of {side} has no result: {}", why.reason())
}

/// What is new in a build that fails. Errors: why that cannot be said.
fn judge(change: &Change, before: Option<&BuildReport>, after: &BuildReport) -> Result<Vec<Finding>, String> {
    let before = before.filter(|before| before.not_run.is_none());
    match (&after.not_run, before) {
        (Some(why), None) => return Err(why.clone()),
        (Some(why), Some(_)) => {
            let message = format!("{} built the base and cannot build this: {why}", name(after));
            let help = "Leave the choice of tools and versions as it was.";
            return Ok(vec![Finding::error("build-gone", message).help(help)]);
        }
        (None, _) => {}
    }
    let mut known = Known::of(change, before);
    let new: Vec<Finding> = after.diagnostics.iter().filter(|found| !known.take(found)).map(error).collect();
    if !new.is_empty() || !after.diagnostics.is_empty() {
        return Ok(new);
    }
    // It fails and does not say where.
    let end = &after.output[after.output.ceil_char_boundary(after.output.len().saturating_sub(TEXT))..];
    if before.is_some_and(|before| !before.is_ok) {
        let last = end.lines().last().unwrap_or_default();
        return Err(format!("it fails on the base too, without saying where: {last}"));
    }
    let message = format!("the build by {} fails, and it did not on the base\n{end}", name(after));
    Ok(vec![Finding::error("build-fails", message).help("Mend what the tool complains of.")])
}

fn error(found: &Diagnostic) -> Finding {
    let text = &found.message[..found.message.floor_char_boundary(TEXT)];
    let finding = Finding::error("new-error", text.trim())
        .help("The base builds without this error: mend the code that the change brings in, or what it left behind.");
    match (&found.path, found.line) {
        (Some(path), Some(line)) if line > 0 => finding.at(path, line),
        (Some(path), _) => finding.file(path),
        (None, _) => finding,
    }
}

/// `cargo in backend`.
fn name(report: &BuildReport) -> String {
    if report.project.is_empty() { report.tool.clone() } else { format!("{} in {}", report.tool, report.project) }
}
