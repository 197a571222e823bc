//! Hostile answers: verdicts that break the contract, and text that attacks a terminal.

use guardhost_core::change::GuardVerdict;

use super::{beside, error, spec};
use crate::support::guest::{ANSWER, ERROR, Found, Guest, NOT_APPLICABLE, PASS, REJECT, WARNING, verdict};

#[test]
fn a_million_findings() {
    // As many as fit the guard's memory: 700,000 records of 80 bytes, all zero.
    let word = [0, u32::from(REJECT), 65_536, 700_000].map(u32::to_le_bytes).concat();
    let evidence = beside(spec(&Guest { pages: 900, ..Guest::answering(word) }));
    assert_eq!(error(&evidence), ("output-limit", false, "it said more than 4 MiB at once"));

    let word = [0, u32::from(REJECT), 65_536, 1_000_000].map(u32::to_le_bytes).concat();
    let evidence = beside(spec(&Guest { pages: 900, ..Guest::answering(word) }));
    assert_eq!(error(&evidence).0, "bad-output", "a list past the end of its memory");

    let word = [0, u32::from(REJECT), 65_536, 1_001].map(u32::to_le_bytes).concat();
    let evidence = beside(spec(&Guest { pages: 900, ..Guest::answering(word) }));
    assert_eq!(error(&evidence), ("output-limit", false, "it has 1001 findings; 1000 is the limit"));
}

#[test]
fn verdicts_that_break_the_contract() {
    let warning = Found { severity: WARNING, ..Found::default() };
    let at = |path, line, end_line| Found { path, line, end_line, ..Found::default() };
    let cases: Vec<(u8, Vec<Found>, &str)> = vec![
        (REJECT, vec![], "it rejects without a finding of severity `error`"),
        (REJECT, vec![warning], "it rejects without a finding of severity `error`"),
        (PASS, vec![Found::default()], "it passes with a finding of severity `error`"),
        (REJECT, vec![Found { rule: "A Rule", ..Found::default() }], "a finding's rule is \"A Rule\", not kebab-case"),
        (REJECT, vec![Found { message: b" \n".to_vec(), ..Found::default() }], "`a-rule` has no message"),
        (
            REJECT,
            vec![at(Some("nowhere"), None, None)],
            "`a-rule` names the path \"nowhere\", which is in neither tree",
        ),
        (REJECT, vec![at(Some("a.md"), Some(0), None)], "`a-rule` names line 0; lines count from 1"),
        (REJECT, vec![at(Some("a.md"), Some(3), Some(2))], "`a-rule` ends at line 2, before it begins at line 3"),
        (REJECT, vec![at(Some("a.md"), None, Some(2))], "`a-rule` has a last line without a first"),
        (REJECT, vec![at(None, Some(1), None)], "`a-rule` names a line without a path"),
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
    let result = [&[2], &verdict(PASS, &[])[1..]].concat();
    let beyond = [0, u32::from(NOT_APPLICABLE), u32::MAX - 3, 8].map(u32::to_le_bytes).concat();
    let unaligned = [0, u32::from(REJECT), ANSWER + 17, 1].map(u32::to_le_bytes).concat();
    for bytes in [not_utf8, severity, variant, result, beyond, unaligned] {
        let evidence = beside(spec(&Guest::answering(bytes)));
        assert_eq!(error(&evidence).0, "bad-output", "{:?}", evidence.verdict);
    }
}

#[test]
fn text_that_means_harm() {
    let message = "\x1b[2Jred\r\u{202e}txt\u{0}".as_bytes().to_vec();
    let long =
        Found { message: vec![b'a'; 9_000], path: Some("a.md"), line: Some(2), severity: ERROR, ..Found::default() };
    let findings = [Found { message, ..Found::default() }, long];
    let evidence = beside(spec(&Guest::answering(verdict(REJECT, &findings))));
    let GuardVerdict::Reject(findings) = &evidence.verdict else { panic!("{:?}", evidence.verdict) };
    assert_eq!(findings[0].message, "\\u{1b}[2Jred\\u{d}\\u{202e}txt\\u{0}");
    assert_eq!(findings[1].message.len(), 2_000 + "…".len());
    assert_eq!((findings[1].path.as_deref(), findings[1].line), (Some("a.md"), Some(2)));

    let reason = b"no\x1b]0;x\x07";
    let word = [0, u32::from(NOT_APPLICABLE), ANSWER + 16, reason.len() as u32].map(u32::to_le_bytes).concat();
    let evidence = beside(spec(&Guest::answering([&word[..], reason].concat())));
    assert_eq!(evidence.verdict, GuardVerdict::NotApplicable("no\\u{1b}]0;x\\u{7}".to_string()));

    let word = [1, ANSWER + 16, reason.len() as u32, 0].map(u32::to_le_bytes).concat();
    let evidence = beside(spec(&Guest::answering([&word[..], reason].concat())));
    assert_eq!(error(&evidence), ("guard-error", false, "no\\u{1b}]0;x\\u{7}"));
}
