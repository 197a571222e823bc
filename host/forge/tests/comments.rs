//! Comments follow findings: over pushes and rewritten branches, and never beside the diff.

mod forge;
mod support;

use std::collections::BTreeMap;

use guardhost_core::change::{Finding, Severity};
use guardhost_forge::comments::{DiffLines, Existing, MAX_NEW, Remark, Summarised, plan};
use guardhost_forge::{
    DiffSide, Findings, Forge, ForgeFailure, NewInline, Published, WriteOutcome, open_or_update, publish,
};
use proptest::prelude::*;

use forge::{Face, FaultKind, Loopback, TOKEN};
use support::{BRANCH, Place};

fn remark(rule: &str, path: &str, line: u32) -> Remark {
    let finding = Finding {
        path: Some(path.to_owned()),
        line: Some(line),
        ..Finding::new(rule, Severity::Error, format!("`{rule}` is <!-- guardhost finding=0 --> wrong, @team"))
    };
    Remark { by: "names-kept".into(), finding }
}

/// Publishes the findings of the branch's tip; each is a rule and the text of a line.
fn publish_at(face: Face, place: &Place, wanted: &[(&str, &str)], text: &str) -> Published {
    let client = place.client(face, TOKEN);
    let (pull, _) = open_or_update(&*client, &place.new_pull("text")).unwrap();
    let line = |wanted: &str| text.lines().position(|line| line.trim() == wanted).unwrap() as u32 + 1;
    let mut remarks: Vec<Remark> = wanted.iter().map(|(rule, at)| remark(rule, "a.py", line(at))).collect();
    remarks.push(Remark { by: "whole".into(), finding: Finding::new("task", Severity::Warning, "not about a line") });
    let diff = place.diff();
    let read = |path: &str| (path == "a.py").then(|| text.to_owned());
    let (sha, diff) = (place.head(), DiffLines::new(&diff));
    let findings = Findings { sha: &sha, remarks: &remarks, diff: &diff, text: &read, head: "Rejected." };
    publish(&*client, &pull, &findings).unwrap()
}

/// Rule and state of every comment on a line.
fn shown(loopback: &Loopback) -> Vec<String> {
    let state = loopback.state();
    let all = state.inline.iter().map(|comment| {
        let rule = comment.body.split("names\\-kept/").nth(1).unwrap().split("**").next().unwrap();
        format!("{rule}{}", if comment.body.contains(" resolved -->") { " resolved" } else { "" })
    });
    all.collect()
}

const BASE: &str = "def a():\n    return 1\n";

#[test]
fn comments_follow_twelve_findings_over_five_pushes() {
    for face in Face::ALL {
        let place = Place::with_branch();
        let push = |text: &str| place.push_file("a.py", text);
        let lines = |range: std::ops::Range<u32>| range.map(|at| format!("    x{at} = {at}\n")).collect::<String>();
        let text = |head: &str, body: &str| format!("{head}def a():\n{body}    return 1\n");
        let rules: Vec<(String, String)> = (0..12).map(|at| (format!("r{at}"), format!("x{at} = {at}"))).collect();
        let some = |range: std::ops::Range<usize>| -> Vec<(&str, &str)> {
            rules[range].iter().map(|(rule, at)| (rule.as_str(), at.as_str())).collect()
        };

        // 1: twelve findings, of which ten are new comments.
        let first = text("", &lines(0..12));
        push(&first);
        let published = publish_at(face, &place, &some(0..12), &first);
        assert_eq!((published.plan.new.len(), published.summary), (MAX_NEW, WriteOutcome::Made));
        assert_eq!(published.plan.summarised.len(), 3, "two over the limit, one without a line");

        // 2: the lines move, and two findings are gone; what was over the limit gets its comment.
        let second = text("import os\n\n\n", &lines(2..12));
        push(&second);
        let published = publish_at(face, &place, &some(2..12), &second);
        assert_eq!((published.plan.kept.len(), published.plan.new.len(), published.plan.resolved.len()), (8, 2, 2));

        // 3: the same again. Nothing is written.
        let before = place.loopback.requests().len();
        let published = publish_at(face, &place, &some(2..12), &second);
        assert_eq!((published.plan.kept.len(), published.summary), (10, WriteOutcome::Unchanged));
        assert!(place.loopback.requests()[before..].iter().all(|request| request.starts_with("GET")));

        // 4: the branch is written anew on a new base, and a line beside a finding is another.
        let fourth = text("import os\n\n\n", &lines(2..12).replace("x7 = 7", "y7 = 7"));
        let main = place.tip("refs/heads/main");
        let base = place.commit("refs/heads/main", &[("a.py", &format!("# first\n{BASE}"))], Some(main));
        place.push_as("main", None).unwrap();
        let replaced = place.head();
        place.commit("refs/heads/guardhost/work", &[("a.py", &fourth)], Some(base));
        place.push_as(BRANCH, Some(&replaced)).unwrap();
        let mut wanted = some(2..12);
        wanted.retain(|(rule, _)| *rule != "r7");
        let published = publish_at(face, &place, &wanted, &fourth);
        assert_eq!((published.plan.kept.len(), published.plan.new.len(), published.plan.resolved.len()), (9, 0, 1));

        // 5: what was resolved comes back, in the comment that it had.
        push(&second);
        let published = publish_at(face, &place, &some(2..12), &second);
        assert_eq!((published.plan.kept.len(), published.plan.new.len()), (10, 0));
        assert_eq!(published.plan.kept.iter().filter(|kept| kept.reopened).count(), 1);

        let shown = shown(&place.loopback);
        let expected: Vec<String> =
            (0..12).map(|at| format!("r{at}{}", if at < 2 { " resolved" } else { "" })).collect();
        assert_eq!(shown, expected, "one comment for each finding");
        let state = place.loopback.state();
        assert_eq!(state.comments.len(), 1, "one summary");
        assert!(state.inline.iter().all(|comment| !comment.body.contains("@team")), "nobody is called");
        drop(state);
        place.loopback.check();
    }
}

