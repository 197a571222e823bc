//! SARIF 2.1.0 of any scanner: its results, and the issues that they are.

use std::path::Path;

use guardhost_core::change::RepoPath;
use serde_json::Value;

use crate::fix::issue::{Detector, Issue, ListedState, TEXT, TITLE, fingerprint, line, repo_path};

/// One result of a scanner, or a finding of another detector.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScannerFinding {
    pub rule: String,
    pub path: Option<RepoPath>,
    /// From 1.
    pub line: Option<u32>,
    pub message: String,
    /// The scanner's own fingerprints: names and values, sorted.
    pub marks: Vec<(String, String)>,
    /// Why a person accepted it, if somebody did.
    pub suppressed: Option<String>,
    pub effort: Option<u32>,
}

/// The results of a scan that are findings. Paths below one of `roots` become relative.
///
/// # Errors
/// What is no SARIF 2.1.0, and a scan that did not end well: it says nothing of what it did not report.
pub fn sarif(bytes: &[u8], roots: &[&Path]) -> Result<Vec<ScannerFinding>, String> {
    let log: Value = serde_json::from_slice(bytes).map_err(|error| format!("no JSON: {error}"))?;
    if log["version"].as_str() != Some("2.1.0") {
        return Err(format!("the version of SARIF is {}; 2.1.0 is read", log["version"]));
    }
    let runs = log["runs"].as_array().filter(|runs| !runs.is_empty()).ok_or("there is no run in it")?;
    let mut found = Vec::new();
    for run in runs {
        let failed = |invocation: &Value| invocation["executionSuccessful"].as_bool() == Some(false);
        if run["invocations"].as_array().is_some_and(|all| all.iter().any(failed)) {
            return Err("the scanner says that it did not end well".into());
        }
        // Null stands for a scan that could not be made (§3.14.23 of the format).
        let results = run["results"].as_array().ok_or("a run has no results")?;
        found.extend(results.iter().filter_map(|result| finding(run, result, roots)));
    }
    Ok(found)
}

/// None for results that report no problem.
fn finding(run: &Value, result: &Value, roots: &[&Path]) -> Option<ScannerFinding> {
    if result["kind"].as_str().is_some_and(|kind| kind != "fail") || result["baselineState"] == "absent" {
        return None;
    }
    let location = &result["locations"][0]["physicalLocation"];
    let marks = ["fingerprints", "partialFingerprints"].iter().flat_map(|key| result[*key].as_object()).flatten();
    let mut marks: Vec<(String, String)> =
        marks.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect();
    marks.sort();
    let is_accepted =
        |suppression: &&Value| !matches!(suppression["status"].as_str(), Some("underReview" | "rejected"));
    let suppression = result["suppressions"].as_array().and_then(|all| all.iter().find(is_accepted));
    let number =
        |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0);
    Some(ScannerFinding {
        rule: rule(run, result),
        path: path(run, &location["artifactLocation"], roots),
        line: number(&location["region"]["startLine"]),
        message: message(run, result),
        marks,
        suppressed: suppression.map(|it| it["justification"].as_str().unwrap_or("suppressed in the source").to_owned()),
        effort: number(&result["properties"]["effort"]).filter(|effort| *effort <= 5),
    })
}

fn rule(run: &Value, result: &Value) -> String {
    let index = result["ruleIndex"].as_u64().or_else(|| result["rule"]["index"].as_u64());
    let named = result["ruleId"].as_str().or_else(|| result["rule"]["id"].as_str());
    let listed = || run["tool"]["driver"]["rules"][usize::try_from(index?).ok()?]["id"].as_str();
    named.or_else(listed).unwrap_or_default().to_owned()
}

/// The text, with the arguments of the message in their places.
fn message(run: &Value, result: &Value) -> String {
    let message = &result["message"];
    let by_id = || {
        let rules = run["tool"]["driver"]["rules"].as_array()?;
        let id = rule(run, result);
        rules.iter().find(|rule| rule["id"] == *id)?["messageStrings"][message["id"].as_str()?]["text"].as_str()
    };
    let text = message["text"].as_str().or_else(by_id).or_else(|| message["markdown"].as_str()).unwrap_or_default();
    let arguments = message["arguments"].as_array().into_iter().flatten().enumerate();
    arguments.fold(text.to_owned(), |text, (at, value)| {
        text.replace(&format!("{{{at}}}"), value.as_str().unwrap_or_default())
    })
}

fn path(run: &Value, location: &Value, roots: &[&Path]) -> Option<RepoPath> {
    let indexed = || run["artifacts"][usize::try_from(location["index"].as_u64()?).ok()?]["location"]["uri"].as_str();
    let uri = location["uri"].as_str().or_else(indexed)?;
    let base = location["uriBaseId"].as_str().and_then(|id| run["originalUriBaseIds"][id]["uri"].as_str());
    let whole = match base {
        Some(base) if !uri.contains("://") && !uri.starts_with('/') => format!("{}/{uri}", base.trim_end_matches('/')),
        _ => uri.to_owned(),
    };
    let text = decoded(whole.strip_prefix("file://").unwrap_or(&whole))?;
    if !text.starts_with('/') {
        return repo_path(&text);
    }
    let below = |root: &&Path| Path::new(&text).strip_prefix(root).ok()?.to_str().map(str::to_owned);
    match roots.iter().find_map(below) {
        Some(text) => repo_path(&text),
        // A folder of another machine stands before it: the part behind the base is what can be meant.
        None => base.and(decoded(uri)).filter(|uri| !uri.starts_with('/')).and_then(|uri| repo_path(&uri)),
    }
}

