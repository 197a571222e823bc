//! The receipt of a judgement: a digest of all that decided it, so that whoever has the same repository can tell that the same guards said
//! the same of the same change.

use guardhost_core::canonical;
use guardhost_core::change::{Candidate, Evidence, EvidenceSource, Judgement, Task, TaskMode};
use guardhost_engine::LanguageSpec;
use guardhost_policy::Policy;
use serde_json::{Value, json};

/// Of the encoding. Another encoding gets another number, and so another digest.
const VERSION: u32 = 2;

/// `sha256:` and the digest, in hex, of the canonical JSON of: the two trees; the host's rules; and for each guard its component, its pin,
/// its mode, its verdict, and the language components, the task, the commits and the answers as far as it asked for them.
///
/// What no guard asked for is not in it. So the receipt of a change whose guards looked at nothing but the trees follows from the commit
/// alone. Neither is what differs between two judgements of the same: times, fuel, logs, and where compiled code came from.
pub fn receipt(candidate: &Candidate, judgement: &Judgement, task: Option<&Task>, policy: &Policy) -> String {
    let of_source = |source: EvidenceSource| {
        let evidence = judgement.evidence.iter().filter(move |evidence| evidence.source == source);
        evidence.map(|evidence| guard(evidence, candidate, task, policy)).collect::<Vec<_>>()
    };
    let content = json!({
        "receipt": VERSION,
        "base": candidate.base_tree.to_string(),
        "candidate": candidate.tree.to_string(),
        "rules": rules_digest(policy),
        "guards": of_source(EvidenceSource::Guard),
        "host": of_source(EvidenceSource::Host),
    });
    canonical::digest(&content)
}

/// `sha256:` and the digest, in hex, of all that decides by itself what is said of a change: the host's rules, each guard's component and
/// pin, and the components that read texts for them.
pub fn judges_digest(policy: &Policy) -> String {
    let guard = |id: String| json!({ "component": policy.guards.digest(&id), "pin": policy.guards.pin(&id).as_ref().map(canonical::digest), "id": id });
    let guards: Vec<Value> = policy.guards.ids().into_iter().map(guard).collect();
    let language = |language: &LanguageSpec| json!({ "id": language.id, "component": language.digest() });
    let languages: Vec<Value> = policy.guards.languages().iter().map(language).collect();
    canonical::digest(&json!({ "rules": rules_digest(policy), "guards": guards, "languages": languages }))
}

/// `sha256:` and the digest, in hex, of what `guards.toml` says of the host's own rules.
pub fn rules_digest(policy: &Policy) -> String {
    let section = &policy.config.rules.policy;
    let mut said = json!({
        "allow_unreadable": section.allow_unreadable,
        "allow_comments": section.allow_comments,
        "unjudged": policy.unjudged,
    });
    if !section.disclosure.0.is_empty() {
        said["disclosure"] = json!(section.disclosure.0);
    }
    // A repository without `[paths]` has the digest that it had before there was one.
    for (key, _, globs) in policy.guards.kinds().written().iter().flat_map(|paths| paths.lists()) {
        said[format!("paths.{key}")] = json!(globs);
    }
    canonical::digest(&said)
}

fn guard(evidence: &Evidence, candidate: &Candidate, task: Option<&Task>, policy: &Policy) -> Value {
    let Evidence { id, mode, verdict, basis, .. } = evidence;
    let pin = policy.guards.pin(id);
    json!({
        "id": id,
        // What ran, also where the judgement did not have to know its digest.
        "component": policy.guards.digest(id),
        "pin": pin.as_ref().map(canonical::digest),
        "mode": mode,
        "verdict": {
            "verdict": verdict.as_str(),
            "reason": verdict.reason(),
            "code": verdict.code(),
            "findings": verdict.findings(),
            "metrics": evidence.metrics,
            "allowed": evidence.allowed,
        },
        "languages": (!basis.languages.is_empty()).then_some(&basis.languages),
        "task": basis.task.then(|| task_digest(task)),
        "commits": basis.commits.then(|| canonical::digest(&commits(candidate))),
        "answers": (!basis.answers.is_empty()).then(|| canonical::digest(&json!(basis.answers))),
    })
}

fn task_digest(task: Option<&Task>) -> Option<String> {
    let Task { text, hints, mode, .. } = task?;
    let mode = match mode {
        TaskMode::Normal => "normal",
        TaskMode::CompileFix => "compile-fix",
    };
    Some(canonical::digest(&json!({ "text": text, "hints": hints, "mode": mode })))
}

fn commits(candidate: &Candidate) -> Value {
    json!({ "commits": candidate.commits, "message": candidate.message })
}
