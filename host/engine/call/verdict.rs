//! Checks a guard's results against the contract. A violation is the guard's error, never a verdict.

use std::collections::HashMap;

use wasmtime::component::Resource;

use crate::bindings::exports::guardhost::guard::judge::Verdict;
use crate::bindings::guardhost::guard::report;
use crate::call::log::CallLog;
use crate::call::store_data::StoreData;
use crate::describe::Description;
use crate::drafts::{FindingDraft, ObjectionDraft, RelatedDraft};
use crate::handles::{FindingHandle, ObjectionHandle};
use crate::judge::change_view::{ChangeView, TreeSide, decoded};
use crate::limits::FINDINGS;
use crate::readers::most_lines;
use crate::text::escape::{escape, escape_line, is_kebab};
use guardhost_core::change::{Edit, Failed, Finding, Fix, GuardVerdict, Inapplicable, Related, RepoPath, Severity};

/// Bytes of a finding's message, and of its help: a paragraph each.
const TEXT: usize = 2_000;
const TITLE: usize = 200;
const RULE: usize = 64;

/// Edits of one fix. Each is looked up in the candidate and compared with the others.
const EDITS: usize = 100;

/// Related places of one finding.
const RELATED: usize = 20;

/// Paths that one step may hint at, as in a plan.
const HINTS: usize = 64;

/// What a guard of the plan stage says of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepObjection {
    /// The step's id.
    pub step: String,
    pub reason: String,
    /// The hints that the step is to have instead. None: it is dropped.
    pub hints: Option<Vec<RepoPath>>,
}

/// Checks the result of `check-plan`. Err: the guard's error.
pub fn objections(
    objections: &[Resource<ObjectionHandle>],
    call: &StoreData,
) -> Result<Vec<StepObjection>, GuardVerdict> {
    let checked = |handle: &Resource<ObjectionHandle>| {
        let ObjectionDraft { step, reason, hints } =
            StoreData::resource(&call.objections, handle).map_err(|_| unknown_handle())?;
        if !call.plan.iter().any(|known| known.id == *step) {
            return Err(bad_output(format!(
                "it objects to the step {:?}, which the plan does not have",
                escape_line(step, TITLE)
            )));
        }
        if reason.trim().is_empty() {
            return Err(bad_output(format!("it objects to the step {step:?}, and does not say why")));
        }
        let hints = hints.as_deref().map(|hints| checked_hints(step, hints)).transpose()?;
        Ok(StepObjection { step: step.clone(), reason: escape(reason, TEXT), hints })
    };
    objections.iter().map(checked).collect()
}

/// Err: a plan could not have them.
fn checked_hints(step: &str, hints: &[String]) -> Result<Vec<RepoPath>, GuardVerdict> {
    if hints.is_empty() || hints.len() > HINTS {
        return Err(bad_output(format!("it gives the step {step:?} {} hints; 1 to {HINTS} are allowed", hints.len())));
    }
    let is_outside = |hint: &&String| {
        hint.is_empty() || hint.starts_with('/') || hint.split('/').any(|part| part == "..") || hint.contains('\0')
    };
    if let Some(outside) = hints.iter().find(is_outside) {
        let hint = escape_line(outside, TITLE);
        return Err(bad_output(format!("it gives the step {step:?} the hint {hint:?}, which leaves the repository")));
    }
    Ok(hints.iter().map(|hint| RepoPath::from_form(hint)).collect())
}

/// The verdict of a guard of the plan stage: dropping a step is rejecting, changing one is not.
pub fn from_plan(objections: &[StepObjection]) -> GuardVerdict {
    let finding = |StepObjection { step, reason, hints }: &StepObjection| {
        let (rule, severity) = match hints {
            None => ("step-dropped", Severity::Error),
            Some(_) => ("step-changed", Severity::Info),
        };
        Finding::new(rule, severity, format!("{step}: {reason}"))
    };
    let findings = objections.iter().map(finding).collect();
    match objections.iter().any(|objection| objection.hints.is_none()) {
        true => GuardVerdict::Reject(findings),
        false => GuardVerdict::Pass(findings),
    }
}

