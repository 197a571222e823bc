//! The benchmark `judging` on a small repository of our own: `tests/judging/corpus`. Every mistake that is planted
//! there is found by a guard that claims it, and no honest change (a folder of `tests/judging/honest` laid over it) is rejected.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use guardhost_core::change::{Candidate, GuardVerdict, Judgement, NullObserver, Task, Verdict};
use guardhost_engine::{GuardSet, JudgeContext, default_set, guard};

use crate::support::candidate::candidate;
use crate::support::judging::machine;
use crate::support::planted::{files, lay, plant};
use crate::support::random::Random;

/// Places that are drawn for each class.
const SEEDS: u64 = 12;

type Files = BTreeMap<String, Vec<u8>>;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judging").join(name)
}

fn read(folder: &Path, prefix: &str, files: &mut Files) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let inside = format!("{prefix}{}", path.file_name().expect("a name").to_string_lossy());
        match path.is_dir() {
            true => read(&path, &format!("{inside}/"), files),
            false => drop(files.insert(inside, fs::read(&path).expect("a file"))),
        }
    }
}

fn corpus() -> Files {
    let mut files = Files::new();
    read(&folder("corpus"), "", &mut files);
    files
}

fn change(before: &Files, after: &Files) -> Candidate {
    let borrowed =
        |files: &'static Files| files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect::<Vec<_>>();
    let leak = |files: &Files| borrowed(Box::leak(Box::new(files.clone())));
    candidate(&leak(before), &leak(after))
}

fn default() -> GuardSet {
    GuardSet::new(default_set(&guards::EMBEDDED, &[]).expect("the default set"), &machine()).expect("the default set")
}

/// These guards of the default set alone: they take a tenth of the time of all.
fn only(ids: &[&str]) -> GuardSet {
    let mut specs = default_set(&guards::EMBEDDED, &[]).expect("the default set");
    specs.retain(|spec| ids.contains(&spec.id.as_str()));
    assert_eq!(specs.len(), ids.len(), "{ids:?}");
    GuardSet::new(specs, &machine()).expect("guards of the default set")
}

fn judge(set: &GuardSet, change: &Candidate, task: Option<&Task>) -> Judgement {
    guard(change, set, &JudgeContext { task, observer: &NullObserver })
}

fn rejecting(judgement: &Judgement) -> Vec<&str> {
    let said_no = judgement.evidence.iter().filter(|evidence| matches!(evidence.verdict, GuardVerdict::Reject(_)));
    said_no.map(|evidence| evidence.id.as_str()).collect()
}

#[test]
fn every_planted_mistake_is_found_by_a_guard_that_claims_it() {
    let whole = change(&Files::new(), &corpus());
    for class in plant::CLASSES {
        let set = only(class.claimed);
        let mut planted = 0;
        for seed in 0..SEEDS {
            let tree = files::Files::new(whole.objects.clone(), whole.tree, Vec::new());
            let Some(mistake) = (class.plant)(&tree, &mut Random::new(seed)) else { continue };
            let Some(change) = lay::candidate(&whole, &mistake, false) else { continue };
            planted += 1;
            let judgement = judge(&set, &change, mistake.task.as_ref());
            let found = rejecting(&judgement);
            assert!(
                class.claimed.iter().any(|claim| found.contains(claim)),
                "{}, {} in {}: {} is found by {found:?}\n{}",
                class.name,
                mistake.kind,
                mistake.path,
                mistake.what,
                mistake.text
            );
        }
        assert!(planted > 0, "{}: there is no place for it", class.name);
    }
}

#[test]
fn no_honest_change_is_rejected() {
    let (set, before) = (default(), corpus());
    let mut changes: Vec<PathBuf> =
        fs::read_dir(folder("honest")).expect("changes").map(|entry| entry.expect("an entry").path()).collect();
    changes.sort();
    assert!(changes.len() >= 10, "{changes:?}");
    for honest in changes {
        let mut after = before.clone();
        read(&honest, "", &mut after);
        // An empty file stands for a deleted one.
        after.retain(|_, bytes| !bytes.is_empty());
        let judgement = judge(&set, &change(&before, &after), None);
        assert_eq!(judgement.verdict(), Verdict::Pass, "{}: {:?}", honest.display(), judgement.evidence);
    }
}
