//! Hostile text in every field that comes from outside.

use guardhost_core::change::RunOutcome;
use guardhost_core::change::{
    ChangeType, Edit, Failed, Fix, GuardVerdict, Inapplicable, Judgement, Note, Refused, RefusedKind, Severity, Touched,
};
use guardhost_display::{OutputFormat, render, summary};
use guardhost_report::{CheckReport, FailedProvider, Report, RoundReport, RunReport};
use proptest::prelude::*;
use serde_json::Value;

use super::for_tools::is_code_quality;
use super::sarif::is_sarif;
use super::{FORMATS, LOOK};
use crate::integration::report::samples::check::{evidence, finding};

/// A report with `text` in every field that comes from outside.
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
    let broken = GuardVerdict::Error { code: "trap", message: text.to_owned(), failed: Failed::Load };
    let evidence = vec![
        guard,
        evidence("broken", text, broken),
        evidence("left-out", text, GuardVerdict::NotApplicable(Inapplicable::NothingHere(text.to_owned()))),
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
        failed: vec![FailedProvider { provider: text.to_owned(), reason: text.to_owned() }],
        notes: vec![Note::new("note", text)],
        touched: vec![touched],
        failure: Some(refusal),
        feedback: Some(text.to_owned()),
        kept: Some(text.to_owned()),
        ..RoundReport::default()
    };
    let judged = RoundReport { check: Some(check), ..round.clone() };
    Report::Run(Box::new(RunReport {
        run: text.to_owned(),
        task: text.to_owned(),
        outcome: RunOutcome::Rejected,
        rounds: vec![round, judged],
        cycle: vec![text.to_owned()],
        diff: Some(format!("@@\n {text}\n+{text}\n")),
        trace: Some(text.into()),
        notices: vec![text.to_owned()],
        ..RunReport::default()
    }))
}

/// No control character reaches a terminal, a GitHub runner finds only the host's commands, and every format is well-formed.
pub fn is_harmless(report: &Report) {
    let control = |c: char| matches!(c, '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut all: Vec<(String, String)> = FORMATS
        .iter()
        .map(|format| (format!("{format:?}"), String::from_utf8(render(report, *format, &LOOK)).unwrap()))
        .collect();
    all.push(("summary".to_owned(), summary(report)));
    for (format, text) in &all {
        assert!(!text.chars().any(control), "{format}: {text:?}");
        match format.as_str() {
            "Json" => drop(serde_json::from_str::<Value>(text).unwrap()),
            "Sarif" => is_sarif(text.as_bytes()),
            "Gitlab" => is_code_quality(text.as_bytes()),
            "Rdjson" => drop(serde_json::from_str::<Value>(text).unwrap()),
            "Rdjsonl" | "AgentTrace" => {
                text.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).unwrap()))
            }
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
                    assert!(properties.matches(':').count() == 0 && properties.matches(',').count() <= 5, "{line:?}");
                }
            }
            _ => {
                assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{format}: {text}");
            }
        }
        assert!(!text.contains("##["), "{format}: {text}");
    }
}

#[test]
fn hostile_text_is_neutralised() {
    let texts = [
        "\x1b[2J\x1b]0;title\x07 \u{9b}31m \u{202e}txt.exe\u{2066} \r\x08\0",
        "x\n::error::y\r\n::stop-commands::z\n##[add-mask]q\n  ::set-env name=a::b",
        "a:b,c%0A::error file=x::y",
        "::error::x",
        "</failure><error>&amp;]]> \u{fffe} | `x` <img src=x> [a](b) *c*",
        "",
    ];
    texts.iter().for_each(|text| is_harmless(&hostile(text)));
}

#[test]
fn a_message_of_a_hundred_thousand_characters() {
    let report = hostile(&"é<&\n".repeat(25_000));
    is_harmless(&report);
    let human = render(&report, OutputFormat::Human, &LOOK);
    assert!(human.len() < 60_000, "{}", human.len());
    let json: Value = serde_json::from_slice(&render(&report, OutputFormat::Json, &LOOK)).unwrap();
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
