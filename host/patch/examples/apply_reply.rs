//! Shows what a model's reply would make of a repository, as a diff, and writes nothing to the work tree:
//!
//! ```console
//! $ cargo run -p guardhost-patch --example apply_reply -- path/to/repository < reply.md
//! ```
//!
//! The reply may be whatever a model sends: prose around a diff, blocks of search and replace, whole files. Where it does not fit, the
//! message says what a model would have to send instead. This is all that placing needs; guards judge the result elsewhere, as the
//! example in the documentation of `host/gate` does.

use std::io::{Read as _, Write as _};
use std::path::Path;

use guardhost_core::change::{Reply, RoundFailure, Tree};
use guardhost_core::error::Result;
use guardhost_core::stop::StopToken;
use guardhost_git::{Repo, diff_text};
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::propose;
use guardhost_patch::sanitize::Rules;

/// The change as a diff, or why there is none.
type DiffOrReason = std::result::Result<Vec<u8>, String>;

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let mut reply = Vec::new();
    std::io::stdin().read_to_end(&mut reply)?;
    match apply_reply(Path::new(&folder), reply)? {
        Ok(diff) => Ok(std::io::stdout().write_all(&diff)?),
        Err(reason) => {
            eprintln!("not applied: {reason}");
            std::process::exit(1);
        }
    }
}

fn apply_reply(folder: &Path, bytes: Vec<u8>) -> Result<DiffOrReason> {
    let repo = Repo::open(folder)?;
    let head = repo.head()?;
    let base = ApplyBase::new(head.commit, Tree { objects: repo.store(), oid: head.tree });
    let reply = Reply { bytes, ..Reply::default() };
    // A reply that fits nowhere, or at two places, is an answer; a repository that cannot be read is an error.
    match propose(&reply, &[], &base, &Rules::default(), &mut (), &StopToken::default()) {
        Ok(candidate) => Ok(Ok(diff_text(&repo, head.tree, candidate.tree)?)),
        Err(stop) => Ok(Err(match stop.into_failure()? {
            RoundFailure::NoPatch(none) => none.to_string(),
            RoundFailure::Refused(refused) => refused.to_string(),
            RoundFailure::Misfit(misfit) => misfit.to_string(),
            RoundFailure::Rejected(_) => unreachable!("no guard was asked"),
        })),
    }
}

#[test]
fn a_reply_becomes_a_diff_or_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let repo = git2::Repository::init(folder.path()).expect("a repository");
    let blob = repo.blob(b"def greet():\n    return 'hi'\n").expect("a blob");
    let mut entries = repo.treebuilder(None).expect("a builder");
    entries.insert("greeting.py", blob, 0o100644).expect("an entry");
    let tree = repo.find_tree(entries.write().expect("a tree")).expect("a tree");
    let author = git2::Signature::now("a", "a@b").expect("a signature");
    repo.commit(Some("HEAD"), &author, &author, "first", &tree, &[]).expect("a commit");

    let block = |old: &str| {
        format!(
            "Like this:\n\ngreeting.py\n```python\n<<<<<<< SEARCH\n    return '{old}'\n=======\n    return 'hello'\n>>>>>>> REPLACE\n```\n"
        )
    };
    let diff = apply_reply(folder.path(), block("hi").into()).expect("an answer").expect("it fits");
    let diff = String::from_utf8(diff).expect("text");
    assert!(diff.contains("-    return 'hi'\n+    return 'hello'\n"), "{diff}");
    let reason = apply_reply(folder.path(), block("hey").into()).expect("an answer").expect_err("no such line");
    assert!(reason.starts_with("greeting.py, hunk 1: "), "{reason}");
    assert!(!folder.path().join("greeting.py").exists(), "the work tree is not written");
}