/// Percent signs of a URI.
fn decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = (*first == b'%').then(|| std::str::from_utf8(tail.get(..2)?).ok()).flatten();
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &tail[2..]),
            None => (bytes.push(*first), rest = tail),
        };
    }
    String::from_utf8(bytes).ok()
}

/// Each result that names a rule or a message is an issue; those that a person suppressed are ignored ones.
pub fn issues(bytes: &[u8], root: Option<&Path>) -> Result<Vec<Issue>, String> {
    let roots: Vec<&Path> = root.into_iter().collect();
    let found = sarif(bytes, &roots)?;
    // Of two results of one rule and message in one file, the second is another issue.
    let mut counted: Vec<(String, usize)> = Vec::new();
    let mut all = Vec::new();
    for finding in found {
        let place = finding.path.as_ref().map(ToString::to_string).unwrap_or_default();
        let key = fingerprint(&["sarif", &finding.rule, &place, &finding.message]);
        let at = match counted.iter_mut().find(|(known, _)| *known == key) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                counted.push((key.clone(), 0));
                0
            }
        };
        let standing = finding.suppressed.clone().map_or(ListedState::Open, |why| ListedState::Ignored(Some(why)));
        let title = match finding.rule.is_empty() {
            true => line(&finding.message, TITLE),
            false => line(&format!("{}: {}", finding.rule, finding.message), TITLE),
        };
        all.push(Issue {
            fingerprint: if at == 0 { key } else { fingerprint(&[&key, &at.to_string()]) },
            title,
            text: finding.message.chars().take(TEXT).collect(),
            rule: finding.rule,
            path: finding.path,
            line: finding.line,
            detector: Detector::Scanner,
            marks: finding.marks,
            effort: finding.effort,
            standing,
            ..Issue::default()
        });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn log(run: Value) -> Vec<u8> {
        json!({ "version": "2.1.0", "runs": [run] }).to_string().into_bytes()
    }

    #[test]
    fn results_name_files_of_the_repository_however_they_are_written() {
        let root = Path::new("/home/me/it");
        let at = |location: Value| {
            let result = json!({ "ruleId": "R", "message": { "text": "m" }, "locations": [{ "physicalLocation": { "artifactLocation": location } }] });
            let bases = json!({ "SRCROOT": { "uri": "file:///home/me/it/" }, "CI": { "uri": "file:///build/work" } });
            let run = json!({ "tool": { "driver": { "name": "t" } }, "originalUriBaseIds": bases,
                "artifacts": [{ "location": { "uri": "lib/x.py" } }], "results": [result] });
            sarif(&log(run), &[root]).unwrap().remove(0).path.map(|path| path.to_string())
        };
        for (location, expected) in [
            (json!({ "uri": "src/a%20b.py" }), Some("src/a b.py")),
            (json!({ "uri": "./src/x.py" }), Some("src/x.py")),
            (json!({ "uri": "file:///home/me/it/src/x.py" }), Some("src/x.py")),
            (json!({ "uri": "/home/me/it/src/x.py" }), Some("src/x.py")),
            (json!({ "uri": "src/x.py", "uriBaseId": "SRCROOT" }), Some("src/x.py")),
            (json!({ "uri": "src/x.py", "uriBaseId": "CI" }), Some("src/x.py")),
            (json!({ "index": 0 }), Some("lib/x.py")),
            (json!({ "uri": "file:///etc/passwd" }), None),
            (json!({ "uri": "../../etc/passwd" }), None),
            (json!({ "uri": "%2e%2e/x" }), None),
            (json!({}), None),
        ] {
            assert_eq!(at(location.clone()).as_deref(), expected, "{location}");
        }
    }

    #[test]
    fn a_scan_that_could_not_look_says_nothing() {
        for (run, why) in [
            (json!({ "results": null }), "no results"),
            (json!({ "results": [], "invocations": [{ "executionSuccessful": false }] }), "did not end well"),
        ] {
            assert!(sarif(&log(run), &[]).unwrap_err().contains(why), "{why}");
        }
        for bytes in [&b"{\"version\":\"2.1.0\",\"runs\":[]}"[..], b"{\"runs\":[]}", b"[]", b"error: no such file"] {
            assert!(sarif(bytes, &[]).is_err());
        }
        assert_eq!(sarif(&log(json!({ "results": [] })), &[]), Ok(vec![]));
    }

    #[test]
    fn results_become_issues_and_suppressed_ones_are_ignored() {
        let rules = json!([{ "id": "E1", "messageStrings": { "default": { "text": "'{0}' is unused" } } }]);
        let place =
            json!([{ "physicalLocation": { "artifactLocation": { "uri": "x.py" }, "region": { "startLine": 3 } } }]);
        let unused = json!({ "ruleIndex": 0, "message": { "id": "default", "arguments": ["os"] }, "locations": place, "partialFingerprints": { "p/v1": "ab" } });
        let mut accepted = unused.clone();
        accepted["suppressions"] = json!([{ "kind": "inSource", "justification": "needed" }]);
        let mut fine = unused.clone();
        fine["kind"] = json!("pass");
        let run = json!({ "tool": { "driver": { "name": "t", "rules": rules } }, "results": [unused, unused, accepted, fine] });
        let found = issues(&log(run), None).unwrap();
        assert_eq!(found.len(), 3);
        assert_eq!((found[0].title.as_str(), found[0].line), ("E1: 'os' is unused", Some(3)));
        assert_eq!(found[0].marks, [("p/v1".to_owned(), "ab".to_owned())]);
        assert_ne!(found[0].fingerprint, found[1].fingerprint);
        assert_eq!(found[2].standing, ListedState::Ignored(Some("needed".to_owned())));
    }
}
