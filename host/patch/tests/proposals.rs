//! From a reply to the files that it makes: in each case the files `before`, a `reply`, `hints` (the paths of the task, if any),
//! and the `outcome`: how it was placed, with the files `after`, or why it was not. `GUARD_TEST_UPDATE=1` writes the outcome anew.

use std::path::Path;

use guard_cases::Case;
use guardhost_core::change::{FileMode, Objects, RepoPath, RoundFailure, Tree, TreeEntry};
use guardhost_core::stop::StopToken;
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::{ProposalStop, propose};
use guardhost_patch::sanitize::Rules;

use crate::support::stored::Stored;
use crate::support::text::reply;

#[test]
fn proposals() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/proposals");
    let folder = tempfile::tempdir().unwrap();
    git2::Repository::init_bare(folder.path()).unwrap();
    let objects = Stored::over(folder.path()).unwrap();
    let found = guard_cases::find(&root, &["before", "after", "reply"]).unwrap();
    assert!(found.len() >= 60, "only {} cases", found.len());
    let mut failures = Vec::new();
    for location in found {
        let (name, case) = (location.name, Case::read(&location.path).unwrap());
        let tree = |side: &str| {
            let entry = |bytes: &[u8]| TreeEntry { oid: objects.put_blob(bytes).unwrap(), mode: FileMode::File };
            let files =
                case.below(side).map(|(path, file)| (RepoPath::from(path.to_str().unwrap()), entry(&file.bytes)));
            Tree { objects: objects.clone(), oid: objects.tree(&files.collect::<Vec<_>>()).unwrap() }
        };
        let hints: Vec<RepoPath> =
            case.text("hints").unwrap().unwrap_or_default().lines().map(RepoPath::from).collect();
        let bytes = case.file("reply").unwrap_or_else(|| panic!("{name} has no reply")).bytes.clone();
        let base = ApplyBase::new(None, tree("before"));
        let outcome = match propose(&reply(bytes), &hints, &base, &Rules::default(), &mut (), &StopToken::default()) {
            Ok(candidate) => {
                if candidate.tree != tree("after").oid {
                    failures.push(format!("{name}: the files differ from after/"));
                }
                let notes: String = candidate.notes.iter().map(|note| format!("note: {note}\n")).collect();
                format!("placed: {}\n{notes}", serde_json::to_string(&candidate.strategy).unwrap())
            }
            Err(ProposalStop::Failure(failure)) => {
                if case.below("after").next().is_some() {
                    failures.push(format!("{name}: it was not placed"));
                }
                match *failure {
                    RoundFailure::NoPatch(none) => format!("no patch, {:?}: {none}\n", none.kind),
                    RoundFailure::Refused(refused) => format!("refused, {:?}: {refused}\n", refused.kind),
                    RoundFailure::Misfit(misfit) => {
                        let codes: Vec<&str> = misfit.at.iter().map(|at| at.code).collect();
                        format!("misfit [{}]: {misfit}\n", codes.join(", "))
                    }
                    RoundFailure::Rejected(_) => panic!("{name}: there are no guards here"),
                }
            }
            Err(ProposalStop::Ended(stopped)) => panic!("{name}: {stopped}"),
            Err(ProposalStop::Error(error)) => panic!("{name}: {error:#}"),
        };
        if !case.holds("outcome", &outcome).unwrap() {
            let before = case.text("outcome").unwrap().unwrap_or_default();
            let changes = similar::TextDiff::from_lines(before, &outcome).unified_diff().to_string();
            failures.push(format!("{name}: the outcome is now\n{changes}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
