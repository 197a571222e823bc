//! Observe: every report in every format as a snapshot, the trace, the records; and text that means harm.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use anyhow::Context as _;
use host::change::{
    ChangeType, Edit, Event, Evidence, Finding, Fix, Format as PatchFormat, GuardVerdict, Judgement, Misfit, MisfitAt,
    Mode, NoPatch, NoPatchKind, Note, Observer, Oid, Refused, RefusedKind, Setback, Severity, Strategy, Touched, Usage,
};
use host::error::{Fault, Kind};
use host::observe::{
    ApplyReport, Artifact, CheckReport, Clock, DoctorRow, Fan, Format, GuardRow, Health, Keep, Look, Records, Refusal,
    Report, RoundReport, RunReport, Secrets, Terminal, Trace, last_runs, observe, prune, render, summary,
};
use proptest::prelude::*;
use serde_json::Value;

const LOOK: Look = Look { color: false, width: 100, unicode: true };
const FORMATS: [Format; 5] = [Format::Human, Format::Json, Format::Sarif, Format::Junit, Format::Github];

fn oid(byte: u8) -> Oid {
    Oid::from_bytes(&[byte; 20]).unwrap()
}

fn finding(rule: &str, severity: Severity, place: Option<(&str, u32, u32)>, message: &str) -> Finding {
    Finding {
        rule: rule.to_owned(),
        severity,
        path: place.map(|(path, ..)| path.to_owned()),
        line: place.map(|(_, line, _)| line),
        end_line: place.map(|(.., end)| end),
        message: message.to_owned(),
        help: None,
        fix: None,
    }
}

fn evidence(id: &str, mark: &str, verdict: GuardVerdict) -> Evidence {
    Evidence {
        id: id.to_owned(),
        mark: mark.to_owned(),
        version: "0.1.0".to_owned(),
        digest: "sha256:00".to_owned(),
        mode: Mode::Enforce,
        verdict,
        event: String::new(),
        micros: 812,
        fuel: 193_022,
        cached: true,
        metrics: BTreeMap::new(),
        log: Vec::new(),
    }
}

/// One guard of every kind.
fn judgement() -> Judgement {
    let mut lost = finding("code-loss", Severity::Error, Some(("docs/use me.md", 12, 19)), "2 of 3 examples are gone");
    lost.help = Some("put the examples back:\nthe task does not ask for their removal".to_owned());
    let mut comma = finding("syntax", Severity::Error, Some(("pyproject.toml", 3, 3)), "expected `=` after a key");
    comma.fix = Some(Fix {
        title: "remove the comma".to_owned(),
        edits: vec![Edit { path: "pyproject.toml".to_owned(), start: 40, end: 41, replacement: Vec::new() }],
    });
    let warning = finding("shrunk", Severity::Warning, None, "the change is mostly deletions");
    let mut kept = evidence("docs-kept", "G13", GuardVerdict::Reject(vec![lost, warning]));
    kept.event = "critic_doc_preservation.fail".to_owned();
    let mut score = evidence("quality-scored", "GΨ", GuardVerdict::Pass(Vec::new()));
    score.metrics.insert("psi".to_owned(), 0.83);
    let mut watched = evidence(
        "links-resolve",
        "G14",
        GuardVerdict::Reject(vec![finding(
            "gone",
            Severity::Error,
            Some(("docs/use me.md", 2, 2)),
            "no file `guide.md`",
        )]),
    );
    watched.mode = Mode::Monitor;
    let broken = GuardVerdict::Error { code: "out-of-fuel", message: "burnt 200000000 units".to_owned(), load: false };
    Judgement {
        evidence: vec![
            evidence("scope-kept", "G1", GuardVerdict::NotApplicable("no task is known".to_owned())),
            evidence("syntax-holds", "G2", GuardVerdict::Reject(vec![comma])),
            kept,
            watched,
            score,
            evidence("schema-holds", "G10", broken),
        ],
    }
}

