//! The harness itself: what a guard sees of a case, and that a test which checks nothing fails.
#![cfg(feature = "testing")]

use guard_sdk::testing::{Case, cases, check};
use guard_sdk::{About, Change, Commit, Finding, Guard, Mode, NoSettings, Rule, RunResult, Side, Stage, Verdict};

/// Tells what it sees, as findings.
struct Witness;

impl Guard for Witness {
    type Settings = NoSettings;
    const ABOUT: About = About {
        id: "witness",
        version: "0.1.0",
        promise: "Nothing.",
        stages: &[Stage::Content],
        rules: &[Rule::new("seen", "always")],
        event: "x",
        ..About::NONE
    };

    fn check(change: &Change, _: NoSettings) -> Result<Verdict, String> {
        let mut seen = Vec::new();
        for file in change.files() {
            let old = file.old_path().unwrap_or("-");
            seen.push(format!("{:?} {} from {old}, .{}", file.status(), file.path(), file.extension()));
            let text = |lines: Vec<guard_sdk::Line>| {
                lines.into_iter().map(|line| format!("{}:{}", line.number, line.text)).collect()
            };
            let removed: Vec<String> = file.removed_lines().map(text).unwrap_or_default();
            let added: Vec<String> = file.added_lines().map(text).unwrap_or_else(|why| vec![why.reason()]);
            seen.push(format!("- {} + {}", removed.join(" "), added.join(" ")));
        }
        let found = change.repo(Side::After).find(&["*.md", "/lib/**"], 10);
        seen.push(found.join(" "));
        for hit in change.repo(Side::Before).search(&["one", "two"], &[], 10) {
            seen.push(format!("{}:{} {}", hit.path, hit.line, hit.text));
        }
        let log = change.log("lib", 1).map_err(|denied| denied.reason())?;
        for commit in change.commits().iter().chain(&log) {
            seen.push(told(commit));
        }
        for outcome in change.history().outcomes(24, 10).map_err(|denied| denied.reason())? {
            let abandoned = outcome.result == RunResult::Abandoned;
            seen.push(format!("{} {abandoned} {}", outcome.result.as_str(), outcome.touched.join(" ")));
        }
        Ok(Verdict::from_findings(seen.into_iter().map(|line| Finding::info("seen", line)).collect()))
    }
}

fn told(commit: &Commit) -> String {
    let signed: Vec<&str> = commit.trailers_of("signed-off-by").collect();
    format!("{} | {} | {} | {}", commit.author.name, commit.subject(), commit.body(), signed.join(" "))
}

#[test]
fn a_guard_sees_the_change_and_the_trees() {
    let mut case = Case::default();
    let long = "alpha\nbeta\ngamma\ndelta\n";
    for (path, content) in
        [("a.md", "one\ntwo\nthree\n"), ("old.rs", long), ("same.md", "two\n"), ("gone", "twofold\n"), ("link", "a.md")]
    {
        case.before.insert(path.into(), (Mode::File, content.into()));
    }
    let (utf16, bad) = (b"\xff\xfea\0\n\0".to_vec(), b"\xc0\x00".to_vec());
    for (path, content) in [
        ("a.md", b"one\n2\nthree\nfour\n".to_vec()),
        ("lib/new.rs", format!("{long}epsilon\n").into_bytes()),
        ("same.md", b"two\n".to_vec()),
        ("wide.TXT", utf16),
        ("x.bin", bad),
        ("link", b"a.md".to_vec()),
    ] {
        case.after.insert(path.into(), (Mode::File, content));
    }
    case.before.entry("link".into()).and_modify(|(mode, _)| *mode = Mode::Symlink);
    let Ok(Verdict::Pass(findings)) = check::<Witness>(&case) else { panic!("it passes") };
    let seen: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        seen,
        [
            "Status::Modified a.md from -, .md",
            "- 2:two + 2:2 4:four",
            "Status::Deleted gone from -, .",
            "- 1:twofold + it does not exist on that side",
            "Status::Renamed lib/new.rs from old.rs, .rs",
            "-  + 5:epsilon",
            "Status::TypeChanged link from -, .",
            "-  + ",
            "Status::Added wide.TXT from -, .txt",
            "-  + 1:a",
            "Status::Added x.bin from -, .bin",
            "-  + it is not text (not UTF-8)",
            "a.md lib/new.rs same.md",
            "a.md:1 one",
            "a.md:2 two",
            "same.md:1 two",
        ]
    );
}

#[test]
#[should_panic(expected = "no case in")]
fn no_cases_at_all_fail() {
    cases::<Witness>(folder("none", &[("readme.txt", "no case")]));
}

#[test]
#[should_panic(expected = "expect.json: No such file")]
fn a_case_without_expectation_fails() {
    cases::<Witness>(folder("unexpected", &[("one/after/a.md", "text\n")]));
}

