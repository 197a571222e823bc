//! Commit by compare-and-swap, or feedback.

mod feedback;

use std::collections::BTreeMap;
use std::sync::Barrier;

use guardhost_core::change::{
    Candidate, Edit, Evidence, EvidenceSource, FileMode, Finding, Fix, GuardVerdict, Judgement, Misfit, MisfitAt, Mode,
    NoPatch, NoPatchKind, NullObserver, Objects, Refused, RefusedKind, Rejection, RoundFailure, Settled, Severity,
    TreeEntry,
};
use guardhost_core::error::{FaultKind, kind};
use guardhost_engine::GuardSpec;
use guardhost_gate::{Case, Judged, Purpose, Ruling};
use guardhost_git::Repo;
use guardhost_pipeline::settle::{AnsweredBy, AttemptMemory, CommitTarget, Cycle, Settlement, settle};
use guardhost_report::for_model::{BRIEF_LIMIT, FEEDBACK_LIMIT, brief, feedback};

use crate::support::guest::{Found, Guest, REJECT, verdict};
use crate::support::judging::{component, gate};
use crate::support::repo::TestRepo;

fn candidate(repo: &Repo, content: &str) -> Candidate {
    let (store, head) = (repo.store(), repo.head().unwrap());
    let entry = TreeEntry { oid: store.put_blob(content.as_bytes()).unwrap(), mode: FileMode::File };
    let tree = store.edit_tree(head.tree, &[("src/new.rs".into(), Some(entry))]).unwrap();
    guardhost_git::candidate(repo, head.commit, head.tree, tree).unwrap()
}

/// A guard of this id that answers every change like this.
fn guest(id: &'static str, guest: Guest) -> GuardSpec {
    component(id, Guest { id, ..guest }.component())
}

fn judged(candidate: Candidate, guards: Vec<GuardSpec>) -> Judged {
    let gate = gate(guards, &candidate);
    let case = Case { purpose: Purpose::Commit, ..Case::report(candidate, None) };
    match gate.rule(case, &NullObserver).unwrap() {
        Ruling::Judged(judged) => *judged,
        Ruling::Empty(_) | Ruling::Refused(_) => panic!("the guards were not asked"),
    }
}

fn accepted(candidate: Candidate) -> Judged {
    judged(candidate, vec![guest("docs-kept", Guest::default())])
}

fn evidence(id: &str, verdict: GuardVerdict) -> Evidence {
    Evidence {
        id: id.into(),
        mark: String::new(),
        version: "0.1.0".into(),
        digest: "sha256:0".into(),
        mode: Mode::Enforce,
        source: EvidenceSource::Guard,
        verdict,
        event: String::new(),
        micros: 1,
        fuel: 1,
        reused: false,
        cached: true,
        metrics: BTreeMap::new(),
        log: Vec::new(),
        allowed: Vec::new(),
        basis: Default::default(),
    }
}

fn finding(severity: Severity, path: Option<&str>, line: Option<u32>, message: &str) -> Finding {
    Finding { path: path.map(String::from), line, ..Finding::new("rule", severity, message) }
}

fn judgement(verdicts: Vec<(&str, GuardVerdict)>) -> Judgement {
    Judgement { evidence: verdicts.into_iter().map(|(id, verdict)| evidence(id, verdict)).collect() }
}

fn turned_down(judgement: Judgement) -> RoundFailure {
    RoundFailure::Rejected(Rejection { judgement, ..Rejection::default() })
}

fn settlement(repo: &Repo, round: u32) -> Settlement<'_> {
    Settlement {
        repo,
        target: CommitTarget::Branch("guardhost/r1".into()),
        run: "r1".into(),
        round,
        task: "Add a file\n\nwith more words".into(),
        answered_by: None,
        disclosure: None,
        claim: None,
        signer: None,
    }
}

/// With all that a user may have lying about.
fn busy() -> TestRepo {
    let repo = TestRepo::with(&[("src/lib.rs", "fn main() {}\n"), (".gitignore", "*.o\n")]);
    repo.write("src/lib.rs", "edited\n");
    repo.write("staged", "staged\n");
    repo.git(&["add", "staged"]);
    repo.write("untracked", "untracked\n");
    repo.write("ignored.o", "ignored\n");
    repo
}

/// A commit's message without its last line, which must be a receipt: what it is made of changes whenever a guard is built.
#[track_caller]
fn without_receipt(message: &str) -> String {
    let (text, receipt) = message.trim_end().rsplit_once('\n').expect("trailers");
    let hex = receipt.strip_prefix("Guardhost-Receipt: sha256:").unwrap_or_else(|| panic!("no receipt: {message}"));
    assert!(hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()), "{receipt}");
    format!("{text}\n")
}

