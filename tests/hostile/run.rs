//! While it runs: time, memory, stack, words.

use guardhost_engine::{GuardSpec, Limits};

use super::{beside, error, spec};
use crate::support::guest::{DATA, FILES, FIRST_FILE, Guest, escape};

/// A tenth of the default, so that the suite stays quick.
fn tight(guest: &Guest) -> GuardSpec {
    GuardSpec { limits: Limits { fuel: 200_000_000, ..Limits::default() }, ..spec(guest) }
}

#[test]
fn endless_loop() {
    let evidence = beside(tight(&Guest::checking("(loop $l (br $l))")));
    assert_eq!(error(&evidence).0, "out-of-fuel");
    assert!(evidence.fuel >= 200_000_000);
}

#[test]
fn memory_growth() {
    let evidence = beside(spec(&Guest::checking("(loop $l (drop (memory.grow (i32.const 16))) (br $l))")));
    assert_eq!(error(&evidence), ("out-of-memory", false, "it wanted more than its 64 MiB of memory"));
    let evidence = beside(spec(&Guest { pages: 16_384, ..Guest::default() }));
    assert_eq!(error(&evidence).0, "out-of-memory");
}

#[test]
fn deep_recursion() {
    let items = "(func $deep (param i32) (result i32) (i32.add (call $deep (local.get 0)) (i32.const 1)))".to_string();
    let guest = Guest { items, ..Guest::checking("(drop (call $deep (i32.const 0)))") };
    assert_eq!(error(&beside(spec(&guest))).0, "stack-overflow");
}

#[test]
fn traps() {
    for body in ["unreachable", "(drop (i32.div_u (i32.const 1) (i32.const 0)))", "(drop (i32.load (i32.const -8)))"] {
        let evidence = beside(spec(&Guest::checking(body)));
        assert_eq!((error(&evidence).0, error(&evidence).1), ("trap", false), "{body}");
    }
}

/// What it said before it died is kept.
#[test]
fn panic() {
    let evidence = beside(spec(&Guest {
        imports: r#"(import "guardhost:guard/log@0.1.0" "stderr" (func $stderr (param i32 i32)))"#,
        items: format!(r#"(data (i32.const {DATA}) "panicked at x\1b[2J\nbye")"#),
        ..Guest::checking(&format!(
            "(call $stderr (i32.const {DATA}) (i32.const 8)) (call $stderr (i32.const {}) (i32.const 13)) unreachable",
            DATA + 8
        ))
    }));
    assert_eq!(error(&evidence).0, "trap");
    let lines: Vec<_> = evidence.log.iter().map(|line| (line.level, line.text.as_str())).collect();
    assert_eq!(lines, [("stderr", "panicked at x\\u{1b}[2J"), ("stderr", "bye")]);
}

#[test]
fn a_log_of_100_mb() {
    let imports = r#"
        (import "guardhost:guard/log@0.1.0" "stderr" (func $stderr (param i32 i32)))
        (import "guardhost:guard/log@0.1.0" "line" (func $line (param i32 i32 i32)))"#;
    let flood = |times: u32, call: &str| {
        let guest = Guest {
            imports,
            pages: 20,
            // A million bytes, every hundredth a line feed.
            items: format!(
                "(func $fill (local $i i32) (loop $l
                    (i32.store8 (i32.add (i32.const {DATA}) (local.get $i))
                        (select (i32.const 10) (i32.const 120) (i32.eqz (i32.rem_u (local.get $i) (i32.const 100)))))
                    (local.set $i (i32.add (local.get $i) (i32.const 1)))
                    (br_if $l (i32.lt_u (local.get $i) (i32.const 1000000)))))"
            ),
            ..Guest::checking(&format!(
                "(call $fill)
                (loop $l {call} (local.set $i (i32.add (local.get $i) (i32.const 1)))
                    (br_if $l (i32.lt_u (local.get $i) (i32.const {times}))))"
            ))
        };
        beside(spec(&guest))
    };
    for (times, call) in [
        (100, format!("(call $line (i32.const 1) (i32.const {DATA}) (i32.const 1000000))")),
        (5, format!("(call $stderr (i32.const {DATA}) (i32.const 1000000))")),
    ] {
        let evidence = flood(times, &call);
        assert_eq!(evidence.verdict.as_str(), "pass", "{:?}", evidence.verdict);
        assert!(evidence.log.iter().map(|line| line.text.len()).sum::<usize>() < 70_000);
        assert!(evidence.log.last().unwrap().text.contains("were dropped"), "{:?}", evidence.log.last());
    }
}

#[test]
fn a_million_questions() {
    let evidence = beside(tight(&Guest {
        imports: FILES,
        // The allocator starts anew each time: memory is not what runs out.
        ..Guest::checking("(loop $l (call $files (i32.const 4000)) (global.set $top (i32.const 65536)) (br $l))")
    }));
    assert_eq!(error(&evidence), ("host-limit", false, "it asked the host more than 100000 times"));
}

