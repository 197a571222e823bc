//! Changes that nothing judged: every enforced guard was not applicable, or there is none.

use guardhost_core::change::{
    Blob, Candidate, Event, Evidence, FileChange, FileMode, Finding, HostRule, Judgement, RepoPath, Severity,
};
use guardhost_engine::facts::is_source;
use guardhost_engine::{Context, guard};
use guardhost_policy::Policy;
use guardhost_policy::config::Unjudged;

use crate::case::Purpose;

/// Bytes of a script. A larger file without an extension is a program or data.
const LARGEST_SCRIPT: u64 = 1 << 20;

/// Files that a finding names.
const NAMED: usize = 5;

/// Asks every guard, and rejects a change that nothing judged if the policy says so.
pub fn guard_all(candidate: &Candidate, policy: &Policy, purpose: Purpose, context: &Context) -> Judgement {
    let mut judgement = guard(candidate, &policy.guards, context);
    if let Some(evidence) = rejection(candidate, &judgement, policy, purpose) {
        context.observer.see(&Event::Judged { evidence: Box::new(evidence.clone()) });
        judgement.evidence.push(evidence);
    }
    judgement
}

/// None for a change that was judged, changes nothing, or may go on unjudged.
fn rejection(candidate: &Candidate, judgement: &Judgement, policy: &Policy, purpose: Purpose) -> Option<Evidence> {
    if !judgement.is_unjudged() || candidate.files.is_empty() {
        return None;
    }
    let source: Vec<&RepoPath> = source_files(candidate).collect();
    let (named, why) = match (policy.unjudged, purpose) {
        (Some(Unjudged::Accept), _) | (None, Purpose::Report) => return None,
        (Some(Unjudged::Reject), _) => {
            (candidate.files.iter().map(|file| &file.path).collect(), "the policy rejects that")
        }
        // A set without guards is wrong settings, which `settle` reports, and no fault of the change.
        (None, Purpose::Commit) if source.is_empty() || judgement.evidence.is_empty() => return None,
        (None, Purpose::Commit) => (source, "source files are not committed unjudged"),
    };
    let message = format!("no guard judged this change of {}, and {why}", list(&named));
    let help = "If the task does not need these files, leave them as they are; a change of files that the guards read can be judged. \
                A person can add a guard that reads them, or write `unjudged = \"accept\"` under `[policy]` in guards.toml.";
    let finding = Finding { help: Some(help.to_owned()), ..Finding::new("unjudged", Severity::Error, message) };
    Some(HostRule::ChangeJudged.rejection(vec![finding]))
}

fn source_files(candidate: &Candidate) -> impl Iterator<Item = &RepoPath> {
    let paths = candidate.files.iter().flat_map(|file| {
        let paths = [Some(&file.path), file.old_path.as_ref()].into_iter().flatten();
        paths.map(move |path| (file, path))
    });
    paths.filter(|(file, path)| is_source(path) || is_script(candidate, file, path)).map(|(_, path)| path)
}

/// Whether a file without an extension begins with `#!`, on either side.
fn is_script(candidate: &Candidate, file: &FileChange, path: &RepoPath) -> bool {
    let begins = |blob: &Blob| {
        blob.mode != FileMode::Submodule
            && blob.size <= LARGEST_SCRIPT
            && candidate.objects.blob(blob.oid).is_ok_and(|bytes| bytes.starts_with(b"#!"))
    };
    let has_extension = path.file_name().iter().skip(1).any(|byte| *byte == b'.');
    !has_extension && [&file.before, &file.after].into_iter().flatten().any(begins)
}

/// The first of them, and how many more there are.
fn list(paths: &[&RepoPath]) -> String {
    let named: Vec<String> = paths.iter().take(NAMED).map(ToString::to_string).collect();
    match paths.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
