//! Changes that nothing judged: every enforced guard was not applicable, or there is none.

use guardhost_core::change::{
    Blob, Candidate, Event, Evidence, FileChange, FileMode, Finding, GuardVerdict, HostRule, Inapplicable, Judgement,
    Mode, RepoPath, Severity,
};
use guardhost_engine::facts::is_source;
use guardhost_engine::{JudgeContext, guard};
use guardhost_policy::Policy;
use guardhost_policy::config::Unjudged;

use crate::case::Purpose;
use crate::disclosed::undisclosed;

/// Bytes of a script. A larger file without an extension is a program or data.
const LARGEST_SCRIPT: u64 = 1 << 20;

/// Files that a finding names.
const NAMED: usize = 5;

/// Asks every guard, and rejects a change that nothing judged if the policy says so, or if a person asked for the guards by name; and one with
/// commits of models that do not say so, where the policy wants that.
pub fn guard_all(candidate: &Candidate, policy: &Policy, purpose: Purpose, context: &JudgeContext) -> Judgement {
    let mut judgement = guard(candidate, &policy.guards, context);
    let paths: Vec<&RepoPath> = candidate.files.iter().map(|file| &file.path).collect();
    let asked = unanswered_request(&paths, &judgement, policy.unjudged, &policy.asked, purpose);
    let unjudged = asked.or_else(|| rejection(candidate, &judgement, policy, purpose));
    for evidence in unjudged.into_iter().chain(undisclosed(candidate, policy)) {
        context.observer.see(&Event::Judged { evidence: Box::new(evidence.clone()) });
        judgement.evidence.push(evidence);
    }
    judgement
}

/// Whoever names a guard wants its verdict: one that this command cannot give fails, and of several at least one must concern the change.
/// None where the verdicts are there, where a person said that a change may go on unjudged, and of the past for a change that the guard is not
/// about.
fn unanswered_request(
    touched: &[&RepoPath],
    judgement: &Judgement,
    unjudged: Option<Unjudged>,
    asked: &[String],
    purpose: Purpose,
) -> Option<Evidence> {
    if touched.is_empty() || unjudged == Some(Unjudged::Accept) {
        return None;
    }
    let silent = judgement.evidence.iter().filter_map(|evidence| match &evidence.verdict {
        GuardVerdict::NotApplicable(why) if evidence.mode == Mode::Enforce && asked.contains(&evidence.id) => {
            Some((&evidence.id, why))
        }
        _ => None,
    });
    let silent: Vec<(&String, &Inapplicable)> = silent.collect();
    if let Some((id, why)) = silent.iter().find(|(_, why)| matches!(why, Inapplicable::NotOffered(_))) {
        let message = format!("{id} was asked for by name and could not look: {}", why.reason());
        return Some(HostRule::ChangeJudged.could_not_look(message));
    }
    if silent.is_empty() || purpose == Purpose::Past || !judgement.is_unjudged() {
        return None;
    }
    let reasons: Vec<String> = silent.iter().map(|(id, why)| format!("{id}: {}", why.reason())).collect();
    let message =
        format!("what was asked for by name did not judge this change of {} ({})", list(touched), reasons.join("; "));
    let help = "Ask for a guard that reads these files, or for none by name. `--skip host:judged` accepts the change unjudged.";
    let finding = Finding { help: Some(help.to_owned()), ..Finding::new("unjudged", Severity::Error, message) };
    Some(HostRule::ChangeJudged.rejection(vec![finding]))
}

/// None for a change that was judged, changes nothing, or may go on unjudged.
fn rejection(candidate: &Candidate, judgement: &Judgement, policy: &Policy, purpose: Purpose) -> Option<Evidence> {
    if !judgement.is_unjudged() || candidate.files.is_empty() {
        return None;
    }
    let source: Vec<&RepoPath> = source_files(candidate).collect();
    let (named, why) = match (policy.unjudged, purpose) {
        (Some(Unjudged::Accept), _) | (None, Purpose::Report | Purpose::Past) => return None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use guardhost_core::change::{EvidenceSource, Verdict};

    fn evidence(id: &str, mode: Mode, verdict: GuardVerdict) -> Evidence {
        let of_rule = HostRule::ChangeJudged.rejection(Vec::new());
        Evidence { id: id.to_owned(), mode, source: EvidenceSource::Guard, verdict, ..of_rule }
    }

    fn silent(id: &str, why: fn(String) -> Inapplicable) -> Evidence {
        evidence(id, Mode::Enforce, GuardVerdict::NotApplicable(why("nothing".to_owned())))
    }

    fn passing(id: &str) -> Evidence {
        evidence(id, Mode::Enforce, GuardVerdict::Pass(Vec::new()))
    }

    /// What becomes of a change with this evidence where `asked` were asked for by name: the verdict, and the code of an error.
    fn verdict(
        evidence: Vec<Evidence>,
        asked: &[&str],
        unjudged: Option<Unjudged>,
        purpose: Purpose,
    ) -> (Verdict, Option<&'static str>) {
        let (path, asked) = (RepoPath::from("a.bin"), asked.iter().map(ToString::to_string).collect::<Vec<_>>());
        let mut judgement = Judgement { evidence };
        let rule = unanswered_request(&[&path], &judgement, unjudged, &asked, purpose);
        let code = rule.as_ref().and_then(|rule| rule.verdict.code());
        judgement.evidence.extend(rule);
        (judgement.verdict(), code)
    }

    #[test]
    fn a_guard_that_is_asked_for_by_name_gives_a_verdict() {
        use Inapplicable::{NoFile, NotOffered, NothingHere};
        let (pass, reject) = ((Verdict::Pass, None), (Verdict::Reject, None));
        let fails = (Verdict::Error, Some("could-not-look"));
        let monitored = || evidence("a", Mode::Monitor, GuardVerdict::NotApplicable(NoFile("nothing".to_owned())));
        for (what, evidence, asked, expected) in [
            ("nobody asked", vec![silent("a", NoFile)], &[][..], pass),
            ("no file of it", vec![silent("a", NoFile)], &["a"], reject),
            ("as it says itself", vec![silent("a", NothingHere)], &["a"], reject),
            ("another one judged", vec![silent("a", NoFile), passing("b")], &["a", "b"], pass),
            ("it judged", vec![passing("a")], &["a"], pass),
            ("the command cannot", vec![silent("a", NotOffered), passing("b")], &["a", "b"], fails),
            ("the command cannot, and nobody asked", vec![silent("a", NotOffered), passing("b")], &[], pass),
            ("it only watches", vec![monitored()], &["a"], pass),
        ] {
            assert_eq!(verdict(evidence, asked, None, Purpose::Report), expected, "{what}");
        }
        let accepted = verdict(vec![silent("a", NotOffered)], &["a"], Some(Unjudged::Accept), Purpose::Report);
        assert_eq!(accepted, pass, "a person said that it may go on");
        let of_past = |why: fn(String) -> Inapplicable| verdict(vec![silent("a", why)], &["a"], None, Purpose::Past);
        assert_eq!((of_past(NoFile), of_past(NothingHere), of_past(NotOffered)), (pass, pass, fails));
    }
}
