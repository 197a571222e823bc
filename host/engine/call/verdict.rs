//! Checks a guard's results against the contract. A violation is the guard's error, never a verdict.

use crate::bindings::{plans, types};
use crate::judge::change_view::{ChangeView, Side};
use crate::limits::FINDINGS;
use crate::text::escape::{escape, escape_line, is_kebab};
use guardhost_core::change::{Edit, Finding, Fix, GuardVerdict, PlanStep, Severity};

/// Bytes of a finding's message, and of its help: a paragraph each.
const TEXT: usize = 2_000;
const TITLE: usize = 200;
const RULE: usize = 64;

/// Edits of one fix. Each is looked up in the candidate and compared with the others.
const EDITS: usize = 100;

/// A step's id, and why it is dropped.
pub type Dropped = (String, String);

/// Checks the result of `check-plan`. Err: the guard's error.
pub fn objections(objections: Vec<plans::Objection>, steps: &[PlanStep]) -> Result<Vec<Dropped>, GuardVerdict> {
    let checked = |plans::Objection { step, reason }| {
        if !steps.iter().any(|known| known.id == step) {
            return Err(bad_output(format!(
                "it drops the step {:?}, which the plan does not have",
                escape_line(&step, TITLE)
            )));
        }
        if reason.trim().is_empty() {
            return Err(bad_output(format!("it drops the step {step:?}, and does not say why")));
        }
        Ok((step, escape(&reason, TEXT)))
    };
    objections.into_iter().map(checked).collect()
}

/// The verdict of a guard of the plan stage: dropping a step is rejecting.
pub fn of_plan(dropped: &[Dropped]) -> GuardVerdict {
    let finding = |(step, reason): &Dropped| Finding {
        rule: "step-dropped".to_owned(),
        severity: Severity::Error,
        path: None,
        line: None,
        end_line: None,
        message: format!("{step}: {reason}"),
        help: None,
        fix: None,
    };
    match dropped {
        [] => GuardVerdict::Pass(Vec::new()),
        dropped => GuardVerdict::Reject(dropped.iter().map(finding).collect()),
    }
}

/// Checks the result of `check`. Err: the guard's error.
pub fn checked(verdict: types::Verdict, change: &ChangeView) -> Result<GuardVerdict, GuardVerdict> {
    let (findings, rejects) = match verdict {
        types::Verdict::NotApplicable(reason) if reason.trim().is_empty() => {
            return Err(bad_output("it says that nothing concerns it, and not why"));
        }
        types::Verdict::NotApplicable(reason) => return Ok(GuardVerdict::NotApplicable(escape_line(&reason, TEXT))),
        types::Verdict::Pass(findings) => (findings, false),
        types::Verdict::Reject(findings) => (findings, true),
    };
    if findings.len() > FINDINGS {
        return Err(error("output-limit", format!("it has {} findings; {FINDINGS} is the limit", findings.len())));
    }
    let findings = findings.into_iter().map(|found| finding(found, change)).collect::<Result<Vec<_>, _>>()?;
    let has_error = findings.iter().any(|finding| finding.severity == Severity::Error);
    match (rejects, has_error) {
        (true, true) => Ok(GuardVerdict::Reject(findings)),
        (false, false) => Ok(GuardVerdict::Pass(findings)),
        (true, false) => Err(bad_output("it rejects without a finding of severity `error`")),
        (false, true) => Err(bad_output("it passes with a finding of severity `error`")),
    }
}

fn error(code: &'static str, message: String) -> GuardVerdict {
    GuardVerdict::Error { code, message, load: false }
}

fn bad_output(message: impl Into<String>) -> GuardVerdict {
    error("bad-output", message.into())
}

fn finding(found: types::Finding, change: &ChangeView) -> Result<Finding, GuardVerdict> {
    if !is_kebab(&found.rule, RULE) {
        return Err(bad_output(format!("a finding's rule is {:?}, not kebab-case", escape_line(&found.rule, RULE))));
    }
    let rule = found.rule;
    if let Some(path) = &found.path
        && !exists(path, change)?
    {
        return Err(bad_output(format!(
            "`{rule}` names the path {:?}, which is in neither tree",
            escape_line(path, TITLE)
        )));
    }
    match (found.path.as_ref(), found.line, found.end_line) {
        (_, None, None) => {}
        (None, ..) => return Err(bad_output(format!("`{rule}` names a line without a path"))),
        (_, None, Some(_)) => return Err(bad_output(format!("`{rule}` has a last line without a first"))),
        (_, Some(0), _) => return Err(bad_output(format!("`{rule}` names line 0; lines count from 1"))),
        (_, Some(line), Some(end)) if end < line => {
            return Err(bad_output(format!("`{rule}` ends at line {end}, before it begins at line {line}")));
        }
        (_, Some(_), _) => {}
    }
    if found.message.trim().is_empty() {
        return Err(bad_output(format!("`{rule}` has no message")));
    }
    Ok(Finding {
        severity: match found.severity {
            types::Severity::Error => Severity::Error,
            types::Severity::Warning => Severity::Warning,
            types::Severity::Info => Severity::Info,
        },
        path: found.path.map(|path| escape_line(&path, usize::MAX)),
        line: found.line,
        end_line: found.end_line,
        message: escape(&found.message, TEXT),
        help: found.help.map(|help| escape(&help, TEXT)),
        fix: found.fix.map(|edits| fix(&rule, edits, change)).transpose()?,
        rule,
    })
}

/// Checks that the edits lie inside files of the candidate and do not overlap: other fixes could not be applied.
fn fix(rule: &str, fix: types::Fix, change: &ChangeView) -> Result<Fix, GuardVerdict> {
    if fix.edits.len() > EDITS {
        return Err(error(
            "output-limit",
            format!("the fix of `{rule}` has {} edits; {EDITS} is the limit", fix.edits.len()),
        ));
    }
    let mut edits: Vec<Edit> = Vec::with_capacity(fix.edits.len());
    for types::Edit { path, start, end, replacement } in fix.edits {
        let size = match change.entry(Side::After, &path).map_err(unreadable)? {
            Some(entry) => change
                .candidate
                .objects
                .blob_size(entry.oid)
                .map_err(|error| unreadable(crate::judge::change_view::repository_error(error)))?,
            None => {
                return Err(bad_output(format!(
                    "the fix of `{rule}` edits {:?}, which is not in the candidate",
                    escape_line(&path, TITLE)
                )));
            }
        };
        if start > end || end > size {
            return Err(bad_output(format!("the fix of `{rule}` edits bytes {start}..{end} of {size}")));
        }
        if edits.iter().any(|edit| edit.path == path && edit.start < end && start < edit.end) {
            return Err(bad_output(format!("the fix of `{rule}` edits the same bytes twice")));
        }
        edits.push(Edit { path, start, end, replacement });
    }
    Ok(Fix { title: escape_line(&fix.title, TITLE), edits })
}

fn exists(path: &str, change: &ChangeView) -> Result<bool, GuardVerdict> {
    let touched = change.candidate.files.iter().any(|file| file.path.as_bytes() == path.as_bytes());
    Ok(touched
        || change.entry(Side::After, path).map_err(unreadable)?.is_some()
        || change.entry(Side::Before, path).map_err(unreadable)?.is_some())
}

fn unreadable(stop: crate::limits::Stop) -> GuardVerdict {
    error("repository", stop.to_string())
}
