//! Findings of what was proved.

use guard_sdk::Finding;

use crate::Strictness;
use crate::fresh::Fresh;
use crate::proof::{Proof, Proofs};

/// Tests that are listed one by one, of each kind.
const MOST: usize = 20;
/// Of a failure's text, in bytes.
const DETAIL: usize = 700;

pub fn findings(proofs: &Proofs, strictness: Strictness) -> Vec<Finding> {
    let is_red = proofs.count("red-first") > 0;
    // Something that is not known may have been red.
    let rejects = strictness == Strictness::Reject && !is_red && proofs.count("not-known") == 0;
    let mut findings = Vec::new();
    for kind in Proof::KINDS {
        let found =
            proofs.with_kind(kind).filter_map(|(fresh, proof)| finding(fresh, proof, rejects, is_red, strictness));
        let mut found: Vec<Finding> = found.collect();
        let more = found.len().saturating_sub(MOST);
        found.truncate(MOST);
        findings.extend(found);
        if more > 0 {
            findings.push(Finding::info("more", format!("{more} more tests are {kind}")));
        }
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