#[test]
fn an_accepted_change_is_a_commit_on_its_own_branch() {
    let repo = busy();
    let before = repo.snapshot();
    let opened = repo.open();
    let outcome = settle(&accepted(candidate(&opened, "one\n")), &settlement(&opened, 1)).unwrap();
    let Settled::Committed { branch, commit } = outcome else { panic!("{outcome:?}") };
    assert_eq!((branch.as_str(), commit), ("guardhost/r1", repo.oid("guardhost/r1")));
    assert_eq!(repo.snapshot(), before);
    assert_eq!(
        without_receipt(&repo.git(&["log", "-1", "--format=%an <%ae>%n%B", "guardhost/r1"])),
        "Test <test@example.org>\nAdd a file\n\nGuardhost-Run: r1\nGuardhost-Guards: docs-kept 0.1.0\n"
    );
    assert_eq!(
        repo.git(&["log", "-1", "--format=%(trailers:key=Guardhost-Run,valueonly)", "guardhost/r1"]).trim(),
        "r1"
    );
    assert_eq!(repo.git(&["diff", "--name-status", "main", "guardhost/r1"]), "A\tsrc/new.rs");
    repo.git(&["fsck", "--strict", "--no-dangling"]);
    // A second change made for the old base finds the branch elsewhere.
    let error = settle(&accepted(candidate(&opened, "two\n")), &settlement(&opened, 2)).unwrap_err();
    assert!(error.to_string().contains("moved"), "{error:#}");
    assert_eq!(repo.oid("guardhost/r1"), commit);
    // One made for its tip moves it on.
    let tree = candidate(&opened, "three\n").tree;
    let next = guardhost_git::candidate(&opened, Some(commit), opened.tree_of(commit).unwrap(), tree).unwrap();
    settle(&accepted(next), &settlement(&opened, 3)).unwrap();
    assert_eq!(repo.oid("guardhost/r1~1"), commit);
}

#[test]
fn a_first_commit_and_a_bare_repository() {
    let unborn = TestRepo::new();
    let opened = unborn.open();
    settle(&accepted(candidate(&opened, "x\n")), &settlement(&opened, 1)).unwrap();
    assert_eq!(unborn.git(&["rev-list", "--count", "guardhost/r1"]), "1");
    let bare = TestRepo::bare();
    bare.git(&["fetch", "-q", unborn.path().to_str().unwrap(), "guardhost/r1:main"]);
    let opened = bare.open();
    settle(&accepted(candidate(&opened, "y\n")), &settlement(&opened, 1)).unwrap();
    assert_eq!(bare.git(&["show", "guardhost/r1:src/new.rs"]), "y");
}

#[test]
fn a_rejected_change_touches_nothing_and_stays_reachable() {
    let repo = busy();
    let before = repo.snapshot();
    let opened = repo.open();
    let found = Found { message: b"does not parse".to_vec(), ..Found::default() };
    let rejecting = guest("syntax-holds", Guest::answering(verdict(REJECT, &[found])));
    let failing = guest("docs-kept", Guest::checking("unreachable"));
    for (round, guards) in [(1, vec![guest("docs-kept", Guest::default()), rejecting]), (2, vec![failing])] {
        let judged = judged(candidate(&opened, "bad\n"), guards);
        let outcome = settle(&judged, &settlement(&opened, round)).unwrap();
        let Settled::Rejected { kept: Some(kept) } = outcome else { panic!("{outcome:?}") };
        assert_eq!(kept, format!("refs/guardhost/rejected/r1/{round}"));
        assert_eq!(repo.snapshot(), before);
        assert_eq!(repo.git(&["show", &format!("{kept}:src/new.rs")]), "bad");
    }
    assert_eq!(repo.git(&["branch", "--format=%(refname)"]), "refs/heads/main");
    assert_eq!(
        repo.git(&["log", "-1", "--format=%B", "refs/guardhost/rejected/r1/1"]),
        "Rejected in round 1\n\nsyntax-holds: 1 finding(s)\n\nGuardhost-Run: r1\n"
    );
    repo.git(&["gc", "-q", "--prune=now"]);
    assert_eq!(repo.git(&["show", "refs/guardhost/rejected/r1/2:src/new.rs"]), "bad");
}

#[test]
fn nothing_is_accepted_that_nobody_judged() {
    let repo = busy();
    let opened = repo.open();
    let error = settle(&judged(candidate(&opened, "x\n"), Vec::new()), &settlement(&opened, 1)).unwrap_err();
    assert_eq!(kind(&error), FaultKind::Config);
    assert_eq!(repo.git(&["for-each-ref", "--format=%(refname)"]), "refs/heads/main");
}

