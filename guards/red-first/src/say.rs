//! Findings of what was proved.

use guard_sdk::{Finding, Test, TestOutcome, TestReport};

use crate::Strictness;
use crate::fresh::Fresh;
use crate::parts::{Parts, Written};
use crate::proof::{Proof, Proofs};

/// Tests that are listed one by one, of each kind.
const MOST: usize = 20;
/// Of a failure's text, in bytes.
const DETAIL: usize = 700;

pub fn findings(proofs: &Proofs, strictness: Strictness) -> Vec<Finding> {
    let is_red = proofs.count(Proof::RED_FIRST) > 0;
    // Something that is not known may have been red.
    let rejects = strictness == Strictness::Reject && !is_red && proofs.count(Proof::NOT_KNOWN) == 0;
    let of_kind = |kind| {
        let found = proofs.with_kind(kind);
        most(found.filter_map(|(fresh, proof)| finding(fresh, proof, rejects, is_red, strictness)), kind)
    };
    Proof::KINDS.into_iter().flat_map(of_kind).collect()
}

/// Where no runner tells of any test of the change: the tests that it touches by their text.
pub fn untold(parts: &Parts, after: &[TestReport]) -> Vec<Finding> {
    let untold = parts.written.iter().filter(|test| test.is_touched).map(|test| {
        let why = broken(test, after).or_else(|| after.iter().find_map(why_none));
        let why = why.map(|why| format!(": {}", why.trim())).unwrap_or_default();
        let message =
            format!("whether {} fails without the change is not known: no runner tells of it{why}", test.name);
        Finding::info("not-known", message).at(&test.path, test.line)
    });
    most(untold, Proof::NOT_KNOWN)
}

/// What keeps the file of a test from being loaded.
fn broken<'r>(test: &Written, after: &'r [TestReport]) -> Option<&'r str> {
    let is_file = |seen: &&Test| seen.id == test.path || seen.path.as_deref() == Some(&*test.path);
    let mut broken = after.iter().flat_map(|report| &report.tests).filter(is_file);
    last_line(&broken.find(|seen| seen.outcome == TestOutcome::Errored)?.detail)
}

fn last_line(text: &str) -> Option<&str> {
    text.lines().rev().find(|line| !line.trim().is_empty())
}

/// Why no test of the change is known, not even by its text.
pub fn nothing_told(after: &[TestReport]) -> String {
    let has_tests = after.iter().any(|report| !report.tests.is_empty());
    match after.iter().find_map(why_none) {
        _ if after.is_empty() => "no project of the change has tests that the host knows how to run".to_owned(),
        Some(why) if !has_tests => format!("no runner tells of any test: {}", why.trim()),
        Some(_) | None => "no test is new or changed, as far as the runners tell".to_owned(),
    }
}

/// Why a report has no tests, as far as it says.
fn why_none(report: &TestReport) -> Option<&str> {
    match (&report.not_run, report.is_complete) {
        (Some(why), _) => Some(why),
        (None, false) => last_line(&report.output),
        (None, true) => None,
    }
}

/// As many findings of a kind as are listed.
fn most(findings: impl Iterator<Item = Finding>, kind: &str) -> Vec<Finding> {
    let mut findings: Vec<Finding> = findings.collect();
    let more = findings.len().saturating_sub(MOST);
    findings.truncate(MOST);
    if more > 0 {
        findings.push(Finding::info("more", format!("{more} more tests are {kind}")));
    }
    findings
}

fn finding(fresh: &Fresh, proof: &Proof, rejects: bool, is_red: bool, strictness: Strictness) -> Option<Finding> {
    let id = &fresh.test.id;
    let finding = match proof {
        Proof::RedFirst => return None,
        Proof::NeverRed => {
            let message = format!("{id} passes without the change too: it shows nothing of what the change does");
            match (rejects, is_red) {
                (true, _) => Finding::error("never-red", message),
                (false, true) => Finding::info("never-red", message),
                (false, false) => Finding::warning("never-red", message),
            }
            .help(
                "Write a test that fails on the code as it was before the change, and passes now; then run it on both.",
            )
        }
        Proof::StillRed => {
            let detail = &fresh.test.detail[..fresh.test.detail.floor_char_boundary(DETAIL)];
            let message = format!("{id} comes with the change and fails with it:\n{detail}");
            match strictness {
                Strictness::Reject => Finding::error("still-red", message.trim_end_matches([':', '\n'])),
                Strictness::Warn | Strictness::Ignore => {
                    Finding::warning("still-red", message.trim_end_matches([':', '\n']))
                }
            }
            .help("Fix the code so that this test passes.")
        }
        Proof::Unknown(why) => {
            Finding::info("not-known", format!("whether {id} fails without the change is not known: {why}"))
        }
    };
    Some(match (&fresh.test.path, fresh.written) {
        (_, Some(written)) => finding.at(&written.path, written.line),
        (Some(path), None) => finding.file(path),
        (None, None) => finding,
    })
}
