//! What a tool of the repository (a compiler, a linter) objects to on the candidate and not on the base.

mod known;

use guard_sdk::{BuildReport, Change, Denied, Diagnostic, Finding, Side, Verdict};

use known::Known;

/// Errors that are told one by one; a model fixes the first ones first.
const MOST: usize = 100;
/// Of an error's text, and of a failed run's output, in bytes.
const TEXT: usize = 1_000;

/// How a guard names what its tools do.
pub struct Wording {
    /// `build`.
    pub run: &'static str,
    /// Whether an error says which tool reports it; a compiler's own words are known by their form.
    pub names_tool: bool,
    /// The rule and the help of an error that the base did not have.
    pub new: (&'static str, &'static str),
    /// The rule and the help of a run that fails and does not say where.
    pub fails: (&'static str, &'static str),
    /// The rule of a tool that ran on the base and cannot run on the candidate.
    pub gone: &'static str,
    /// Why nothing concerns the guard when no tool reports.
    pub none: &'static str,
}

/// Asks for the candidate's reports, and for the base's where there is something to compare.
///
/// # Errors
/// Why the guard could not look.
pub fn compare(
    change: &Change,
    words: &Wording,
    ask: impl Fn(Side) -> Result<Vec<BuildReport>, Denied>,
) -> Result<Verdict, String> {
    let unanswered = |side: &str, why: Denied| format!("the {} of {side} has no result: {}", words.run, why.reason());
    let after = ask(Side::After).map_err(|why| unanswered("the candidate", why))?;
    if after.is_empty() {
        return Ok(Verdict::not_applicable(words.none));
    }
    if after.iter().all(|report| report.is_ok) {
        return Ok(Verdict::Pass(Vec::new()));
    }
    let base = ask(Side::Before).map_err(|why| unanswered("the base", why))?;
    let (mut findings, mut unlooked) = (Vec::new(), Vec::new());
    for report in after.iter().filter(|report| !report.is_ok) {
        let before = base.iter().find(|base| (&base.tool, &base.project) == (&report.tool, &report.project));
        match judge(change, words, before, report) {
            Ok(found) => findings.extend(found),
            Err(why) => unlooked.push(format!("{}: {why}", name(report))),
        }
    }
    // What could not be run may have new errors.
    if findings.is_empty() && !unlooked.is_empty() {
        return Err(format!("it could not look: {}", unlooked.join("; ")));
    }
    if findings.len() > MOST {
        let more = findings.len() - MOST;
        findings.truncate(MOST);
        findings.push(Finding::error("more", format!("{more} more errors are new")));
    }
    let not_run = |why: String| Finding::info("not-run", format!("no {}: {why}", words.run));
    findings.extend(unlooked.into_iter().map(not_run));
    Ok(Verdict::from_findings(findings))
}

/// What is new in a run that fails. Errors: why that cannot be said.
fn judge(
    change: &Change,
    words: &Wording,
    before: Option<&BuildReport>,
    after: &BuildReport,
) -> Result<Vec<Finding>, String> {
    let before = before.filter(|before| before.not_run.is_none());
    match (&after.not_run, before) {
        (Some(why), None) => return Err(why.clone()),
        (Some(why), Some(_)) => {
            let message = format!("{} ran on the base and cannot run on this: {why}", name(after));
            let help = "Leave the choice of tools and versions as it was.";
            return Ok(vec![Finding::error(words.gone, message).help(help)]);
        }
        (None, _) => {}
    }
    let mut known = Known::new(change, before);
    let new = after.diagnostics.iter().filter(|found| !known.take(found));
    let new: Vec<Finding> = new.map(|found| error(words, &after.tool, found)).collect();
    if !new.is_empty() || !after.diagnostics.is_empty() {
        return Ok(new);
    }
    // It fails and does not say where.
    let end = &after.output[after.output.ceil_char_boundary(after.output.len().saturating_sub(TEXT))..];
    if before.is_some_and(|before| !before.is_ok) {
        let last = end.lines().last().unwrap_or_default();
        return Err(format!("it fails on the base too, without saying where: {last}"));
    }
    let (rule, help) = words.fails;
    let message = format!("the {} by {} fails, and it did not on the base\n{end}", words.run, name(after));
    Ok(vec![Finding::error(rule, message).help(help)])
}

fn error(words: &Wording, tool: &str, found: &Diagnostic) -> Finding {
    let text = found.message[..found.message.floor_char_boundary(TEXT)].trim();
    let text = if words.names_tool { format!("{tool}: {text}") } else { text.to_owned() };
    let (rule, help) = words.new;
    let finding = Finding::error(rule, text).help(help);
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