#[test]
fn a_lost_answer_and_a_refused_line_lose_no_finding() {
    for face in Face::ALL {
        let place = Place::with_branch();
        let text = "def a():\n    b = 2\n    c = 3\n    return 1\n";
        place.loopback.fault("POST", face.inline_path(), FaultKind::Lost, 1);
        place.loopback.fault(
            "POST",
            face.inline_path(),
            FaultKind::Status(422, Vec::new(), "line must be part of the diff"),
            1,
        );
        let published = publish_at(face, &place, &[("one", "b = 2"), ("two", "c = 3")], text);
        assert_eq!((published.plan.new.len(), published.refused), (1, 1));
        assert_eq!(shown(&place.loopback), ["one"]);
        assert!(place.loopback.state().comments[0].body.contains("names\\-kept/two"));
        place.loopback.check();
    }
}

#[test]
fn the_forge_of_the_tests_refuses_what_is_beside_the_diff() {
    let place = Place::with_branch();
    let github = place.github(TOKEN);
    open_or_update(&github, &place.new_pull("text")).unwrap();
    let at = |start_line, line, side| {
        let new = NewInline {
            sha: place.head(),
            path: "a.py".into(),
            side,
            start_line,
            line,
            old_line: None,
            body: "text".into(),
            marker: "no marker".into(),
        };
        github.comment_inline(1, &new).map(|_| ()).map_err(|error| error.class)
    };
    assert_eq!(at(Some(2), 3, DiffSide::Right), Ok(()));
    for (start_line, line, side) in [(None, 9, DiffSide::Right), (None, 1, DiffSide::Left)] {
        assert_eq!(at(start_line, line, side), Err(ForgeFailure::Rejected), "{line}");
    }
}

/// A file of few different lines, so that hunks touch, join and look alike.
fn content() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0..12_u8, 0..60).prop_map(|lines| {
        lines
            .iter()
            .map(|line| format!("{}l{line}\n", if *line == 3 { "-- " } else { "" }))
            .collect::<String>()
            .into_bytes()
    })
}

/// Lines after and before the change, with their hunks, as libgit2 counts them; and of unchanged ones both numbers.
type Lines = (BTreeMap<u32, usize>, BTreeMap<u32, usize>, BTreeMap<u32, u32>);

fn counted(patch: &git2::Patch<'_>) -> Lines {
    let mut found = Lines::default();
    for hunk in 0..patch.num_hunks() {
        for line in 0..patch.num_lines_in_hunk(hunk).unwrap() {
            let line = patch.line_in_hunk(hunk, line).unwrap();
            match (line.origin(), line.old_lineno(), line.new_lineno()) {
                ('+', _, Some(number)) => drop(found.0.insert(number, hunk)),
                (' ', Some(old), Some(number)) => {
                    found.0.insert(number, hunk);
                    found.2.insert(number, old);
                }
                ('-', Some(number), _) => drop(found.1.insert(number, hunk)),
                _ => {}
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn no_comment_is_beside_the_diff(
        (old, new) in (content(), content()),
        context in 0..4_u32,
        findings in prop::collection::vec((0..70_u32, prop::option::of(0..70_u32)), 0..16),
        left in 0..70_u32,
    ) {
        let path = std::path::Path::new("x y/a.py");
        let mut options = git2::DiffOptions::new();
        options.context_lines(context);
        let mut patch = git2::Patch::from_buffers(&old, Some(path), &new, Some(path), Some(&mut options)).unwrap();
        let (right, deleted, unchanged) = counted(&patch);
        let diff = DiffLines::new(&patch.to_buf().unwrap());
        let remarks: Vec<Remark> = findings.iter().map(|(line, end)| {
            let mut remark = remark("r", "x y/a.py", *line);
            remark.finding.end_line = *end;
            remark
        }).collect();
        let text = String::from_utf8(new.clone()).unwrap();
        let made = plan(&remarks, &[], &diff, &|_| Some(text.clone()));

        prop_assert_eq!(diff.deleted("x y/a.py", left).is_some(), deleted.contains_key(&left));
        for (_, place, _) in &made.new {
            let hunk = right.get(&place.line);
            prop_assert!(hunk.is_some() && diff.allows(place), "{place:?}");
            prop_assert_eq!(place.old_line, unchanged.get(&place.line).copied());
            if let Some(start) = place.start_line {
                prop_assert!(start < place.line && right.get(&start) == hunk, "{place:?}");
            }
        }
        // Nothing is lost, and what is in the diff is not kept from it.
        prop_assert_eq!(made.new.len() + made.summarised.len(), remarks.len());
        for summarised in &made.summarised {
            if let Summarised::OffTheDiff(at) = summarised {
                let (line, end) = findings[*at];
                prop_assert!(!right.contains_key(&line) && !right.contains_key(&end.unwrap_or(line).max(line)));
            }
        }
        // The same findings again need no new comment.
        let existing: Vec<Existing> = made.new.iter().zip(1..).map(|((.., fingerprint), id)| {
            Existing { id, fingerprint: fingerprint.clone(), is_resolved: false }
        }).collect();
        let again = plan(&remarks, &existing, &diff, &|_| Some(text.clone()));
        prop_assert_eq!((again.kept.len(), again.resolved.len()), (made.new.len(), 0));
    }
}