fn check() -> CheckReport {
    let mut check = CheckReport {
        base: Some(oid(0xaa)),
        candidate: Some(oid(0xbb)),
        judgement: judgement(),
        notices: vec!["2 untracked files are not part of the change".to_owned()],
        ..CheckReport::default()
    };
    check.quotes.add("docs/use me.md", 12, "\t$ tool run");
    check
}

fn accepted() -> CheckReport {
    let evidence = vec![
        evidence("syntax-holds", "G2", GuardVerdict::Pass(Vec::new())),
        evidence("docs-kept", "G13", GuardVerdict::NotApplicable("no document is touched".to_owned())),
    ];
    CheckReport { judgement: Judgement { evidence }, base: Some(oid(0xaa)), ..CheckReport::default() }
}

fn refused() -> Refusal {
    let path = Some(".git/config".into());
    let message = "a patch cannot write below `.git`".to_owned();
    (&Refused { kind: RefusedKind::GitInternals, path, message }).into()
}

fn misfit() -> Refusal {
    let at =
        |path: &str, hunk, code, message: &str| MisfitAt { path: path.into(), hunk, code, message: message.to_owned() };
    (&Misfit {
        at: vec![
            at("src/a.py", Some(2), "ambiguous", "fits at lines 4 and 40"),
            at("src/b.py", None, "no-such-file", "there is no such file;\nnearest is src/bb.py"),
        ],
    })
        .into()
}

fn touched() -> Vec<Touched> {
    let file = |path: &str, change_type, lines_added, lines_deleted| Touched {
        path: path.into(),
        old_path: None,
        change_type,
        lines_added,
        lines_deleted,
    };
    let mut moved = file("docs/new.md", ChangeType::Rename, 0, 0);
    moved.old_path = Some("docs/old.md".into());
    vec![file("README.md", ChangeType::Modify, 3, 120), moved]
}

fn run() -> RunReport {
    let usage = Usage { input_tokens: Some(812), output_tokens: Some(320), cost_usd: Some(0.0123) };
    let round = |round| RoundReport { round, provider: "demo".to_owned(), recorded: true, ..RoundReport::default() };
    let first = RoundReport {
        failed: vec![("primary".to_owned(), "rate limited".to_owned())],
        model: Some("some-model".to_owned()),
        usage,
        micros: 1_234_567,
        setback: Some(
            (&Setback::NoPatch(NoPatch {
                kind: NoPatchKind::Prose,
                message: "the reply explains, and holds no patch".to_owned(),
            }))
                .into(),
        ),
        feedback: Some("Your reply holds no patch.\nAnswer with one.".to_owned()),
        ..round(1)
    };
    let second = RoundReport {
        notes: vec![Note::new("crlf", "line endings of README.md")],
        format: Some(PatchFormat::GitDiff),
        strategy: Some(Strategy::Offset),
        touched: touched(),
        setback: Some((&Setback::Rejected(judgement())).into()),
        check: Some(check()),
        kept: Some("refs/guardhost/rejected/r1/2".to_owned()),
        ..round(2)
    };
    let third = RoundReport {
        format: Some(PatchFormat::JsonList),
        strategy: Some(Strategy::Exact),
        touched: touched(),
        check: Some(accepted()),
        ..round(3)
    };
    RunReport {
        run: "r1".to_owned(),
        task: "Tidy the README".to_owned(),
        outcome: "committed",
        base: Some(oid(0xaa)),
        branch: Some("guardhost/r1".to_owned()),
        commit: Some(oid(0xcc)),
        rounds: vec![first, second, third],
        rounds_max: 3,
        diff: Some(
            "diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1,2 +1,2 @@\n-old\n+new\n ::error::kept\n"
                .to_owned(),
        ),
        trace: Some(".git/guardhost/runs/r1/trace.jsonl".into()),
        micros: 65_000_000,
        ..RunReport::default()
    }
}

fn failure() -> Report {
    let cause = std::io::Error::other("no space left");
    let error = Err::<(), _>(cause)
        .context("cannot write the lock")
        .context(Fault::new(Kind::Config, "guards.lock is not up to date").hint("run `host guard lock`"));
    Report::Failure((&error.unwrap_err()).into())
}

