//! Hostile answers: verdicts that break the contract, and text that attacks a terminal.

use guardhost_core::change::GuardVerdict;

use super::{beside, error, spec};
use crate::support::guest::{
    ANSWER, ERROR, Found, Guest, NOT_APPLICABLE, PASS, REJECT, WARNING, verdict, verdict_bytes,
};

/// A guard that makes `count` findings, each with a message of `length` bytes, and returns the first `returned`.
fn many(count: u32, length: u32, returned: usize) -> Guest {
    const HANDLES: u32 = 1 << 20;
    /// A rule, which is the beginning of the message too.
    const TEXT: u32 = 2 << 20;
    Guest {
        pages: 64,
        check: format!(
            "(loop $l
                (i32.store (i32.add (i32.const {HANDLES}) (i32.mul (local.get $i) (i32.const 4)))
                    (call $finding (i32.const {TEXT}) (i32.const 1) (i32.const 0) (i32.const {TEXT}) (i32.const {length})))
                (local.set $i (i32.add (local.get $i) (i32.const 1)))
                (br_if $l (i32.lt_u (local.get $i) (i32.const {count}))))"
        ),
        items: format!("(data (i32.const {TEXT}) \"{}\")", "a".repeat(50_000)),
        ..Guest::answering(verdict_bytes(REJECT, HANDLES, returned))
    }
}

#[test]
fn a_million_findings() {
    let evidence = beside(spec(&many(1_001, 10, 1_001)));
    assert_eq!(error(&evidence), ("output-limit", false, "it has 1001 findings; 1000 is the limit"));
    let evidence = beside(spec(&many(1_000, 10, 1_000)));
    assert_eq!(evidence.verdict.findings().len(), 1_000, "{:?}", evidence.verdict);

    let evidence = beside(spec(&many(1_000_000, 10, 1)));
    assert_eq!(error(&evidence), ("output-limit", false, "it began more than 10000 findings"));
    let evidence = beside(spec(&many(1_000, 50_000, 1)));
    assert_eq!(error(&evidence), ("output-limit", false, "it said more than 4 MiB in one call"));

    let evidence = beside(spec(&many(1, 10, 1_000_000)));
    assert_eq!(error(&evidence).0, "bad-output", "a list past the end of its memory");
    let evidence = beside(spec(&many(1, 10, 2)));
    assert_eq!(error(&evidence).0, "bad-output", "a handle that it does not have");
}

/// One finding may not be reported twice: its handle is given away.
#[test]
fn a_handle_given_twice() {
    let twice = Guest {
        check: "(local.set $found (call $finding (i32.const 1024) (i32.const 1) (i32.const 0) (i32.const 1024) (i32.const 1)))
            (i32.store (i32.const 4000) (local.get $found))
            (i32.store (i32.const 4004) (local.get $found))"
            .to_owned(),
        items: "(data (i32.const 1024) \"a\")".to_owned(),
        ..Guest::answering(verdict_bytes(REJECT, 4000, 2))
    };
    assert_eq!(error(&beside(spec(&twice))).0, "bad-output");
}

