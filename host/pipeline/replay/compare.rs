//! Two judgements of one change, guard by guard.

use guardhost_core::canonical;
use guardhost_core::change::{Evidence as Judged, Failed, GuardVerdict, Judgement};
use guardhost_core::masked;
use guardhost_core::renamed_guards::means;
use guardhost_report::journal::StoredEvidence;
use guardhost_report::{GuardOutcome, GuardReplay, GuardSide};
use serde_json::{Value, json};

/// The `kind` of a guard's evidence.
pub const GUARD: &str = "guard";

/// What differs between any two judgements: times, and where a verdict and compiled code came from.
const INCIDENTAL: [&str; 3] = ["micros", "cached", "reused"];

/// What a judgement tells of a guard only if it had to load it.
const IF_LOADED: [&str; 3] = ["g", "version", "digest"];

/// Every guard of either judgement. `then` is the recorded judgement, as far as it is what was recorded; `digest_of` gives a guard's component,
/// and `unloadable` why another guard of the record has none.
pub fn judgements(
    evidence: &[&StoredEvidence],
    then: Option<&Value>,
    now: &Judgement,
    digest_of: &dyn Fn(&str) -> String,
    unloadable: &[(String, String)],
) -> Vec<GuardReplay> {
    let of_then = |id: &str| then?.get("guards")?.as_array()?.iter().find(|guard| guard["id"] == id);
    let mut guards: Vec<GuardReplay> = Vec::new();
    for then in evidence {
        let id = then.tool.as_str();
        let judged = now.evidence.iter().find(|judged| means(id, &judged.id));
        let digest = digest_of(judged.map_or(id, |judged| &judged.id));
        guards.push(GuardReplay {
            id: id.to_owned(),
            outcome: outcome(then, of_then(id), judged, &digest, unloadable),
            recorded: Some(side_then(then)),
            replayed: judged.map(|judged| side_now(judged, &digest)),
            answers: 0,
        });
    }
    for new in now.evidence.iter().filter(|judged| !evidence.iter().any(|then| means(&then.tool, &judged.id))) {
        guards.push(GuardReplay {
            id: new.id.clone(),
            outcome: GuardOutcome::New,
            recorded: None,
            replayed: Some(side_now(new, &new.digest)),
            answers: 0,
        });
    }
    guards
}

fn side_then(then: &StoredEvidence) -> GuardSide {
    let StoredEvidence { tool_version, digest, .. } = then;
    let verdict = json!(then.verdict).as_str().unwrap_or_default().to_owned();
    GuardSide { version: tool_version.clone(), digest: digest.clone(), verdict }
}

pub fn side_now(judged: &Judged, digest: &str) -> GuardSide {
    GuardSide {
        version: judged.version.clone(),
        digest: digest.to_owned(),
        verdict: judged.verdict.as_str().to_owned(),
    }
}

fn outcome(
    then: &StoredEvidence,
    json_then: Option<&Value>,
    judged: Option<&Judged>,
    digest: &str,
    unloadable: &[(String, String)],
) -> GuardOutcome {
    let Some(judged) = judged else {
        let reason = unloadable.iter().find(|(id, _)| means(&then.tool, id)).map(|(_, why)| why.clone());
        return match reason {
            Some(why) => GuardOutcome::CannotLoad(why),
            // A rule of the host that no longer rejects says something else.
            None if then.kind != GUARD => GuardOutcome::VerdictDiffers { fields: vec!["verdict".to_owned()] },
            None => GuardOutcome::Missing,
        };
    };
    let fields = match json_then {
        Some(json_then) => differences(json_then, &serde_json::to_value(judged).unwrap_or_default()),
        None => summary_differences(then, judged),
    };
    if then.kind == GUARD && !then.digest.is_empty() && then.digest != digest {
        let asked = judged.basis.not_recorded.is_none() && !is_load_failure(&judged.verdict);
        let says = ["verdict", "reason", "findings", "code"];
        let says_same = asked.then(|| !fields.iter().any(|field| says.contains(&field.as_str())));
        return GuardOutcome::ComponentDiffers { says_same };
    }
    if let Some(why) = &judged.basis.not_recorded {
        return GuardOutcome::AnswersMissing(why.clone());
    }
    if fields.is_empty() {
        return GuardOutcome::Same;
    }
    match &judged.verdict {
        GuardVerdict::Error { message, failed: Failed::Load, .. } => GuardOutcome::CannotLoad(message.clone()),
        GuardVerdict::Error { message, failed: Failed::Machine | Failed::PartialClone, .. } => {
            GuardOutcome::CannotJudge(message.clone())
        }
        GuardVerdict::Error { failed: Failed::Run, .. }
        | GuardVerdict::Pass(_)
        | GuardVerdict::Reject(_)
        | GuardVerdict::NotApplicable(_) => GuardOutcome::VerdictDiffers { fields },
    }
}

fn is_load_failure(verdict: &GuardVerdict) -> bool {
    match verdict {
        GuardVerdict::Error { failed, .. } => *failed == Failed::Load,
        GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::NotApplicable(_) => false,
    }
}

/// The fields in which two pieces of evidence differ, byte for byte in canonical form. A mask of the record stands for anything.
fn differences(then: &Value, now: &Value) -> Vec<String> {
    let (Some(then), Some(now)) = (then.as_object(), now.as_object()) else { return vec!["evidence".to_owned()] };
    let mut names: Vec<&String> = then.keys().chain(now.keys()).collect();
    names.sort();
    names.dedup();
    let differs = |name: &&String| {
        let name = name.as_str();
        let (then, now) = (then.get(name).unwrap_or(&Value::Null), now.get(name).unwrap_or(&Value::Null));
        let is_unknown = |value: &Value| IF_LOADED.contains(&name) && value.as_str() == Some("");
        let is_same = || canonical::text(then) == canonical::text(now) || masked::same(then, now);
        // The two are of one guard, which may have another id now.
        name != "id" && !(INCIDENTAL.contains(&name) || is_unknown(then) || is_unknown(now) || is_same())
    };
    names.into_iter().filter(differs).cloned().collect()
}

/// The same by what the record itself has, where the file of the judgement is not what was recorded.
fn summary_differences(then: &StoredEvidence, judged: &Judged) -> Vec<String> {
    let findings = judged.verdict.findings();
    let summary = judged.verdict.reason().or(findings.first().map(|finding| finding.message.as_str()));
    let then_fields = json!({
        "verdict": then.verdict, "code": then.code, "summary": then.summary, "findings": then.findings, "fuel": then.fuel,
        "version": then.tool_version,
    });
    let now_fields = json!({
        "verdict": judged.verdict.as_str(), "code": judged.verdict.code(), "summary": summary, "findings": findings.len(),
        "fuel": judged.fuel, "version": judged.version,
    });
    differences(&then_fields, &now_fields)
}
