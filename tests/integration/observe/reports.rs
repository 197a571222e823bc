//! Every format of every report.

use std::sync::Arc;

use guardhost_core::change::{
    Blob, Candidate, ChangeType, FileChange, FileMode, GuardVerdict, Judgement, Objects, Quotes, Severity,
};
use guardhost_display::{Appearance, OutputFormat, render, summary};
use guardhost_report::Report;
use serde_json::Value;

use super::samples::{FORMATS, LOOK, accepted, check, evidence, finding, oid, reports};
use crate::support::objects::MemoryObjects;

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
    let plain = render(&Report::Check(check()), OutputFormat::Human, &LOOK);
    let coloured = render(&Report::Check(check()), OutputFormat::Human, &Appearance { color: true, ..LOOK });
    assert_ne!(plain, coloured);
    assert_eq!(plain, anstream::adapter::strip_bytes(&coloured).into_vec());
    let ascii = render(&Report::Check(accepted()), OutputFormat::Human, &Appearance { unicode: false, ..LOOK });
    assert!(ascii.is_ascii(), "{}", String::from_utf8_lossy(&ascii));
}

/// The keys and their order are what scripts were written against.
#[test]
fn the_json_of_the_design() {
    let text = String::from_utf8(render(&Report::Check(check()), OutputFormat::Json, &LOOK)).unwrap();
    assert!(text.starts_with(r#"{"schema_version":1,"verdict":"reject","base":"aaaa"#), "{text}");
    let value: Value = serde_json::from_str(&text).unwrap();
    let guard: Vec<_> = value["guards"][1].as_object().unwrap().keys().take(10).cloned().collect();
    let wanted = ["id", "g", "version", "digest", "verdict", "reason", "micros", "fuel", "cached", "findings"];
    assert_eq!(guard, wanted);
    let finding: Vec<_> = value["guards"][1]["findings"][0].as_object().unwrap().keys().take(7).cloned().collect();
    assert_eq!(finding, ["rule", "severity", "path", "line", "end_line", "message", "help"]);
}

/// What the schema of SARIF 2.1.0 requires of the parts that we write.
pub fn is_sarif(bytes: &[u8]) {
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
        is_sarif(&render(&report, OutputFormat::Sarif, &LOOK));
    }
    let prints = |move_by: u32| -> Vec<Value> {
        let mut check = check();
        for evidence in &mut check.judgement.evidence {
            if let GuardVerdict::Reject(findings) = &mut evidence.verdict {
                findings.iter_mut().for_each(|finding| finding.line = finding.line.map(|line| line + move_by));
            }
        }
        check.quotes = Default::default();
        let log: Value = serde_json::from_slice(&render(&Report::Check(check), OutputFormat::Sarif, &LOOK)).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap().clone();
        results.into_iter().map(|result| result["partialFingerprints"].clone()).collect()
    };
    assert_eq!(prints(0), prints(7));
    let all = prints(0);
    assert!(all.iter().enumerate().all(|(at, print)| !all[..at].contains(print)));
}

/// The line of the candidate, or of the base when the file is deleted.
#[test]
fn quotations_come_from_the_side_that_a_finding_means() {
    let objects = MemoryObjects::default();
    let blob =
        |text: &[u8]| Blob { oid: objects.put_blob(text).unwrap(), mode: FileMode::File, size: text.len() as u64 };
    let (before, after) = (blob(b"one\ntwo\n"), blob(b"eins\r\nzw\xffei"));
    let file = |path: &str, before, after| FileChange {
        path: path.into(),
        old_path: None,
        change_type: ChangeType::Modify,
        before,
        after,
        lines_added: 0,
        lines_deleted: 0,
    };
    let candidate = Candidate {
        base: None,
        base_tree: oid(0),
        tree: oid(1),
        files: vec![file("changed", Some(before), Some(after)), file("gone", Some(before), None)],
        strategy: None,
        notes: Vec::new(),
        message: None,
        objects: Arc::new(objects),
    };
    let at = |path, line| finding("r", Severity::Error, Some((path, line, line)), "m");
    let findings = vec![at("changed", 1), at("changed", 2), at("changed", 9), at("gone", 2), at("elsewhere", 1)];
    let judgement = Judgement { evidence: vec![evidence("g", "", GuardVerdict::Reject(findings))] };
    let quotes = Quotes::take(&candidate, &judgement);
    assert_eq!(quotes.line("changed", 1), Some("eins"));
    assert_eq!(quotes.line("changed", 2), Some("zw\u{fffd}ei"));
    assert_eq!(quotes.line("gone", 2), Some("two"));
    assert_eq!((quotes.line("changed", 9), quotes.line("elsewhere", 1), quotes.line("gone", 1)), (None, None, None));
}