#[test]
fn verdicts_that_break_the_contract() {
    let warning = Found { severity: WARNING, ..Found::default() };
    let at = |path, lines| Found { path, lines, ..Found::default() };
    let columns = |lines, columns| Found { path: Some("a.md"), lines, columns, ..Found::default() };
    let related = |path, first| Found { related: vec![(path, first, 2, "here")], ..Found::default() };
    let cases: Vec<(u8, Vec<Found>, &str)> = vec![
        (REJECT, vec![], "it rejects without a finding of severity `error`"),
        (REJECT, vec![warning], "it rejects without a finding of severity `error`"),
        (PASS, vec![Found::default()], "it passes with a finding of severity `error`"),
        (REJECT, vec![Found { rule: "A Rule", ..Found::default() }], "a finding's rule is \"A Rule\", not kebab-case"),
        (REJECT, vec![Found { message: b" \n".to_vec(), ..Found::default() }], "`a-rule` has no message"),
        (REJECT, vec![at(Some("nowhere"), None)], "`a-rule` names the path \"nowhere\", which is in neither tree"),
        (REJECT, vec![at(Some("a.md"), Some((0, 0)))], "`a-rule` names line 0; lines count from 1"),
        (REJECT, vec![at(Some("a.md"), Some((3, 2)))], "`a-rule` ends at line 2, before it begins at line 3"),
        (REJECT, vec![at(None, Some((1, 1)))], "`a-rule` names a line without a path"),
        (REJECT, vec![columns(None, Some((1, 1)))], "`a-rule` names a column without a line"),
        (REJECT, vec![columns(Some((1, 1)), Some((0, 1)))], "`a-rule` names column 0; columns count from 1"),
        (REJECT, vec![columns(Some((1, 1)), Some((3, 2)))], "`a-rule` ends at column 2, before it begins at column 3"),
        (REJECT, vec![related("nowhere", 1)], "`a-rule` names the path \"nowhere\", which is in neither tree"),
        (REJECT, vec![related("a.md", 3)], "`a-rule` ends at line 2, before it begins at line 3"),
    ];
    for (word, findings, message) in cases {
        let evidence = beside(spec(&Guest::answering(verdict(word, &findings))));
        assert_eq!(error(&evidence), ("bad-output", false, message));
    }
}

#[test]
fn bytes_that_are_no_verdict() {
    let not_utf8 = verdict(REJECT, &[Found { message: b"\xff\xfe".to_vec(), ..Found::default() }]);
    let severity = verdict(REJECT, &[Found { severity: 9, ..Found::default() }]);
    let variant = verdict(7, &[]);
    let result = [&[2], &verdict_bytes(PASS, 0, 0)[1..]].concat().into();
    let beyond = verdict_bytes(NOT_APPLICABLE, u32::MAX - 3, 8).into();
    let unaligned = verdict_bytes(REJECT, ANSWER + 17, 1).into();
    for bytes in [not_utf8, severity, variant, result, beyond, unaligned] {
        let evidence = beside(spec(&Guest::answering(bytes)));
        assert_eq!(error(&evidence).0, "bad-output", "{:?}", evidence.verdict);
    }
}

#[test]
fn text_that_means_harm() {
    let message = "\x1b[2Jred\r\u{202e}txt\u{0}".as_bytes().to_vec();
    let long = Found { message: vec![b'a'; 9_000], severity: ERROR, ..Found::at("a.md", 2) };
    let findings = [Found { message, ..Found::default() }, long];
    let evidence = beside(spec(&Guest::answering(verdict(REJECT, &findings))));
    let GuardVerdict::Reject(findings) = &evidence.verdict else { panic!("{:?}", evidence.verdict) };
    assert_eq!(findings[0].message, "\\u{1b}[2Jred\\u{d}\\u{202e}txt\\u{0}");
    assert_eq!(findings[1].message.len(), 2_000 + "…".len());
    assert_eq!((findings[1].path.as_deref(), findings[1].line), (Some("a.md"), Some(2)));

    let reason = b"no\x1b]0;x\x07";
    let word = verdict_bytes(NOT_APPLICABLE, ANSWER + 16, reason.len());
    let evidence = beside(spec(&Guest::answering([&word[..], reason].concat())));
    assert_eq!(
        evidence.verdict,
        GuardVerdict::NotApplicable(guardhost_core::change::Inapplicable::NothingHere(
            "no\\u{1b}]0;x\\u{7}".to_string()
        ))
    );

    let word = [1, ANSWER + 16, reason.len() as u32, 0].map(u32::to_le_bytes).concat();
    let evidence = beside(spec(&Guest::answering([&word[..], reason].concat())));
    assert_eq!(error(&evidence), ("guard-error", false, "no\\u{1b}]0;x\\u{7}"));
}