/// Every question is cheap; what it makes the host read is not.
#[test]
fn a_file_read_for_ever() {
    let big = vec![b'x'; 8 << 20];
    let files = crate::support::candidate::candidate(&[], &[("big.txt", &big)]);
    let guest = Guest {
        imports: r#"(import "guardhost:guard/change@0.1.0" "files" (func $files (param i32)))
            (import "guardhost:guard/change@0.1.0" "[method]file.text" (func $text (param i32 i32 i32)))"#,
        items: FIRST_FILE.to_owned(),
        ..Guest::checking(
            "(local.set $found (call $first-file))
             (loop $l (call $text (local.get $found) (i32.const 1) (i32.const 4000)) (global.set $top (i32.const 65536)) (br $l))",
        )
    };
    let evidence = crate::support::judging::evidence(&files, spec(&guest));
    assert_eq!(error(&evidence), ("host-limit", false, "it made the host read more than 1024 MiB"));
}

#[test]
fn misuse() {
    let read = r#"(import "guardhost:guard/change@0.1.0" "files" (func $files (param i32)))
        (import "guardhost:guard/change@0.1.0" "[method]file.read" (func $read (param i32 i32 i32)))"#;
    let metric = r#"(import "guardhost:guard/log@0.1.0" "metric" (func $metric (param i32 i32 f64)))"#;
    let text = r#"(import "guardhost:guard/log@0.1.0" "line" (func $line (param i32 i32 i32)))"#;
    let cases = [
        (read, "(call $read (i32.const 7) (i32.const 0) (i32.const 4000))", "bad-output"),
        (read, "(call $read (call $first-file) (i32.const 9) (i32.const 4000))", "bad-output"),
        (metric, "(call $metric (i32.const 8192) (i32.const 4) (f64.const nan))", "bad-call"),
        (text, "(call $line (i32.const 0) (i32.const -2) (i32.const 100))", "bad-output"),
        (
            text,
            "(i32.store (i32.const 4000) (i32.const -1)) (call $line (i32.const 0) (i32.const 4000) (i32.const 4))",
            "bad-output",
        ),
    ];
    for (imports, body, code) in cases {
        let items = if imports == read { FIRST_FILE.to_owned() } else { String::new() };
        let evidence = beside(spec(&Guest { imports, items, ..Guest::checking(body) }));
        assert_eq!(error(&evidence).0, code, "{body}: {:?}", evidence.verdict);
    }
}

#[test]
fn figures_without_end() {
    let evidence = beside(spec(&Guest {
        imports: r#"(import "guardhost:guard/log@0.1.0" "metric" (func $metric (param i32 i32 f64)))"#,
        items: format!(r#"(data (i32.const {DATA}) "{}")"#, escape(&(33..127).collect::<Vec<u8>>())),
        ..Guest::checking(&format!(
            "(loop $l (call $metric (i32.add (i32.const {DATA}) (local.get $i)) (i32.const 1) (f64.const 1))
                (local.set $i (i32.add (local.get $i) (i32.const 1))) (br_if $l (i32.lt_u (local.get $i) (i32.const 90))))"
        ))
    }));
    assert_eq!(error(&evidence), ("host-limit", false, "it reported more than 64 figures"));
    assert_eq!(evidence.metrics.len(), 64);
}

/// Lines without text take memory too.
#[test]
fn millions_of_empty_lines() {
    let evidence = beside(spec(&Guest {
        imports: r#"(import "guardhost:guard/log@0.1.0" "stderr" (func $stderr (param i32 i32)))"#,
        pages: 20,
        check: format!(
            "(memory.fill (i32.const {DATA}) (i32.const 10) (i32.const 1000000))
             (loop $l (call $stderr (i32.const {DATA}) (i32.const 1000000))
                (local.set $i (i32.add (local.get $i) (i32.const 1)))
                (br_if $l (i32.lt_u (local.get $i) (i32.const 50))))"
        ),
        ..Guest::default()
    }));
    assert_eq!(evidence.verdict.as_str(), "pass", "{:?}", evidence.verdict);
    assert!(evidence.log.len() < 3_000, "{} lines", evidence.log.len());
    assert!(evidence.log.last().unwrap().text.contains("were dropped"), "{:?}", evidence.log.last());
}

/// The host copies every argument, so every argument is counted.
#[test]
fn long_names_of_figures() {
    let evidence = beside(spec(&Guest {
        imports: r#"(import "guardhost:guard/log@0.1.0" "metric" (func $metric (param i32 i32 f64)))"#,
        pages: 60,
        ..Guest::checking(
            "(memory.fill (i32.const 65536) (i32.const 97) (i32.const 3000000))
             (loop $l (call $metric (i32.const 65536) (i32.const 3000000) (f64.const 1)) (br $l))",
        )
    }));
    assert_eq!(error(&evidence), ("host-limit", false, "it made the host read more than 1024 MiB"));
}