/// Every report that there is, by name.
fn reports() -> Vec<(&'static str, Report)> {
    let apply = ApplyReport {
        applied: true,
        strategy: Some(Strategy::Exact),
        touched: touched(),
        notes: vec![Note::new("recount", "hunk 1 of README.md")],
        check: Some(accepted()),
        ..ApplyReport::default()
    };
    let guard = GuardRow {
        id: "links-resolve".to_owned(),
        mark: "G14".to_owned(),
        version: "0.1.0".to_owned(),
        source: "builtin".to_owned(),
        digest: "sha256:00".to_owned(),
        mode: Mode::Monitor,
        size: 215_000,
        imports: vec!["repo".to_owned(), "net".to_owned()],
        grants: vec!["repo".to_owned()],
        promise: "Every link that the change adds points to something.".to_owned(),
    };
    let look = |name: &str, ok, detail: &str, hint: Option<&str>| DoctorRow {
        name: name.to_owned(),
        ok,
        detail: detail.to_owned(),
        hint: hint.map(str::to_owned),
    };
    let looks = vec![
        look("git", Health::Pass, "2.50.1", None),
        look("cache", Health::Warn, "is readable by others", Some("chmod 700 the cache")),
        look("provider", Health::Fail, "`claude` is not on the path", Some("install it, or name another")),
    ];
    let refused_check = CheckReport { base: Some(oid(0xaa)), refusal: Some(refused()), ..CheckReport::default() };
    vec![
        ("check-rejected", Report::Check(check())),
        ("check-accepted", Report::Check(accepted())),
        ("check-refused", Report::Check(refused_check)),
        ("apply", Report::Apply(apply)),
        ("apply-misfit", Report::Apply(ApplyReport { refusal: Some(misfit()), ..ApplyReport::default() })),
        ("run", Report::Run(Box::new(run()))),
        ("guards", Report::Guards(vec![guard])),
        ("doctor", Report::Doctor(looks)),
        ("failure", failure()),
    ]
}

#[test]
fn every_report_in_every_format() {
    for (name, report) in reports() {
        for format in FORMATS {
            let text = String::from_utf8(render(&report, format, &LOOK)).unwrap();
            assert!(text.ends_with('\n'), "{name} {format:?}");
            let format = format!("{format:?}").to_lowercase();
            match format.as_str() {
                "json" | "sarif" => {
                    assert_eq!(text.lines().count(), 1);
                    let value: Value = serde_json::from_str(&text).unwrap();
                    insta::assert_json_snapshot!(format!("{name}_{format}"), value);
                }
                _ => insta::assert_snapshot!(format!("{name}_{format}"), text),
            }
        }
    }
}

#[test]
fn a_step_summary_and_colours() {
    insta::assert_snapshot!("summary", summary(&Report::Check(check())));
    let plain = render(&Report::Check(check()), Format::Human, &LOOK);
    let coloured = render(&Report::Check(check()), Format::Human, &Look { color: true, ..LOOK });
    assert_ne!(plain, coloured);
    assert_eq!(plain, anstream::adapter::strip_bytes(&coloured).into_vec());
    let ascii = render(&Report::Check(accepted()), Format::Human, &Look { unicode: false, ..LOOK });
    assert!(ascii.is_ascii(), "{}", String::from_utf8_lossy(&ascii));
}

