//! Texts that are made to cost their reader much, and the folder in which readings are kept: damaged, foreign, and shared.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use guardhost_core::change::{Candidate, Evidence, NullObserver};
use guardhost_engine::{EngineContext, GuardSet, GuardSpec, JudgeContext, guard};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::candidate::candidate;
use crate::support::cli::command;
use crate::support::judging::machine;
use crate::support::repo::TestRepo;

const SOUND: &[u8] = b"def present():\n    pass\n";
const OLD: &[u8] = b"x = 1\n";
const NEW: &[u8] = b"from lib import missing\nx = 1\n";

/// A change that takes a name out of this `lib.py`.
fn taking_from(lib: &[u8]) -> Candidate {
    candidate(&[("lib.py", lib), ("app.py", OLD)], &[("lib.py", lib), ("app.py", NEW)])
}

fn judged(change: &Candidate, folder: Option<&Path>) -> Evidence {
    let machine = EngineContext { modules_dir: folder.map(Path::to_owned), ..machine() };
    let grants = ["repo", "facts", "modules"].map(str::to_owned).to_vec();
    let set = GuardSet::new(vec![GuardSpec { grants, ..GuardSpec::builtin("imports-resolve") }], &machine).unwrap();
    guard(change, &set, &JudgeContext { task: None, observer: &NullObserver }).evidence.remove(0)
}

fn rules(evidence: &Evidence) -> Vec<&str> {
    evidence.verdict.findings().iter().map(|finding| finding.rule.as_str()).collect()
}

/// Entries with their bytes and inodes, by name.
fn entries(folder: &Path) -> BTreeMap<String, (Vec<u8>, u64)> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let entry = |file: fs::DirEntry| {
        let (name, inode) = (file.file_name().into_string().unwrap(), file.metadata().unwrap().ino());
        (name, (fs::read(file.path()).unwrap(), inode))
    };
    files.map(entry).filter(|(name, _)| !name.starts_with('.')).collect()
}

/// A place for the folder, which the host makes: it has to be one of this user alone.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("modules");
    (folder, place)
}

#[test]
fn a_text_that_cannot_be_read_says_nothing() {
    assert_eq!(rules(&judged(&taking_from(SOUND), None)), ["name-missing"]);
    let names = (0..60_000).map(|number| format!("n{number}")).collect::<Vec<_>>().join(",");
    let hostile: [(&str, Vec<u8>); 6] = [
        ("longer than what is read", [SOUND, "# x\n".repeat(1_050_000).as_bytes()].concat()),
        ("deep", [SOUND, b"x = ", "(".repeat(50_000).as_bytes(), ")".repeat(50_000).as_bytes()].concat()),
        ("a long chain", [SOUND, b"x = 1", "+1".repeat(200_000).as_bytes()].concat()),
        // Every name would come with its module's.
        ("more memory than it may have", format!("from {} import {names}\n", "m".repeat(200_000)).into_bytes()),
        ("no text", [SOUND, &[0xff, 0xfe, 0xfd]].concat()),
        ("no Python", b"def (\n".to_vec()),
    ];
    for (what, lib) in hostile {
        let found = judged(&taking_from(&lib), None);
        // A chain is read, whatever it takes; the others say nothing.
        let expected: &[&str] = if what == "a long chain" { &["name-missing"] } else { &[] };
        assert_eq!(rules(&found), expected, "{what}: {:?}", found.verdict);
        let itself = judged(&candidate(&[("lib.py", SOUND)], &[("lib.py", &lib)]), None).verdict;
        assert!(itself.findings().is_empty() && itself.as_str() != "error", "{what}: {itself:?}");
    }
}

/// What one call may ask for is bounded, and a guard that reaches the bound says so.
#[test]
fn a_change_that_asks_for_more_than_one_call_may_is_not_judged() {
    let large: Vec<(String, String)> = (0..24)
        .map(|number| (format!("m{number}.py"), format!("a{number} = [b, c(d), e.f]\n").repeat(25_000)))
        .collect();
    let imports: String = (0..24).map(|number| format!("from m{number} import missing\n")).collect();
    let files: Vec<(&str, &[u8])> = large.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let side = |app| [files.clone(), vec![("app.py", app)]].concat();
    let change = candidate(&side(OLD), &side(imports.as_bytes()));
    let found = judged(&change, None);
    let rules = rules(&found);
    assert_eq!(rules.last(), Some(&"not-judged"), "{rules:?}");
    assert!(rules.len() > 1 && rules.len() < 24, "{rules:?}");
}