/// Checks the result of `check`. Err: the guard's error.
pub fn checked(
    verdict: Verdict,
    drafts: Vec<FindingDraft>,
    change: &ChangeView,
    description: &Description,
    log: &mut CallLog,
) -> Result<GuardVerdict, GuardVerdict> {
    let (findings, rejects) = match verdict {
        Verdict::NotApplicable(reason) if reason.trim().is_empty() => {
            return Err(bad_output("it says that nothing concerns it, and not why"));
        }
        Verdict::NotApplicable(reason) => {
            return Ok(GuardVerdict::NotApplicable(Inapplicable::NothingHere(escape_line(&reason, TEXT))));
        }
        Verdict::Pass(findings) => (findings, false),
        Verdict::Reject(findings) => (findings, true),
    };
    if findings.len() > FINDINGS {
        return Err(error("output-limit", format!("it has {} findings; {FINDINGS} is the limit", findings.len())));
    }
    let mut drafts: Vec<Option<FindingDraft>> = drafts.into_iter().map(Some).collect();
    let mut places = Places { change, log, lines: HashMap::new() };
    let mut finding_of = |handle: Resource<FindingHandle>| {
        let draft = drafts.get_mut(handle.rep() as usize).and_then(Option::take).ok_or_else(unknown_handle)?;
        finding(draft, &mut places, description)
    };
    let findings = findings.into_iter().map(&mut finding_of).collect::<Result<Vec<_>, _>>()?;
    let has_error = findings.iter().any(|finding| finding.severity == Severity::Error);
    match (rejects, has_error) {
        (true, true) => Ok(GuardVerdict::Reject(findings)),
        (false, false) => Ok(GuardVerdict::Pass(findings)),
        (true, false) => Err(bad_output("it rejects without a finding of severity `error`")),
        (false, true) => Err(bad_output("it passes with a finding of severity `error`")),
    }
}

fn error(code: &'static str, message: String) -> GuardVerdict {
    GuardVerdict::Error { code, message, failed: Failed::Run }
}

fn bad_output(message: impl Into<String>) -> GuardVerdict {
    error("bad-output", message.into())
}

/// Impossible: handles are the host's, and a guest gives each away once.
fn unknown_handle() -> GuardVerdict {
    bad_output("it returned a handle that it does not have")
}

fn finding(draft: FindingDraft, places: &mut Places, description: &Description) -> Result<Finding, GuardVerdict> {
    if !is_kebab(&draft.rule, RULE) {
        return Err(bad_output(format!("a finding's rule is {:?}, not kebab-case", escape_line(&draft.rule, RULE))));
    }
    let rule = draft.rule;
    let path = draft.path.map(|path| known_path(&rule, &path, places.change)).transpose()?;
    let lines = match (draft.lines, &path) {
        (None, _) => None,
        (Some(_), None) => return Err(bad_output(format!("`{rule}` names a line without a path"))),
        (Some(lines), Some(path)) => {
            check_lines(&rule, lines)?;
            Some(lines).filter(|lines| places.has(&rule, path, *lines))
        }
    };
    match (draft.lines, draft.columns) {
        (_, None) => {}
        (None, Some(_)) => return Err(bad_output(format!("`{rule}` names a column without a line"))),
        (Some(_), Some((0, _) | (_, 0))) => {
            return Err(bad_output(format!("`{rule}` names column 0; columns count from 1")));
        }
        (Some((line, end_line)), Some((first, last))) if line == end_line && last < first => {
            return Err(bad_output(format!("`{rule}` ends at column {last}, before it begins at column {first}")));
        }
        (Some(_), Some(_)) => {}
    }
    if draft.message.trim().is_empty() {
        return Err(bad_output(format!("`{rule}` has no message")));
    }
    if draft.related.len() > RELATED {
        return Err(error("output-limit", format!("`{rule}` has more than {RELATED} related places")));
    }
    Ok(Finding {
        severity: match draft.severity {
            report::Severity::Error => Severity::Error,
            report::Severity::Warning => Severity::Warning,
            report::Severity::Info => Severity::Info,
        },
        path: path.as_ref().map(shown),
        line: lines.map(|(line, _)| line),
        end_line: lines.and_then(|(line, end)| (end > line).then_some(end)),
        column: lines.and(draft.columns).map(|(first, _)| first),
        end_column: lines.and(draft.columns).map(|(_, last)| last),
        message: escape(&draft.message, TEXT),
        help: draft.help.map(|help| escape(&help, TEXT)),
        help_url: description.url_of(&rule).map(str::to_owned),
        related: draft
            .related
            .into_iter()
            .filter_map(|place| related(&rule, place, places))
            .collect::<Result<_, _>>()?,
        fix: draft.fix.map(|(title, edits)| fix(&rule, &title, edits, places.change)).transpose()?,
        is_secret: draft.is_secret,
        rule,
    })
}