/// The keys and their order are what scripts were written against.
#[test]
fn the_json_of_the_design() {
    let text = String::from_utf8(render(&Report::Check(check()), Format::Json, &LOOK)).unwrap();
    assert!(text.starts_with(r#"{"schema_version":1,"verdict":"reject","base":"aaaa"#), "{text}");
    let value: Value = serde_json::from_str(&text).unwrap();
    let guard: Vec<_> = value["guards"][1].as_object().unwrap().keys().take(10).cloned().collect();
    let wanted = ["id", "g", "version", "digest", "verdict", "reason", "micros", "fuel", "cached", "findings"];
    assert_eq!(guard, wanted);
    let finding: Vec<_> = value["guards"][1]["findings"][0].as_object().unwrap().keys().take(7).cloned().collect();
    assert_eq!(finding, ["rule", "severity", "path", "line", "end_line", "message", "help"]);
}

/// What the schema of SARIF 2.1.0 requires of the parts that we write.
fn is_sarif(bytes: &[u8]) {
    let log: Value = serde_json::from_slice(bytes).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert!(run["tool"]["driver"]["name"].is_string());
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: std::collections::BTreeSet<_> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), rules.len(), "rules are unique");
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(result["message"]["text"].is_string());
        assert!(result["partialFingerprints"]["guardhost/v1"].is_string());
        for location in result["locations"].as_array().into_iter().flatten() {
            let place = &location["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().unwrap();
            assert!(uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte)), "{uri}");
            if let Some(region) = place.get("region") {
                let (start, end) = (region["startLine"].as_u64().unwrap(), region["endLine"].as_u64().unwrap());
                assert!(1 <= start && start <= end);
            }
        }
        for fix in result["fixes"].as_array().into_iter().flatten() {
            for change in fix["artifactChanges"].as_array().filter(|changes| !changes.is_empty()).unwrap() {
                assert!(change["artifactLocation"]["uri"].is_string());
                for edit in change["replacements"].as_array().filter(|edits| !edits.is_empty()).unwrap() {
                    assert!(
                        edit["deletedRegion"]["byteOffset"].is_u64() && edit["deletedRegion"]["byteLength"].is_u64()
                    );
                }
            }
        }
    }
}

#[test]
fn sarif_is_sarif_and_fingerprints_outlive_moved_lines() {
    for (_, report) in reports() {
        is_sarif(&render(&report, Format::Sarif, &LOOK));
    }
    let prints = |move_by: u32| -> Vec<Value> {
        let mut check = check();
        for evidence in &mut check.judgement.evidence {
            if let GuardVerdict::Reject(findings) = &mut evidence.verdict {
                findings.iter_mut().for_each(|finding| finding.line = finding.line.map(|line| line + move_by));
            }
        }
        check.quotes = Default::default();
        let log: Value = serde_json::from_slice(&render(&Report::Check(check), Format::Sarif, &LOOK)).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap().clone();
        results.into_iter().map(|result| result["partialFingerprints"].clone()).collect()
    };
    assert_eq!(prints(0), prints(7));
    let all = prints(0);
    assert!(all.iter().enumerate().all(|(at, print)| !all[..at].contains(print)));
}

/// Everything that comes from outside says `text`.
fn hostile(text: &str) -> Report {
    let mut finding = finding(text, Severity::Error, Some((text, 1, 0)), text);
    finding.help = Some(text.to_owned());
    finding.fix = Some(Fix {
        title: text.to_owned(),
        edits: vec![Edit { path: text.to_owned(), start: 9, end: 3, replacement: vec![0xff] }],
    });
    let mut guard = evidence(text, text, GuardVerdict::Reject(vec![finding]));
    guard.version = text.to_owned();
    guard.event = text.to_owned();
    guard.metrics.insert(text.to_owned(), f64::NAN);
    let broken = GuardVerdict::Error { code: "trap", message: text.to_owned(), load: true };
    let evidence = vec![
        guard,
        evidence("broken", text, broken),
        evidence("left-out", text, GuardVerdict::NotApplicable(text.to_owned())),
    ];
    let mut check = CheckReport { judgement: Judgement { evidence }, ..CheckReport::default() };
    check.notices.push(text.to_owned());
    check.notes.push(Note::new("note", text));
    check.quotes.add(text, 1, text);
    let touched = Touched {
        path: text.into(),
        old_path: Some(text.into()),
        change_type: ChangeType::Rename,
        lines_added: 1,
        lines_deleted: 1,
    };
    let refusal =
        (&Refused { kind: RefusedKind::UnsafePath, path: Some(text.into()), message: text.to_owned() }).into();
    let round = RoundReport {
        provider: text.to_owned(),
        model: Some(text.to_owned()),
        failed: vec![(text.to_owned(), text.to_owned())],
        notes: vec![Note::new("note", text)],
        touched: vec![touched],
        setback: Some(refusal),
        feedback: Some(text.to_owned()),
        kept: Some(text.to_owned()),
        ..RoundReport::default()
    };
    let judged = RoundReport { check: Some(check), ..round.clone() };
    Report::Run(Box::new(RunReport {
        run: text.to_owned(),
        task: text.to_owned(),
        outcome: "rejected",
        rounds: vec![round, judged],
        cycle: vec![text.to_owned()],
        diff: Some(format!("@@\n {text}\n+{text}\n")),
        trace: Some(text.into()),
        notices: vec![text.to_owned()],
        ..RunReport::default()
    }))
}

