//! Fixes that fix nothing, that undo one another, or that edit files outside the change.

use guardhost_core::change::{Autofix, Candidate, Event, Judgement, RepoPath, Verdict};
use guardhost_engine::GuardSpec;
use guardhost_gate::{Case, Purpose};

use super::{beside, change, error, spec};
use crate::support::guest::{Found, Guest, REJECT, verdict};
use crate::support::judging::{component, gate};
use crate::support::observers::RecordingObserver;

type Edit = (&'static str, u64, u64, &'static str);

/// A guard that rejects every change, with this fix.
fn guest(edits: &[Edit]) -> Guest {
    Guest::answering(verdict(REJECT, &[Found { fix: edits.to_vec(), ..Found::default() }]))
}

/// The result of the fixes of such guards, and how often the set was asked.
fn tried(guests: &[&[Edit]]) -> (Option<Autofix>, usize) {
    let named = |(number, edits): (usize, &&[Edit])| {
        let id = ["test-guest", "test-other"][number];
        component(id, Guest { id, ..guest(edits) }.component())
    };
    let specs: Vec<GuardSpec> = guests.iter().enumerate().map(named).collect();
    let observer = RecordingObserver::default();
    let candidate = change();
    let gate = gate(specs, &candidate);
    let ruling =
        gate.rule(Case { purpose: Purpose::Commit, fixes: true, ..Case::report(candidate, None) }, &observer).unwrap();
    let judged = ruling.judged().unwrap();
    let judgement: &Judgement = judged.proposed().1;
    assert_eq!(judgement.verdict(), Verdict::Reject, "{:?}", judgement.evidence);
    let fixing = judged.autofix().cloned();
    let asked = observer.all().iter().filter(|event| matches!(event, Event::Judging { .. })).count();
    (fixing, asked)
}

fn text(candidate: &Candidate, path: &str) -> String {
    let entry = candidate.objects.entry(candidate.tree, &RepoPath::from(path)).unwrap().unwrap();
    String::from_utf8(candidate.objects.blob(entry.oid).unwrap().to_vec()).unwrap()
}

#[test]
fn a_guard_that_always_rejects_does_not_loop_for_ever() {
    let (fixing, asked) = tried(&[&[("a.md", 0, 0, "more\n")]]);
    let Some(Autofix::Rejected(fixed)) = fixing else { panic!("it is accepted") };
    assert_eq!((asked, fixed.fixes.len()), (3, 2), "once as it came, and twice with its fix");
    assert_eq!(text(&fixed.candidate, "a.md"), "more\nmore\none\ntwo\n");
    assert_eq!(text(&fixed.candidate, "b.py"), "x = 1\n");
}

#[test]
fn guards_that_disagree_undo_one_another() {
    let cases: [(&[&[Edit]], &str); 5] = [
        (&[&[("a.md", 0, 3, "1")], &[("a.md", 2, 4, "2")]], "a.md: two fixes edit the same bytes in different ways"),
        (&[&[("a.md", 4, 4, "1")], &[("a.md", 4, 4, "2")]], "a.md: two fixes edit the same bytes in different ways"),
        // A good fix is not applied without the other.
        (&[&[("a.md", 0, 3, "1")], &[("b.py", 0, 1, "y")]], "\"b.py\" is no file that this change touches"),
        (&[&[("a.md", 0, 3, "1")], &[]], "1 of 2 errors cannot be fixed without their author"),
        (&[&[("a.md", 4, 8, "")]], "with the fixes the change would change nothing"),
    ];
    for (guests, expected) in cases {
        let (Some(Autofix::Declined(why)), 1) = tried(guests) else { panic!("{expected}") };
        assert_eq!(why, expected);
    }
    // The same fix from both guards is one fix.
    let same: &[Edit] = &[("a.md", 0, 3, "1")];
    let Some(Autofix::Rejected(fixed)) = tried(&[same, same]).0 else { panic!("it is not tried") };
    assert_eq!(
        (fixed.fixes.len(), text(&fixed.candidate, "a.md").as_str()),
        (4, "1wo\n"),
        "in each of two passes once"
    );
    assert!(tried(&[&[]]).0.is_none(), "a guard without a fix has no outcome");
}

#[test]
fn edits_outside_of_the_files_break_the_guard_that_gives_them() {
    let cases: [(&[Edit], &str); 5] = [
        (&[("a.md", 9, 10, "")], "the fix of `a-rule` edits bytes 9..10 of 8"),
        (&[("a.md", 3, 2, "")], "the fix of `a-rule` edits bytes 3..2 of 8"),
        (
            &[("a.md", u64::MAX, u64::MAX, "")],
            "the fix of `a-rule` edits bytes 18446744073709551615..18446744073709551615 of 8",
        ),
        (&[("a.md", 0, 2, ""), ("a.md", 1, 3, "")], "the fix of `a-rule` edits the same bytes twice"),
        (&[("../a.md", 0, 0, "x")], "the fix of `a-rule` edits \"../a.md\", which is not in the candidate"),
    ];
    for (edits, expected) in cases {
        assert_eq!(error(&beside(spec(&guest(edits)))), ("bad-output", false, expected));
    }
}
