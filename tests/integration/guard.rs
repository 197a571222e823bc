//! Guards that do as they should.

use guardhost_core::change::{Event, GuardVerdict, Inapplicable, Mode, Task, TaskMode};
use guardhost_core::error::{FaultKind, kind};
use guardhost_engine::{GuardSet, GuardSpec, JudgeContext, default_set, guard};
use serde_json::json;

use crate::support::candidate::candidate;
use crate::support::guest::{FIRST_FILE, Found, Guest, ID, REJECT, verdict};
use crate::support::judging::{component, evidence, judge, machine};
use crate::support::observers::RecordingObserver;

fn spec(guest: &Guest) -> GuardSpec {
    component(ID, guest.component())
}

#[test]
fn evidence_says_who_and_what() {
    let change = candidate(&[], &[("a.md", b"x\n")]);
    let finding = Found::at("a.md", 1);
    let spec = GuardSpec { mode: Mode::Monitor, ..spec(&Guest::answering(verdict(REJECT, &[finding]))) };
    let found = evidence(&change, spec.clone());
    assert_eq!((found.id.as_str(), found.mark.as_str(), found.version.as_str()), ("test-guest", "T1", "0.1.0"));
    assert_eq!((found.verdict.as_str(), found.mode, found.cached), ("reject", Mode::Monitor, false));
    assert!(found.digest.starts_with("sha256:") && found.digest.len() == 71);
    assert!(found.fuel > 0 && found.fuel < 1_000);
    let again = evidence(&change, spec);
    assert_eq!((again.verdict, again.fuel), (found.verdict, found.fuel), "the same bytes out, at the same cost");
}