/// A terminal takes no orders, a runner finds no command that is not ours, and every format stays well-formed.
fn is_harmless(report: &Report) {
    let order = |c: char| matches!(c, '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut all: Vec<(String, String)> = FORMATS
        .iter()
        .map(|format| (format!("{format:?}"), String::from_utf8(render(report, *format, &LOOK)).unwrap()))
        .collect();
    all.push(("summary".to_owned(), summary(report)));
    for (format, text) in &all {
        assert!(!text.chars().any(order), "{format}: {text:?}");
        match format.as_str() {
            "Json" => drop(serde_json::from_str::<Value>(text).unwrap()),
            "Sarif" => is_sarif(text.as_bytes()),
            "Junit" => {
                let mut reader = quick_xml::Reader::from_str(text);
                while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
            }
            "Github" => {
                for line in text.lines() {
                    let ours = ["::error ", "::warning ", "::notice ", "::debug::"];
                    assert!(ours.iter().any(|command| line.starts_with(command)), "{line:?}");
                    // Properties end at the second `::`, and hold none of their own.
                    let (properties, _) = line[2..].split_once("::").unwrap();
                    assert!(properties.matches(':').count() == 0 && properties.matches(',').count() <= 3, "{line:?}");
                }
            }
            _ => {
                assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{format}: {text}");
                assert!(!text.contains("##["), "{format}: {text}");
            }
        }
    }
}

#[test]
fn text_that_means_harm() {
    let texts = [
        "\x1b[2J\x1b]0;title\x07 \u{9b}31m \u{202e}txt.exe\u{2066} \r\x08\0",
        "x\n::error::y\r\n::stop-commands::z\n##[add-mask]q\n  ::set-env name=a::b",
        "a:b,c%0A::error file=x::y",
        "</failure><error>&amp;]]> \u{fffe} | `x` <img src=x> [a](b) *c*",
        "",
    ];
    texts.iter().for_each(|text| is_harmless(&hostile(text)));
}

#[test]
fn a_message_of_a_hundred_thousand_characters() {
    let report = hostile(&"é<&\n".repeat(25_000));
    is_harmless(&report);
    let human = render(&report, Format::Human, &LOOK);
    assert!(human.len() < 60_000, "{}", human.len());
    let json: Value = serde_json::from_slice(&render(&report, Format::Json, &LOOK)).unwrap();
    let message = &json["rounds"][1]["check"]["guards"][0]["findings"][0]["message"];
    assert_eq!(message.as_str().unwrap().chars().count(), 100_000, "JSON keeps everything");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_harmless(text in "(\\PC|[\n\r\t:,%#\\[\\]<>&\u{1b}\u{9b}\u{202e}\u{2028}]){0,40}") {
        is_harmless(&hostile(&text));
    }
}

/// Bytes that somebody else can look at.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn clock() -> Clock {
    let ticks = Mutex::new(1_750_000_000_000_000_i64);
    Arc::new(move || {
        let mut now = ticks.lock().unwrap();
        *now += 1_250;
        jiff::Timestamp::from_microsecond(*now).unwrap()
    })
}