#[test]
fn a_text_is_read_once() {
    let (_temp, folder) = place();
    let first = judged(&taking_from(SOUND), Some(&folder));
    let kept = entries(&folder);
    assert_eq!(kept.len(), 3, "both sides of the one, and the other: {:?}", kept.keys());
    let second = judged(&taking_from(SOUND), Some(&folder));
    assert_eq!((&first.verdict, first.fuel), (&second.verdict, second.fuel));
    assert_eq!(entries(&folder), kept, "nothing was written again");
    // The same text at another place is the same text.
    let moved = candidate(&[("a/lib.py", SOUND), ("a/app.py", OLD)], &[("a/lib.py", SOUND), ("a/app.py", NEW)]);
    assert_eq!(rules(&judged(&moved, Some(&folder))), ["name-missing"]);
    assert_eq!(entries(&folder), kept);
}

/// Whatever is wanted of the files that a change touches, by whichever guard, each text is read once.
#[test]
fn guards_share_the_reading_of_a_text() {
    let (_temp, folder) = place();
    let ids = ["syntax-holds", "definitions-kept", "no-skipped-tests", "imports-resolve", "calls-match-signatures"];
    let specs = ids.map(|id| {
        let grants = guards::builtin().iter().find(|guard| guard.id == id).expect("the guard").grants;
        GuardSpec { grants: grants.iter().map(|grant| (*grant).to_owned()).collect(), ..GuardSpec::builtin(id) }
    });
    let machine = EngineContext { modules_dir: Some(folder.clone()), ..machine() };
    let before: &[u8] =
        b"import os\n\n\ndef first(a):\n    return os.name + a\n\n\ndef second():\n    return first(1)\n";
    let after: &[u8] = b"import os\nimport sys\n\n\ndef first(a):\n    return os.name + sys.platform + a\n";
    let judge = || {
        let set = GuardSet::new(specs.to_vec(), &machine).unwrap();
        let change = candidate(&[("pkg.py", before)], &[("pkg.py", after)]);
        guard(&change, &set, &JudgeContext { task: None, observer: &NullObserver }).evidence
    };
    let first = judge();
    assert!(first.iter().all(|evidence| evidence.verdict.as_str() != "error"), "{first:?}");
    let kept = entries(&folder);
    assert_eq!(kept.len(), 2, "one reading of each side: {:?}", kept.keys());
    let second = judge();
    let said = |all: &[Evidence]| all.iter().map(|one| (one.verdict.clone(), one.fuel)).collect::<Vec<_>>();
    assert_eq!(said(&first), said(&second), "the fuel of a guard does not depend on what is kept");
    assert_eq!(entries(&folder), kept);
}

/// A text that makes a component fail at one question is read again for each of the others: what is broken stays a rejection.
#[test]
fn a_failure_at_one_question_hides_no_other_answer() {
    let names = (0..60_000).map(|number| format!("n{number}")).collect::<Vec<_>>().join(",");
    let hostile = format!("from {} import {names}\n", "m".repeat(200_000));
    let set = GuardSet::new(vec![GuardSpec::builtin("syntax-holds")], &machine()).unwrap();
    let judged = |text: &str| {
        let change = candidate(&[("lib.py", SOUND)], &[("lib.py", text.as_bytes())]);
        guard(&change, &set, &JudgeContext { task: None, observer: &NullObserver }).evidence.remove(0)
    };
    assert_eq!(rules(&judged(&hostile)), [""; 0]);
    assert_eq!(rules(&judged(&format!("{hostile}def (\n"))), ["python-syntax"]);
}

