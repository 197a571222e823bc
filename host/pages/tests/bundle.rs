//! Bundles: what goes in comes out, merging is a union, and what is redacted is gone.

use guardhost_core::change::GuardVerdict;
use guardhost_pages::{Bundle, OlderRun, PageSettings, VERSION, report, report_with_older};
use guardhost_report::journal::newest_first;
use serde_json::{Value, json};

use crate::support::{Round, bundle, evidence, finding, record, small, two_rounds};

fn html(bundle: &Bundle) -> String {
    report(bundle, PageSettings::default()).html
}

#[test]
fn a_bundle_is_read_as_it_was_written() {
    let bundle = small();
    let read = Bundle::from_json("a file", &bundle.to_json().expect("JSON")).expect("a bundle");
    assert_eq!(read, bundle);
    assert_eq!(html(&read), html(&bundle));
}

#[test]
fn a_later_version_and_what_is_no_bundle_are_refused() {
    let mut later: Value = serde_json::from_slice(&small().to_json().expect("JSON")).expect("JSON");
    later["bundle_version"] = json!(VERSION + 1);
    let error = Bundle::from_json("later.json", later.to_string().as_bytes()).expect_err("a later version");
    assert!(error.to_string().contains("later.json is a bundle of version 2"), "{error:#}");
    for text in ["", "{}", "[]", "null", "{\"bundle_version\":1}", "<html>"] {
        assert!(Bundle::from_json("a file", text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn two_machines_merge_into_the_pages_of_both() {
    let (one, two, both) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let ids = ["01a2063f-0000-7000-8000-000000000001", "01a2063f-0000-7000-8000-000000000002"];
    record(one.path(), ids[0], "The first task", &two_rounds(), true);
    record(two.path(), ids[1], "The second task", &two_rounds()[..1], true);
    // What a machine records has ids of its own, so both folders are put side by side rather than written twice.
    for (from, id) in [(&one, ids[0]), (&two, ids[1])] {
        let runs = both.path().join("runs");
        std::fs::create_dir_all(&runs).unwrap();
        std::os::unix::fs::symlink(from.path().join("runs").join(id), runs.join(format!("link-{id}"))).unwrap();
        copy(&from.path().join("runs").join(id), &runs.join(id));
    }
    let (one, two, both) = (bundle(one.path()), bundle(two.path()), bundle(both.path()));
    let merged = |first: &Bundle, second: &Bundle| {
        let mut merged = first.clone();
        merged.merge(second.clone());
        merged
    };
    assert_eq!(html(&merged(&one, &two)), html(&both));
    assert_eq!(merged(&one, &two), merged(&two, &one), "the order makes no difference");
    assert_eq!(merged(&merged(&one, &two), &one), merged(&one, &two), "nor does merging twice");
}

/// Of runs without pages of their own the lists and the figures are the same, and no text of theirs is held.
#[test]
fn figures_need_no_texts() {
    let state = tempfile::tempdir().unwrap();
    for number in 0..3 {
        record(state.path(), &format!("01a2063f-{number}"), &format!("Task {number}"), &two_rounds(), true);
    }
    // The judgement of one is gone: what its guards said is in the Evidence.
    std::fs::remove_file(state.path().join("runs/01a2063f-1/1/judgement.json")).unwrap();
    // In another a guard found a secret, which is masked in all texts of the run.
    let mut secret = finding("key", "README.md", 2, "a key: New words.");
    secret.is_secret = true;
    let [mut first, second] = two_rounds();
    first.evidence = vec![evidence("no-secrets", GuardVerdict::Reject(vec![secret]))];
    record(state.path(), "01a2063f-3", "Write \"New words.\" into it", &[first, second], true);
    let (whole, mut figures) = (bundle(state.path()), Bundle::default());
    for folder in newest_first(state.path()).unwrap() {
        figures.add_figures(folder).unwrap();
    }
    let limits = PageSettings { runs: 0, ..PageSettings::default() };
    assert_eq!(report(&figures, limits).html, report(&whole, limits).html);
    assert!(!report(&figures, limits).html.contains("New words."));
    let texts = |bundle: &Bundle| bundle.texts.values().filter(|text| text.text.contains("## Task")).count();
    // Two tasks are read as a whole, for these two reasons.
    assert_eq!((texts(&whole), texts(&figures)), (4, 2));
}

/// The same beside the bundle, the second time from what was kept of the first, which reads no judgement again.
#[test]
fn figures_of_older_runs_are_kept_beside_their_records() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path();
    for number in 0..3 {
        record(state, &format!("01a2063f-{number}"), &format!("Task {number}"), &two_rounds(), true);
    }
    let at_work = record(state, "01a2063f-3", "A task at work", &two_rounds(), false);
    let limits = PageSettings { runs: 0, ..PageSettings::default() };
    let expected = report(&bundle(state), limits).html;
    let older = || {
        let runs = newest_first(state).unwrap().into_iter();
        runs.filter_map(|folder| OlderRun::read(folder).unwrap()).collect::<Vec<_>>()
    };
    let html = || report_with_older(&Bundle::default(), older(), limits).html;
    assert_eq!(html(), expected);
    let kept = |number: usize| state.join(format!("runs/01a2063f-{number}/figures.json"));
    assert_eq!((0..4).filter(|number| kept(*number).exists()).count(), 3, "what is at work is read each time");
    for number in 0..3 {
        for round in [1, 2] {
            std::fs::remove_file(state.join(format!("runs/01a2063f-{number}/{round}/judgement.json"))).unwrap();
        }
    }
    assert_eq!(html(), expected);
    // What is kept counts for its record alone.
    std::fs::remove_file(state.join("runs/01a2063f-0/records.jsonl")).unwrap();
    assert_ne!(html(), expected);
    drop(at_work);
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A run is seen twice: at work on one day, ended on the next.
#[test]
fn what_was_seen_last_says_how_a_run_stands() {
    let state = tempfile::tempdir().unwrap();
    let records = record(state.path(), "01a2063f-run", "A task", &two_rounds(), false);
    let at_work = bundle(state.path());
    assert!(html(&at_work).contains("running"));
    drop(records);
    let mut later = bundle(state.path());
    assert!(html(&later).contains("interrupted"));
    later.merge(at_work);
    assert!(html(&later).contains("interrupted"));
}

#[test]
fn a_torn_record_and_a_torn_trace_are_read_as_far_as_they_go() {
    let state = tempfile::tempdir().unwrap();
    drop(record(state.path(), "01a2063f-run", "A task", &two_rounds(), true));
    for name in ["records.jsonl", "trace.jsonl"] {
        let file = state.path().join("runs/01a2063f-run").join(name);
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() - 20]).unwrap();
    }
    let page = html(&bundle(state.path()));
    assert!(page.contains("A task") && page.contains("1 records are not shown: they are of another version"), "{page}");
}

/// Words that only stand in one kind of text each.
#[test]
fn a_redacted_bundle_has_no_prompt_reply_change_message_or_path() {
    let state = tempfile::tempdir().unwrap();
    let mut round = two_rounds()[0].clone();
    round.reply = format!("SECRETREPLY\n{}", round.reply);
    round.mended = Some("SECRETMENDED".to_owned());
    round.diff = round.diff.replace("README.md", "SECRETFOLDER/secretpath.md").replace("New words.", "SECRETLINE");
    round.evidence[0] = evidence(
        "docs-kept",
        GuardVerdict::Reject(vec![finding("code-loss", "SECRETFOLDER/secretpath.md", 2, "SECRETMESSAGE")]),
    );
    round.evidence[2] = evidence(
        "texts-parse",
        GuardVerdict::NotApplicable(guardhost_core::change::Inapplicable::NoFile("SECRETREASON".to_owned())),
    );
    round.fixes = Some(r#"[{"guard":"docs-kept","finding":0,"diff":"SECRETFIX"}]"#.to_owned());
    record(state.path(), "01a2063f-run", "SECRETTASK", &[round.clone(), round], true);
    let whole = bundle(state.path());
    let redacted = whole.redacted();
    let (json, page) = (String::from_utf8(redacted.to_json().unwrap()).unwrap(), html(&redacted));
    for word in
        ["SECRET", "secretpath", "I made it so", "the guards say no", "README", "a-branch", "Your patch", "Fix line"]
    {
        assert!(
            String::from_utf8(whole.to_json().unwrap()).unwrap().contains(word),
            "{word} is nowhere: this test proves nothing"
        );
        assert!(!json.contains(word), "{word} is in the bundle: {json}");
        assert!(!page.contains(word), "{word} is on the page");
    }
    // What stays: who, how often, how long.
    for word in ["docs-kept", "code-loss", "a-model", "Redacted", "2.3 s", ".md:2"] {
        assert!(page.contains(word), "{word} is not on the page");
    }
}

/// The names of two redactions differ: nobody can try paths.
#[test]
fn redaction_is_salted() {
    let bundle = small();
    let names = |redacted: &Bundle| {
        let text = String::from_utf8(redacted.to_json().unwrap()).unwrap();
        text.split("file-").nth(1).expect("a path").chars().take(8).collect::<String>()
    };
    assert_ne!(names(&bundle.redacted()), names(&bundle.redacted()));
}

#[test]
fn a_line_with_a_secret_is_in_no_text_of_a_bundle() {
    let state = tempfile::tempdir().unwrap();
    let secret = "key = \"sk-live-51HG8afklj3498\"";
    let diff = format!("diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n import os\n+{secret}\n");
    let mut found = finding("secret", "a.py", 2, "a key stands here");
    found.is_secret = true;
    let round = Round {
        reply: format!("Sure.\n{diff}"),
        diff,
        evidence: vec![evidence("no-secrets", GuardVerdict::Reject(vec![found]))],
        ..Round::default()
    };
    let fixes = serde_json::json!([{ "guard": "other", "finding": 0, "diff": round.diff }]).to_string();
    let round = Round { fixes: Some(fixes), ..round };
    record(state.path(), "01a2063f-run", &format!("Add a key\n\n{secret}"), &[round], true);
    let bundle = bundle(state.path());
    let text = String::from_utf8(bundle.to_json().unwrap()).unwrap();
    assert!(!text.contains("sk-live"), "{text}");
    assert!(text.contains("[a line with a secret]"));
    assert!(html(&bundle).contains("+ 1") || html(&bundle).contains("import os"), "the rest of the change is shown");
}