#[test]
fn in_order_and_told() {
    let change = candidate(&[], &[("a.md", b"x\n")]);
    let specs = vec![GuardSpec::builtin("syntax-holds"), spec(&Guest::default()), GuardSpec::builtin("docs-kept")];
    let set = GuardSet::new(specs, &machine()).unwrap();
    let told = RecordingObserver::default();
    let judgement = guard(&change, &set, &JudgeContext { task: None, observer: &told });
    let ids: Vec<_> = judgement.evidence.iter().map(|evidence| evidence.id.as_str()).collect();
    assert_eq!(ids, ["syntax-holds", "test-guest", "docs-kept"]);
    let events = told.all();
    let heard: Vec<_> = events
        .iter()
        .map(|event| match event {
            Event::Judging { guards } => guards.join(" "),
            Event::Judged { evidence } => evidence.id.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(heard, ["syntax-holds test-guest docs-kept", "syntax-holds", "test-guest", "docs-kept"]);
}

/// What does not concern a guard does not load it: these bytes could not be.
#[test]
fn not_loaded_when_not_concerned() {
    let change = candidate(&[], &[("src/a.rs", b"x\n")]);
    let pin = |include: &[&str], exclude: &[&str]| GuardSpec {
        include: include.iter().map(ToString::to_string).collect(),
        exclude: exclude.iter().map(ToString::to_string).collect(),
        ..component(ID, b"no component".to_vec())
    };
    for spec in [pin(&["*.md"], &[]), pin(&[], &["src/"]), pin(&["*.rs"], &["*.rs"])] {
        let found = evidence(&change, spec);
        assert_eq!(
            found.verdict,
            GuardVerdict::NotApplicable(Inapplicable::NoFile("no touched file is under its paths".to_string()))
        );
    }
    assert_eq!(evidence(&change, pin(&["src"], &["*.md"])).verdict.as_str(), "error");
    let docs = evidence(&change, GuardSpec::builtin("docs-kept"));
    assert!(
        matches!(&docs.verdict, GuardVerdict::NotApplicable(Inapplicable::NoFile(why)) if why.contains("*.md")),
        "{:?}",
        docs.verdict
    );
}

/// A guard of builds has its turn when the cheap ones are through.
#[test]
fn costly_guards_wait() {
    let change = candidate(&[], &[("a.md", b"x\n")]);
    let costly = || component(ID, Guest { stage: "command", ..Guest::default() }.component());
    let mut cheap = GuardSpec::builtin("docs-kept");
    let judgement = judge(&change, vec![costly(), cheap.clone()]);
    assert_eq!(judgement.evidence[0].verdict.as_str(), "pass");
    cheap.expected_digest = Some("sha256:other".to_string());
    let judgement = judge(&change, vec![costly(), cheap]);
    assert_eq!(
        judgement.evidence[0].verdict,
        GuardVerdict::NotApplicable(Inapplicable::NotCalled("not run: a cheaper guard failed".to_string()))
    );
    let plan = component(ID, Guest { stage: "plan", ..Guest::default() }.component());
    assert_eq!(evidence(&change, plan).verdict.reason(), Some("it judges plans, not changes"));
}

#[test]
fn pins_that_make_no_sense() {
    let pin = |settings| GuardSpec { settings, ..GuardSpec::builtin("docs-kept") };
    let cases = [
        (vec![pin(json!(null)), pin(json!({}))], "the guard `docs-kept` is pinned twice"),
        (vec![GuardSpec::builtin("docs-keep")], "the guard `docs-keep` is not among the embedded guards"),
        (vec![pin(json!({"no-such-setting": 1}))], "the guard `docs-kept` has wrong settings"),
        (
            vec![GuardSpec { grants: vec!["disk".into()], ..pin(json!(null)) }],
            "the guard `docs-kept` is granted `disk`",
        ),
        (
            vec![GuardSpec { include: vec!["".into()], ..pin(json!(null)) }],
            "the guard `docs-kept` has a wrong path: the glob",
        ),
    ];
    for (specs, message) in cases {
        let error = GuardSet::new(specs, &machine()).err().unwrap();
        assert_eq!(kind(&error), FaultKind::Config);
        assert!(error.to_string().starts_with(message), "{error}");
    }
}

fn said(found: &guardhost_core::change::Evidence) -> &str {
    found.verdict.reason().unwrap_or_default()
}

#[test]
fn texts_are_decoded_and_bounded() {
    let text = Guest::echo(
        r#"(import "guardhost:guard/change@0.1.0" "files" (func $files (param i32)))
           (import "guardhost:guard/change@0.1.0" "[method]file.text" (func $text (param i32 i32 i32)))"#,
        "",
        "(call $text (call $first-file) (i32.const 1) (i32.const 4000))
         (if (i32.load8_u (i32.const 4000)) (then unreachable))
         (i32.load (i32.const 4008)) (i32.load (i32.const 4012))",
    );
    let spec = spec(&Guest { items: FIRST_FILE.to_owned(), ..text });
    let utf16: Vec<u8> = [0xfeff].into_iter().chain("grün\r\n".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for (bytes, expected) in [(&utf16[..], "grün\\u{d}\n"), (b"\xef\xbb\xbfplain", "plain"), (b"", "")] {
        assert_eq!(said(&evidence(&candidate(&[], &[("a.txt", bytes)]), spec.clone())), expected);
    }
    let too_large = vec![b'a'; (16 << 20) + 1];
    for bytes in [b"a\0b".to_vec(), b"\xff".to_vec(), too_large] {
        let found = evidence(&candidate(&[], &[("a.txt", &bytes)]), spec.clone());
        assert!(matches!(found.verdict, GuardVerdict::Error { code: "trap", .. }), "{:?}", found.verdict);
    }
}

#[test]
fn the_task_is_told() {
    let change = candidate(&[], &[("a.md", b"x\n")]);
    let guest = Guest::echo(
        r#"(import "guardhost:guard/change@0.1.0" "get-task" (func $task (param i32)))
           (import "guardhost:guard/change@0.1.0" "[method]task.text" (func $text (param i32 i32)))"#,
        "",
        "(call $task (i32.const 4000))
         (if (i32.eqz (i32.load8_u (i32.const 4000))) (then (return (i32.const 2048))))
         (call $text (i32.load (i32.const 4004)) (i32.const 4000))
         (i32.load (i32.const 4000)) (i32.load (i32.const 4004))",
    );
    let set = GuardSet::new(vec![spec(&guest)], &machine()).unwrap();
    let told = RecordingObserver::default();
    let without = guard(&change, &set, &JudgeContext { task: None, observer: &told });
    assert_eq!(without.evidence[0].verdict.as_str(), "pass");
    let task =
        Task { text: "mend it".to_string(), hints: vec!["a.md".into()], mode: TaskMode::CompileFix, ..Task::default() };
    let with = guard(&change, &set, &JudgeContext { task: Some(&task), observer: &told });
    assert_eq!(said(&with.evidence[0]), "mend it");
    assert!(with.evidence[0].cached, "loaded once for both");
}

#[test]
fn the_trees_are_read() {
    let change = candidate(
        &[("src/a.py", b"load()\n"), ("b.md", b"old\n")],
        &[("src/a.py", b"load()\n"), ("src/c.py", b"x\nreload = load(2)\n"), ("b.md", b"new\n")],
    );
    let ask = |imports: &'static str, call: &str| {
        let guest = Guest {
            // One needle and one glob, as lists of strings.
            items: r#"(data (i32.const 1800) "load*.py") (data (i32.const 1816) "\08\07\00\00\04\00\00\00\0c\07\00\00\04\00\00\00")
                (data (i32.const 1840) "src/c.pyb.md")"#
                .to_string(),
            ..Guest::echo(imports, "import guardhost:repo/tree@0.1.0;", call)
        };
        let spec = GuardSpec { grants: vec!["repo".to_string()], ..spec(&guest) };
        said(&evidence(&change, spec)).to_string()
    };
    let text = r#"(import "guardhost:repo/tree@0.1.0" "text" (func $text (param i32 i32 i32 i32)))"#;
    let read = |side, at, length| {
        ask(
            text,
            &format!(
                "(call $text (i32.const {side}) (i32.const {at}) (i32.const {length}) (i32.const 4000))
                 (if (i32.load8_u (i32.const 4000)) (then (return (i32.const 2048))))
                 (i32.load (i32.const 4008)) (i32.load (i32.const 4012))"
            ),
        )
    };
    assert_eq!((read(0, 1848, 4).as_str(), read(1, 1848, 4).as_str()), ("old\n", "new\n"));
    assert_eq!((read(0, 1840, 8).as_str(), read(1, 1840, 8).as_str()), ("", "x\nreload = load(2)\n"));

    // The last hit of two, by path and line; its record begins with the path and ends with the line's text.
    let search = r#"(import "guardhost:repo/tree@0.1.0" "search" (func $search (param i32 i32 i32 i32 i32 i32 i32)))"#;
    let hit = |field: u32| {
        ask(
            search,
            &format!(
                "(call $search (i32.const 1) (i32.const 1816) (i32.const 1) (i32.const 1824) (i32.const 1) (i32.const 9) (i32.const 4000))
                 (if (i32.ne (i32.load (i32.const 4004)) (i32.const 2)) (then unreachable))
                 (local.set $i (i32.load (i32.const 4000)))
                 (if (i32.ne (i32.load offset=32 (local.get $i)) (i32.const 2)) (then unreachable))
                 (i32.load offset={} (local.get $i)) (i32.load offset={} (local.get $i))",
                24 + field,
                28 + field
            ),
        )
    };
    assert_eq!((hit(0).as_str(), hit(16).as_str()), ("src/c.py", "reload = load(2)"));
}

/// Nobody is scored who did not ask for it; who asks is told the score when it passes too.
#[test]
fn a_score_is_told_when_it_passes() {
    let ids = |also: &[String]| {
        default_set(&guards::EMBEDDED, also).unwrap().into_iter().map(|spec| spec.id).collect::<Vec<_>>()
    };
    let id = "quality-scored".to_owned();
    assert!(!ids(&[]).contains(&id));
    let asked = [id];
    assert!(ids(&asked).contains(&asked[0]));
    let spec = default_set(&guards::EMBEDDED, &asked).unwrap().into_iter().find(|spec| spec.id == asked[0]).unwrap();
    let manifest: (&str, &[u8]) = ("Cargo.toml", b"[package]\nname = \"a\"\n[dependencies]\naxum = \"0.8\"\n");
    let score = |text: &str| {
        let change = candidate(&[manifest], &[manifest, ("README.md", text.as_bytes())]);
        let found = evidence(&change, spec.clone());
        (found.verdict.as_str(), found.metrics["psi"], found.metrics["gamma"], found.metrics["omega"])
    };
    assert_eq!(score("# A\n\nMade with Axum.\n"), ("pass", 1.0, 1.0, 0.0));
    assert_eq!(score("# A\n\nMade with React.\n\nI hope this helps!\n"), ("reject", 0.2, 0.5, 0.3));
}