#[test]
fn an_entry_that_is_damaged_or_of_another_text_is_read_again() {
    let (_temp, folder) = place();
    let first = judged(&taking_from(SOUND), Some(&folder));
    let kept = entries(&folder);
    let contents = || entries(&folder).into_values().map(|(bytes, _)| bytes).collect::<Vec<_>>();
    let sound = contents();
    assert_eq!(sound.len(), 3);
    let others: Vec<Vec<u8>> = sound.iter().rev().cloned().collect();
    let lie = br#"{"answer":{"Surface":{"imports":[],"offered":{"names":["missing"],"all_of":[],"is_open":true,"moves_path":false}}},"fuel":1}"#;
    type Damage<'d> = &'d dyn Fn(usize, &[u8]) -> Vec<u8>;
    let damages: [(&str, Damage); 5] = [
        ("cut", &|_, bytes| bytes[..bytes.len() / 2].to_vec()),
        ("empty", &|_, _| Vec::new()),
        ("one bit", &|_, bytes| [&bytes[..bytes.len() - 1], &[bytes[bytes.len() - 1] ^ 1]].concat()),
        ("another text's", &|index, _| others[index].clone()),
        ("a lie under the old tag", &|_, bytes| [&bytes[..32], lie.as_slice()].concat()),
    ];
    for (what, damage) in damages {
        for (index, (name, (bytes, _))) in kept.iter().enumerate() {
            fs::write(folder.join(name), damage(index, bytes)).unwrap();
        }
        assert_eq!(judged(&taking_from(SOUND), Some(&folder)).verdict, first.verdict, "{what}");
        assert_eq!(contents(), sound, "{what}: the entries are repaired");
    }
    // Without a folder, texts are read at every run.
    let file = folder.join("in the way");
    fs::write(&file, "").unwrap();
    assert_eq!(judged(&taking_from(SOUND), Some(&file)).verdict, first.verdict);
}

#[test]
fn processes_share_the_folder() {
    let repo = TestRepo::with(&[("lib.py", "def present():\n    pass\n"), ("app.py", "x = 1\n")]);
    repo.write("app.py", "from lib import missing\nx = 1\n");
    repo.stage_all();
    let cache = tempfile::tempdir().unwrap();
    let home = cache.path().to_str().unwrap();
    let check = || {
        let args = ["check", "--staged", "--format", "json", "--guard", "imports-resolve"];
        command(repo.path(), &args, &[("XDG_CACHE_HOME", home)]).spawn().unwrap()
    };
    for _ in 0..2 {
        let children: Vec<_> = (0..4).map(|_| check()).collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            let json: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(json["guards"][0]["findings"][0]["rule"], "name-missing", "{json}");
        }
    }
    assert!(entries(&cache.path().join("guardhost/modules")).len() >= 2);
}

/// The folder belongs to all repositories of a user, and git reads objects without hashing them.
#[test]
fn an_object_with_other_content_than_its_id_says_is_not_read() {
    let (_temp, folder) = place();
    let repo = TestRepo::with(&[("lib.py", std::str::from_utf8(SOUND).unwrap()), ("app.py", "x = 1\n")]);
    repo.write("app.py", NEW);
    repo.stage_all();
    // The object of another text, under this one's id.
    let oid = repo.git(&["rev-parse", "HEAD:lib.py"]);
    let other = repo.path().join("other.py");
    fs::write(&other, "from everything import *\n").unwrap();
    let wrong = repo.git(&["hash-object", "-w", other.to_str().unwrap()]);
    let loose = |oid: &str| repo.path().join(".git/objects").join(&oid.trim()[..2]).join(&oid.trim()[2..]);
    fs::remove_file(loose(&oid)).unwrap();
    fs::copy(loose(&wrong), loose(&oid)).unwrap();
    let home = folder.to_str().unwrap();
    let check = |repo: &TestRepo| -> Value {
        let arguments = ["check", "--staged", "--guard", "imports-resolve", "--format", "json"];
        let ran = command(repo.path(), &arguments, &[("XDG_CACHE_HOME", home)]).output().unwrap();
        serde_json::from_slice(&ran.stdout).unwrap()
    };
    let said = check(&repo);
    assert!(said.to_string().contains("does not match its id"), "{said}");
    // Elsewhere the id has its own content.
    let sound = TestRepo::with(&[("lib.py", std::str::from_utf8(SOUND).unwrap()), ("app.py", "x = 1\n")]);
    sound.write("app.py", NEW);
    sound.stage_all();
    let said = check(&sound);
    assert_eq!(said["guards"][0]["findings"][0]["rule"], "name-missing", "{said}");
}