#[test]
#[should_panic(expected = "\"reject\" is expected, it is \"pass\"")]
fn another_verdict_fails() {
    cases::<Witness>(folder(
        "another",
        &[("one/after/a.md", "text\n"), ("one/expect.json", r#"{"verdict": "reject"}"#)],
    ));
}

#[test]
#[should_panic(expected = "it has findings, and none is expected")]
fn an_unexpected_finding_fails() {
    cases::<Witness>(folder("finding", &[("one/after/a.md", "text\n"), ("one/expect.json", r#"{"verdict": "pass"}"#)]));
}

#[test]
#[should_panic(expected = "single/b.case:4 (expect.json): expected")]
fn a_wrong_line_of_a_single_file_is_named() {
    let wrong = "-- after/a.md --\ntext\n-- expect.json --\nnot JSON\n";
    cases::<Witness>(folder("single", &[("b.case", wrong)]));
}

#[test]
#[should_panic(expected = "the case `one` is a folder and a file at once")]
fn a_case_in_both_forms_fails() {
    cases::<Witness>(folder("both", &[("one/after/a.md", "text\n"), ("one.case", "-- after/a.md --\ntext\n")]));
}

#[test]
fn a_single_file_is_the_same_case() {
    let root = folder("same", &[("one/after/a.md", "one\n"), ("one/before/a.md", ""), ("two.case", ONE)]);
    let [one, two] = ["one", "two.case"].map(|case| Case::read(&root.join(case)).expect("a case"));
    assert_eq!((&one.before, &one.after), (&two.before, &two.after));
    assert_eq!(check::<Witness>(&one), check::<Witness>(&two));
}

const ONE: &str = "-- after/a.md --\none\n-- before/a.md --\n";

#[test]
fn a_guard_sees_commits_and_past_runs() {
    let commits = r#"{"commits": [{"message": "Add a\n\nBecause.\n\nSigned-off-by: A <a@b>\n", "author": {"name": "A"}}],
        "log": [{"message": "one", "paths": ["src/a"]}, {"message": "two", "paths": ["lib/a"]}, {"message": "three", "paths": ["lib"]}]}"#;
    let past = r#"[{"age_hours": 1, "result": "abandoned", "touched": ["a"]}, {"age_hours": 1, "result": "paused"}, {"age_hours": 25, "result": "failed"}]"#;
    let expect = r#"{"verdict": "pass", "findings": [
        {"message": "Status::Added a\\x5cb"}, {}, {"message": ""},
        {"message": "A | Add a | Because.\n\nSigned-off-by: A <a@b> | A <a@b>"}, {"message": " | two |  | "},
        {"message": "abandoned true a"}, {"message": "paused false "}]}"#;
    cases::<Witness>(folder(
        "commits",
        &[("one/after/a\\b", ""), ("one/commits.json", commits), ("one/past.json", past), ("one/expect.json", expect)],
    ));
}

/// Says one thing, with all that a finding can have.
struct Wordy<const KNOWN: bool>;

impl<const KNOWN: bool> Guard for Wordy<KNOWN> {
    type Settings = NoSettings;
    const ABOUT: About =
        About { id: "wordy", rules: if KNOWN { &[Rule::new("wide", "always")] } else { &[] }, ..About::NONE };

    fn check(_: &Change, _: NoSettings) -> Result<Verdict, String> {
        let finding = Finding::error("wide", "too wide").at("a.md", 3).to(4).columns(7, 2);
        let finding = finding.related("b.md", 1..=2, "the width is set here").attribute("width", "99");
        Ok(Verdict::from_findings(vec![finding]))
    }
}

const WIDE: &str = r#"{"verdict": "reject", "findings": [{"rule": "wide", "line": 3, "end_line": 4, "column": 7, "end_column": 2,
    "related": [{"path": "b.md", "line": 1, "end_line": 2, "message": "the width is set here"}], "attributes": {"width": "99"}}]}"#;

#[test]
fn expectations_name_all_of_a_finding() {
    cases::<Wordy<true>>(folder("wide", &[("one/after/a.md", "text\n"), ("one/expect.json", WIDE)]));
}

#[test]
#[should_panic(expected = "related: ")]
fn other_related_places_fail() {
    let other = WIDE.replace("set here", "set there");
    cases::<Wordy<true>>(folder("related", &[("one/after/a.md", "text\n"), ("one/expect.json", &other)]));
}

#[test]
#[should_panic(expected = "it finds `wide`, which is not among the rules of its ABOUT")]
fn a_rule_that_is_not_described_fails() {
    cases::<Wordy<false>>(folder("described", &[("one/after/a.md", "text\n"), ("one/expect.json", WIDE)]));
}

#[test]
fn settings_that_do_not_parse_say_so() {
    let mut case = Case::default();
    case.settings = r#"{"a": 1}"#.into();
    let error = check::<Witness>(&case).unwrap_err();
    assert!(error.starts_with("settings: unknown field `a`"), "{error}");
}

fn folder(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (path, content) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, content).expect("written");
    }
    root
}
