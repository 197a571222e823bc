//! The source lines that findings quote.

use std::sync::Arc;

use guardhost_core::change::{
    Blob, Candidate, ChangeType, FileChange, FileMode, GuardVerdict, Judgement, Objects, Quotes, Severity,
};

use super::samples::check::{evidence, finding, oid};
use crate::support::objects::MemoryObjects;

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
    };
    let candidate = Candidate {
        base: None,
        base_tree: oid(0),
        tree: oid(1),
        files: vec![file("changed", Some(before), Some(after)), file("gone", Some(before), None)],
        strategy: None,
        notes: Vec::new(),
        message: None,
        commits: Vec::new(),
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
