//! SARIF of every report: what the standard requires, and stable fingerprints.

use guardhost_core::change::GuardVerdict;
use guardhost_display::{OutputFormat, render};
use guardhost_report::Report;
use serde_json::Value;

use super::LOOK;
use crate::integration::report::samples::{check::check, reports};

/// The schema of the parts that Guardhost writes, and what the text of the standard adds to it: rules are unique, results point
/// to their rule, regions are in order.
pub fn is_sarif(bytes: &[u8]) {
    let log: Value = serde_json::from_slice(bytes).unwrap();
    let schema: Value = serde_json::from_str(include_str!("sarif.schema.json")).unwrap();
    let errors: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new(), "{log:#}");
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
