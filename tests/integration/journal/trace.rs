//! The trace, and the terminal's lines of the same events.

use std::io::Write;
use std::sync::{Arc, Mutex};

use guardhost_core::change::observe;
use guardhost_core::change::{
    Budget, Event, GuardVerdict, MisfitAt, NoPatchKind, Note, Observer, PatchFormat, RefusedKind, Severity, Strategy,
    Usage,
};
use guardhost_core::change::{RunEnd, RunOutcome};
use guardhost_display::{Broadcast, Terminal};
use guardhost_report::journal::{Clock, Secrets, Trace};
use serde_json::Value;

use crate::integration::report::samples::check::{evidence, finding, fixes, judgement, touched};

/// A writer whose bytes the test can read while the trace owns a clone.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    pub fn text(&self) -> String {
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

pub fn clock() -> Clock {
    let ticks = Mutex::new(1_750_000_000_000_000_i64);
    Arc::new(move || {
        let mut now = ticks.lock().unwrap();
        *now += 1_250;
        jiff::Timestamp::from_microsecond(*now).unwrap()
    })
}

/// One of every event, in the order of a run, with a key in many places.
pub fn events(key: &str) -> Vec<Event> {
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
            budget: Budget::default(),
        },
        Event::RoundStarted { round: 1, rounds: 3 },
        Event::Asking {
            provider: "primary".to_owned(),
            recorded: false,
            prompt: "unified-diff/3",
            prompt_bytes: 2_000,
        },
        Event::Progress { text: leaks("thinking") },
        Event::ProviderFailed {
            provider: "primary".to_owned(),
            class: "auth",
            message: leaks("refused the key"),
            next: Some("demo".to_owned()),
        },
        Event::Asking { provider: "demo".to_owned(), recorded: true, prompt: "unified-diff/3", prompt_bytes: 2_000 },
        Event::Replied {
            provider: "demo".to_owned(),
            model: None,
            bytes: 3_000,
            micros: 1_200_000,
            usage: Usage::default(),
            recorded: true,
        },
        Event::Spent {
            spent: Usage { input_tokens: Some(900), output_tokens: Some(100), cost_usd: Some(0.25) },
            seconds: 12,
            budget: Budget { seconds: Some(60), tokens: Some(5_000), cost_usd: Some(1.0) },
        },
        Event::Repaired { notes: vec![Note::new("crlf", leaks("line endings"))] },
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
        Event::Fixing { fixes: fixes(), tree: "dddd".to_owned() },
        Event::Fixed { fixes: fixes(), tree: "dddd".to_owned(), touched: touched(), notes: Vec::new() },
        Event::NotFixed { why: leaks("1 of 2 errors cannot be fixed") },
        Event::Settling { tree: "bbbb".to_owned() },
        Event::RejectedKept { reference: "refs/guardhost/rejected/r1/2".to_owned() },
        Event::Cycle { guards: vec!["docs-kept".to_owned()] },
        Event::Notice { text: leaks("something") },
        Event::Failed { error: leaks("an error") },
        Event::StepFailed {
            plan: "p1".to_owned(),
            step: "T001.1".to_owned(),
            outcome: RunEnd::Result(RunOutcome::Rejected),
            error: leaks("rejected"),
        },
        Event::RefinementKept { commit: "dddd".to_owned(), paths: vec!["a.py".into()] },
        Event::RefinementReverted { rationale: leaks("the judge prefers the old one") },
        Event::Committed { branch: "guardhost/r1".to_owned(), commit: "cccc".to_owned() },
        Event::RunEnded {
            outcome: RunEnd::Result(RunOutcome::Committed),
            commit: Some("cccc".to_owned()),
            rounds: 2,
            micros: 1_500_000,
        },
    ]);
    events
}

#[test]
fn the_trace_and_the_terminal_show_every_event() {
    let key = "sk-\"quoted\\key";
    let (trace_out, lines_out) = (Shared::default(), Shared::default());
    let secrets = Secrets::new([key.to_owned(), String::new(), "sk-".to_owned()]);
    let trace = Arc::new(Trace::new(trace_out.clone(), "r1", secrets, clock()));
    let terminal = Arc::new(Terminal::lines(lines_out.clone()));
    let broadcast = Broadcast(vec![trace.clone(), terminal]);
    for event in events(key) {
        observe(&[&broadcast], &event);
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
    let error = format!("{:#}", trace.finish().unwrap_err());
    assert!(error.contains("no space left") && error.contains(" lines"), "{error}");
}
