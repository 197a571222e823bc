//! Code under judgement that attacks its judge, while `no-test-regressions` runs its tests: in every sandbox that this machine has.

mod folders;
mod kernel;
mod limits;
mod links;
mod processes;
mod reports;

use crate::support::cli::Ran;
use crate::support::toolchain::said;

/// The change was rejected, and some finding holds each of these words.
#[track_caller]
fn is_rejected(ran: &Ran, what: &str, words: &[&str]) {
    let (verdict, findings) = said(ran, "no-test-regressions");
    assert_eq!(verdict, "reject", "{what}: {findings:#?}");
    for word in words {
        assert!(findings.iter().any(|finding| finding.contains(word)), "{what}: no `{word}` in {findings:#?}");
    }
}
