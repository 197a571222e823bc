//! Which fixes a judgement calls for.

use guardhost_core::change::{AppliedFix, Edit, Evidence, Finding, GuardVerdict, Judgement, Mode, Severity};

/// Fixes, and all that they edit.
pub type FoundFixes<'j> = (Vec<AppliedFix>, Vec<&'j Edit>);

/// The fixes of all errors that stand in the way, and their edits. None when no error has a fix; Err says why there is no use in those
/// that do.
pub fn collect(judgement: &Judgement) -> Option<Result<FoundFixes<'_>, String>> {
    let enforced = || judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
    let rejecting = enforced().filter(|evidence| matches!(evidence.verdict, GuardVerdict::Reject(_)));
    let errors: Vec<(&Evidence, &Finding)> = rejecting
        .flat_map(|evidence| evidence.verdict.findings().iter().map(move |finding| (evidence, finding)))
        .filter(|(_, finding)| finding.severity == Severity::Error)
        .collect();
    let mut fixes = Vec::new();
    let mut edits = Vec::new();
    for (evidence, finding) in &errors {
        let Some(fix) = finding.fix.as_ref().filter(|fix| !fix.edits.is_empty()) else { continue };
        edits.extend(&fix.edits);
        fixes.push(AppliedFix {
            guard: evidence.id.clone(),
            rule: finding.rule.clone(),
            path: finding.path.clone(),
            line: finding.line,
            title: fix.title.clone(),
        });
    }
    if fixes.is_empty() {
        return None;
    }
    if let Some(broken) = enforced().find(|evidence| matches!(evidence.verdict, GuardVerdict::Error { .. })) {
        return Some(Err(format!("{} failed, and no fix repairs that", broken.id)));
    }
    match errors.len() - fixes.len() {
        0 => Some(Ok((fixes, edits))),
        left => Some(Err(format!("{left} of {} errors cannot be fixed without their author", errors.len()))),
    }
}