/// One of every event, in the order of a run, with a key in many places.
fn events(key: &str) -> Vec<Event> {
    let leaks = |text: &str| format!("{text} {key}");
    let mut events = vec![
        Event::RunStarted {
            run: "r1".to_owned(),
            repo: "shop".to_owned(),
            base: "aaaa".to_owned(),
            task: "Tidy the README".to_owned(),
            provider: "demo".to_owned(),
            guards: vec!["docs-kept".to_owned()],
            rounds: 3,
        },
        Event::RoundStarted { round: 1, rounds: 3 },
        Event::Asking { provider: "primary".to_owned(), recorded: false, prompt_bytes: 2_000 },
        Event::Progress { text: leaks("thinking") },
        Event::ProviderFailed {
            provider: "primary".to_owned(),
            class: "auth",
            message: leaks("refused the key"),
            next: Some("demo".to_owned()),
        },
        Event::Asking { provider: "demo".to_owned(), recorded: true, prompt_bytes: 2_000 },
        Event::Replied {
            provider: "demo".to_owned(),
            model: None,
            bytes: 3_000,
            micros: 1_200_000,
            usage: Usage::default(),
            recorded: true,
        },
        Event::Mended { notes: vec![Note::new("crlf", leaks("line endings"))] },
        Event::NoPatch { kind: NoPatchKind::Prose, message: leaks("only words") },
        Event::Feedback { text: leaks("send a patch") },
        Event::RoundStarted { round: 2, rounds: 3 },
        Event::Extracted { format: PatchFormat::GitDiff, files: vec!["README.md".into()], notes: Vec::new() },
        Event::Sanitized { files: 1 },
        Event::Refused { kind: RefusedKind::GitInternals, path: Some(".git/x".into()), message: leaks("no") },
        Event::Misfit {
            at: vec![MisfitAt { path: "a".into(), hunk: Some(1), code: "not-found", message: leaks("no such lines") }],
        },
        Event::Placed {
            tree: "bbbb".to_owned(),
            strategy: Some(Strategy::Exact),
            touched: touched(),
            notes: Vec::new(),
        },
        Event::Judging { guards: vec!["docs-kept".to_owned()] },
    ];
    events.extend(judgement().evidence.into_iter().map(|evidence| Event::Judged { evidence: Box::new(evidence) }));
    events.extend([
        Event::Settling { tree: "bbbb".to_owned() },
        Event::RejectedKept { reference: "refs/guardhost/rejected/r1/2".to_owned() },
        Event::Cycle { guards: vec!["docs-kept".to_owned()] },
        Event::Notice { text: leaks("something") },
        Event::Committed { branch: "guardhost/r1".to_owned(), commit: "cccc".to_owned() },
        Event::RunEnded { outcome: "committed", commit: Some("cccc".to_owned()), rounds: 2, micros: 1_500_000 },
    ]);
    events
}