fn check_lines(rule: &str, (line, end): (u32, u32)) -> Result<(), GuardVerdict> {
    match (line, end) {
        (0, _) => Err(bad_output(format!("`{rule}` names line 0; lines count from 1"))),
        (line, end) if end < line => {
            Err(bad_output(format!("`{rule}` ends at line {end}, before it begins at line {line}")))
        }
        _ => Ok(()),
    }
}

/// None where the file has no such lines.
fn related(rule: &str, place: RelatedDraft, places: &mut Places) -> Option<Result<Related, GuardVerdict>> {
    let known = check_lines(rule, place.lines).and_then(|()| known_path(rule, &place.path, places.change));
    let (line, end_line) = place.lines;
    match known {
        Ok(path) => places
            .has(rule, &path, place.lines)
            .then(|| Ok(Related { path: shown(&path), line, end_line, message: escape(&place.message, TEXT) })),
        Err(wrong) => Some(Err(wrong)),
    }
}

/// Begins the line of a guard's log that tells of a line which its file does not have.
pub const NO_SUCH_LINE: &str = "it names a line that the file does not have: ";

/// How many lines the files of a change have. What is found beyond is shown without a place, and logged: tools count lines of what a file was
/// made from.
struct Places<'a> {
    change: &'a ChangeView,
    log: &'a mut CallLog,
    /// The most of both sides; None where that is not known.
    lines: HashMap<RepoPath, Option<u32>>,
}

impl Places<'_> {
    fn has(&mut self, rule: &str, path: &RepoPath, (_, last): (u32, u32)) -> bool {
        let change = self.change;
        let count = || {
            let text = |side| {
                let bytes = match change.entry(side, path).ok()? {
                    Some(entry) => change.blob(entry).ok()?,
                    None => return Some(0),
                };
                let text = decoded(&bytes).unwrap_or_else(|_| String::from_utf8_lossy(&bytes).into());
                Some(most_lines(&text))
            };
            Some(text(TreeSide::Before)?.max(text(TreeSide::After)?))
        };
        let lines = *self.lines.entry(path.clone()).or_insert_with(count);
        let has = lines.is_none_or(|lines| last <= lines);
        if !has {
            self.log.line("warn", &format!("{NO_SUCH_LINE}`{rule}` at {}:{last}", shown(path)));
        }
        has
    }
}

/// The path as reports show it.
fn shown(path: &RepoPath) -> String {
    escape_line(&path.to_string(), usize::MAX)
}

fn known_path(rule: &str, path: &str, change: &ChangeView) -> Result<RepoPath, GuardVerdict> {
    let known = RepoPath::from_form(path);
    let touched = || change.candidate.files.iter().any(|file| file.path == known);
    let stands = |side| change.entry(side, &known).map(|entry| entry.is_some()).map_err(unreadable);
    if touched() || stands(TreeSide::After)? || stands(TreeSide::Before)? {
        return Ok(known);
    }
    let path = escape_line(path, TITLE);
    Err(bad_output(format!("`{rule}` names the path {path:?}, which is in neither tree")))
}

/// Checks that the edits lie inside files of the candidate and do not overlap: other fixes could not be applied.
fn fix(rule: &str, title: &str, said: Vec<report::Edit>, change: &ChangeView) -> Result<Fix, GuardVerdict> {
    if said.len() > EDITS {
        return Err(error(
            "output-limit",
            format!("the fix of `{rule}` has {} edits; {EDITS} is the limit", said.len()),
        ));
    }
    let mut edits: Vec<Edit> = Vec::with_capacity(said.len());
    for report::Edit { path, start, end, replacement } in said {
        let known = RepoPath::from_form(&path);
        let size = match change.entry(TreeSide::After, &known).map_err(unreadable)? {
            Some(entry) => change.size(entry).map_err(unreadable)?,
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
        // One file has many spellings.
        let path = known.to_string();
        if edits.iter().any(|edit| edit.path == path && edit.start < end && start < edit.end) {
            return Err(bad_output(format!("the fix of `{rule}` edits the same bytes twice")));
        }
        edits.push(Edit { path, start, end, replacement });
    }
    Ok(Fix { title: escape_line(title, TITLE), edits })
}

fn unreadable(stop: crate::limits::GuardStop) -> GuardVerdict {
    GuardVerdict::Error { code: "repository", message: stop.to_string(), failed: Failed::Machine }
}