#[test]
fn of_two_racing_settles_one_wins() {
    for existing in [false, true] {
        let repo = TestRepo::with(&[("a", "a\n")]);
        if existing {
            repo.git(&["branch", "guardhost/r1"]);
            repo.git(&["pack-refs", "--all"]);
        }
        let barrier = Barrier::new(4);
        let race = |content: &str| {
            let opened = repo.open();
            let candidate = candidate(&opened, content);
            barrier.wait();
            settle(&accepted(candidate), &settlement(&opened, 1))
        };
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let threads = ["1\n", "2\n", "3\n", "4\n"].map(|content| scope.spawn(move || race(content)));
            threads.map(|thread| thread.join().unwrap()).into_iter().collect()
        });
        let won: Vec<_> = outcomes.iter().flatten().collect();
        let [Settled::Committed { commit, .. }] = won[..] else { panic!("{outcomes:?}") };
        assert_eq!(repo.oid("guardhost/r1"), *commit);
        assert_eq!(repo.oid("guardhost/r1~1"), repo.oid("main"));
        for lost in outcomes.iter().filter_map(|outcome| outcome.as_ref().err()) {
            assert_eq!(kind(lost), FaultKind::Git);
        }
    }
}

#[test]
fn branches_that_cannot_be_used() {
    let repo = TestRepo::with(&[("a", "a\n")]);
    repo.git(&["branch", "taken"]);
    repo.git(&["branch", "dir/below"]);
    repo.git(&["pack-refs", "--all"]);
    repo.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "elsewhere",
        repo.path().parent().unwrap().join("linked").to_str().unwrap(),
    ]);
    repo.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/taken"]);
    let opened = repo.open();
    let before = repo.git(&["for-each-ref"]);
    for (branch, words) in [
        ("main", "checked out"),
        ("elsewhere", "checked out"),
        ("taken/below", "cannot exist beside refs/heads/taken"),
        ("dir", "cannot"),
        ("alias", "symbolic"),
        ("bad..name", "not a name"),
        ("nul\0", "not a name"),
    ] {
        let settlement = Settlement { target: CommitTarget::Branch(branch.into()), ..settlement(&opened, 1) };
        let error = settle(&accepted(candidate(&opened, "x\n")), &settlement).unwrap_err();
        assert!(format!("{error:#}").contains(words), "{branch}: {error:#}");
    }
    assert_eq!(repo.git(&["for-each-ref"]), before);
}

#[test]
fn messages_are_tidied() {
    let repo = TestRepo::with(&[("a", "a\n")]);
    let opened = repo.open();
    let long = "Rename the parser's error type everywhere it is used, and mention it in the changelog as well";
    let cases = [
        (
            Some("Fix it\r\n\r\nBecause\x1b[31m.\nGuardhost-Run: forged\n"),
            "",
            "Fix it\n\nBecause\\u{1b}[31m.\n\nGuardhost-Run: r\nGuardhost-Guards: docs-kept 0.1.0\n",
        ),
        (Some("  \n"), "Do this\nand that", "Do this\n\nGuardhost-Run: r\nGuardhost-Guards: docs-kept 0.1.0\n"),
        (None, "", "Apply a change that all guards passed\n\nGuardhost-Run: r\nGuardhost-Guards: docs-kept 0.1.0\n"),
        (
            Some(long),
            "",
            "Rename the parser's error type everywhere it is used, and mention it in…\n\nRename the parser's error type everywhere it is used, and mention it in the changelog as well\n\nGuardhost-Run: r\nGuardhost-Guards: docs-kept 0.1.0\n",
        ),
    ];
    for (at, (message, task, expected)) in cases.into_iter().enumerate() {
        let mut candidate = candidate(&opened, &at.to_string());
        candidate.message = message.map(String::from);
        let branch = format!("b{at}");
        let settlement = Settlement {
            target: CommitTarget::Branch(branch.clone()),
            run: "r".into(),
            task: task.into(),
            ..settlement(&opened, 1)
        };
        settle(&accepted(candidate), &settlement).unwrap();
        assert_eq!(without_receipt(&repo.git(&["log", "-1", "--format=%B", &branch])), expected);
    }
    // Names of providers and models come from outside, and stay on their line.
    let answered_by = AnsweredBy { provider: "local".into(), model: Some("m-1\nGuardhost-Guards: all\x1b[2K".into()) };
    let target = CommitTarget::Branch("by".into());
    let settlement = Settlement { target, answered_by: Some(answered_by), ..settlement(&opened, 2) };
    settle(&accepted(candidate(&opened, "by")), &settlement).unwrap();
    assert_eq!(
        without_receipt(&repo.git(&["log", "-1", "--format=%(trailers)", "by"])).trim(),
        "Guardhost-Run: r1\nGuardhost-Provider: local\nGuardhost-Model: m-1\\u{a}Guardhost-Guards: all\\u{1b}[2K\nGuardhost-Rounds: 2\nGuardhost-Guards: docs-kept 0.1.0"
    );
}