#[test]
fn the_trace_and_the_terminal_tell_every_event() {
    let key = "sk-\"quoted\\key";
    let (trace_out, lines_out) = (Shared::default(), Shared::default());
    let secrets = Secrets::new([key.to_owned(), String::new(), "sk-".to_owned()]);
    let trace = Arc::new(Trace::new(trace_out.clone(), "r1", secrets, clock()));
    let terminal = Arc::new(Terminal::lines(lines_out.clone()));
    let fan = Fan(vec![trace.clone(), terminal]);
    for event in events(key) {
        observe(&[&fan], &event);
    }
    trace.finish().unwrap();
    let text = trace_out.text();
    assert!(!text.contains("quoted") && text.contains("[redacted]"));
    for (seq, line) in (0u64..).zip(text.lines()) {
        let line: Value = serde_json::from_str(line).unwrap();
        let keys: Vec<_> = line.as_object().unwrap().keys().take(5).cloned().collect();
        assert_eq!(keys, ["ts", "run", "round", "seq", "event"]);
        assert_eq!(line["seq"], seq);
    }
    let judged = text.lines().filter(|line| line.contains(r#""event":"judged""#)).count();
    assert_eq!(judged, judgement().evidence.len(), "passes and skips included");
    insta::assert_snapshot!("trace", text);
    insta::assert_snapshot!("terminal_lines", lines_out.text());
}

/// The name is the guard's own text.
#[test]
fn a_guard_cannot_forge_an_event() {
    for name in ["run-ended", "a.b\"c", "A.b", &format!("a.{}", "b".repeat(70))] {
        let out = Shared::default();
        let trace = Trace::new(out.clone(), "r1", Secrets::default(), clock());
        let mut guard = evidence("g", "", GuardVerdict::Reject(vec![finding("r", Severity::Error, None, "m")]));
        guard.event = name.to_owned();
        trace.see(&Event::Judged { evidence: Box::new(guard) });
        assert_eq!(out.text().lines().count(), 1, "{name}");
    }
}

#[test]
fn a_trace_that_cannot_be_written_says_so_at_the_end() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("no space left"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let trace = Trace::new(Full, "r1", Secrets::default(), clock());
    events("").iter().for_each(|event| trace.see(event));
    let error = trace.finish().unwrap_err().to_string();
    assert!(error.contains("no space left") && error.contains(" lines"), "{error}");
}

#[test]
fn records_are_private_whole_masked_and_pruned() {
    let state = tempfile::tempdir().unwrap();
    let state = state.path().join("guardhost");
    let secrets = Secrets::new(["sk-key".to_owned()]);
    for run in ["r1", "r2", "r3"] {
        let records = Records::create(&state, run, secrets.clone()).unwrap();
        let (path, file) = records.trace().unwrap();
        let trace = Trace::new(file, run, secrets.clone(), clock());
        // The second is killed in the middle.
        let events = events("sk-key");
        let seen = if run == "r2" { 12 } else { events.len() };
        events.iter().take(seen).for_each(|event| trace.see(event));
        if run == "r2" {
            fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"ts\":\"torn").unwrap();
        }
        let reply = records.keep(1, Artifact::Reply, b"raw \xff sk-key").unwrap();
        assert_eq!(fs::read(&reply).unwrap(), b"raw \xff [redacted]");
        let judgement = records.keep_judgement(1, &check()).unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&fs::read(&judgement).unwrap()).unwrap()["verdict"], "reject");
        for (path, mode) in [(records.dir(), 0o700), (reply.parent().unwrap(), 0o700), (&reply, 0o600), (&path, 0o600)]
        {
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, mode, "{}", path.display());
        }
        assert_eq!(fs::read_dir(reply.parent().unwrap()).unwrap().count(), 2, "no temporary file stays");
        let age = Duration::from_secs(match run {
            "r1" => 90,
            "r2" => 60,
            _ => 30,
        });
        fs::File::open(&path).unwrap().set_modified(SystemTime::now() - age).unwrap();
    }
    assert!(Records::create(&state, "r1", secrets.clone()).is_err(), "records are not overwritten");
    assert!(Records::create(&state, "../r4", secrets).is_err());

    let past = last_runs(&state, 10).unwrap();
    let told: Vec<_> = past.iter().map(|run| (run.run.as_str(), run.outcome.as_deref(), run.rounds)).collect();
    assert_eq!(told, [("r3", Some("committed"), 2), ("r2", None, 2), ("r1", Some("committed"), 2)]);
    assert_eq!((past[0].task.as_str(), past[0].commit.as_deref()), ("Tidy the README", Some("cccc")));

    let outside = state.join("outside");
    fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, state.join("runs/link")).unwrap();
    let keep = |max_runs, seconds| Keep { max_runs, max_age: Duration::from_secs(seconds) };
    assert_eq!(prune(&state, keep(2, 3600), SystemTime::now()).unwrap(), 1);
    assert_eq!(prune(&state, keep(0, 0), SystemTime::now()).unwrap(), 1, "the newest stays");
    assert_eq!(last_runs(&state, 10).unwrap()[0].run, "r3");
    assert!(outside.exists() && state.join("runs/link").is_symlink());
    assert_eq!(prune(&state.join("none"), Keep::default(), SystemTime::now()).unwrap(), 0);
}
