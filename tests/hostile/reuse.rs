//! Kept verdicts: they hold only where a guard would be told the same again, and only if this user's host wrote them.

use std::fs;
use std::path::{Path, PathBuf};

use guardhost_core::change::{Candidate, Evidence, GuardVerdict, NullObserver, Task};
use guardhost_engine::{CachedVerdicts, EngineContext, GuardSet, GuardSpec, JudgeContext, Limits, VerdictCache, guard};
use tempfile::TempDir;

use super::host_calls::{guest, program};
use crate::support::candidate::candidate;
use crate::support::guest::{Guest, ID};
use crate::support::judging::{component, machine};
use crate::support::random::Random;

/// A place for the folder, which the host makes: it has to be one of this user alone.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("verdicts");
    (folder, place)
}

fn kept(folder: &Path) -> CachedVerdicts {
    CachedVerdicts { folder: folder.to_owned(), repository: PathBuf::from("/repository"), program: "one".to_owned() }
}

/// A set that keeps its verdicts there; None for one that calls every guard.
fn set(specs: Vec<GuardSpec>, verdicts: Option<CachedVerdicts>) -> GuardSet {
    let verdicts = verdicts.map(VerdictCache::OfUser);
    GuardSet::new(specs, &EngineContext { verdicts, threads: 1, ..machine() }).unwrap()
}

fn judged(set: &GuardSet, change: &Candidate, task: Option<&Task>) -> Vec<Evidence> {
    guard(change, set, &JudgeContext { task, observer: &NullObserver }).evidence
}

/// Everything that a report has of it, but for what tells where it comes from.
fn said(evidence: &Evidence) -> String {
    format!("{:?}", Evidence { micros: 0, cached: false, reused: false, ..evidence.clone() })
}

/// One of many trees with the same touched files: others stand there or not, and are of different length.
fn change(random: &mut Random) -> Candidate {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for path in ["package.json", "Cargo.toml", "src/x.txt", "letters.txt", "big.bin", "deep/return.py"] {
        let length = random.below(3);
        match (length, path) {
            (0, _) => {}
            (_, "package.json") => {
                files.push((path.into(), format!("{{\"name\": \"{}\"}}", "n".repeat(length)).into_bytes()));
            }
            (_, "Cargo.toml") => {
                files.push((path.into(), format!("[package]\nname = \"{}\"\n", "c".repeat(length)).into_bytes()));
            }
            _ => files.push((path.into(), "return\n".repeat(length).into_bytes())),
        }
    }
    let (mut before, mut after) = (files.clone(), files);
    before.push(("x.py".into(), b"def x():\n    return 1\n".to_vec()));
    after.push(("x.py".into(), b"def x():\n    return 2\n".to_vec()));
    let before: Vec<(&str, &[u8])> = before.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let after: Vec<(&str, &[u8])> = after.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    candidate(&before, &after)
}

#[test]
fn a_kept_verdict_is_what_a_call_would_say() {
    let (_temp, folder) = place();
    let grants = ["repo", "commits", "facts", "modules", "net", "history"].map(str::to_owned).to_vec();
    let spec = GuardSpec { grants, ..component(ID, guest().component()) };
    let (keeping, calling) = (set(vec![spec.clone()], Some(kept(&folder))), set(vec![spec], None));
    let (mut reused, mut called, mut again) = (0, 0, 0);
    for seed in 0..80 {
        let mut random = Random::new(seed);
        let task = Task { text: program(&mut random), ..Task::default() };
        for _ in 0..6 {
            let change = change(&mut random);
            let fresh = judged(&calling, &change, Some(&task)).remove(0);
            for time in 0..2 {
                let kept = judged(&keeping, &change, Some(&task)).remove(0);
                assert_eq!(said(&kept), said(&fresh), "seed {seed}, time {time}");
                match (kept.reused, time) {
                    (true, 0) => reused += 1,
                    (true, _) => again += 1,
                    (false, _) => called += 1,
                }
            }
        }
    }
    // In other trees, in the same one, and where something else was asked, or the guard failed.
    assert!(reused > 50 && again > 100 && called > 100, "{reused} {again} {called}");
}

const CHANGE: [(&str, &[u8]); 2] = [("a.md", b"# A\n\n[B](b.md)\n"), ("b.md", b"# B\n")];

fn links() -> GuardSpec {
    GuardSpec { grants: vec!["repo".to_owned(), "net".to_owned()], ..GuardSpec::builtin("links-resolve") }
}

#[test]
fn everything_that_decides_a_verdict_is_compared() {
    let (_temp, folder) = place();
    let before: [(&str, &[u8]); 2] = [("a.md", b"# A\n"), CHANGE[1]];
    let whole = candidate(&before, &CHANGE);
    let reused = |spec: GuardSpec, kept: CachedVerdicts, change: &Candidate, task: Option<&Task>| {
        let evidence = judged(&set(vec![spec], Some(kept)), change, task).remove(0);
        (evidence.reused, evidence.verdict.as_str())
    };
    assert_eq!(reused(links(), kept(&folder), &whole, None), (false, "pass"));
    assert_eq!(reused(links(), kept(&folder), &whole, None), (true, "pass"));
    // The same touched file in a tree without the file that it links to.
    let poorer = candidate(&before[..1], &CHANGE[..1]);
    assert_eq!(reused(links(), kept(&folder), &poorer, None), (false, "reject"));
    assert_eq!(reused(links(), kept(&folder), &poorer, None), (true, "reject"));
    assert_eq!(reused(links(), kept(&folder), &whole, None), (true, "pass"), "both are kept");
    let specs = [
        GuardSpec { limits: Limits { fuel: 77_000_000, ..Limits::default() }, ..links() },
        GuardSpec { grants: vec!["repo:*.md".to_owned(), "net".to_owned()], ..links() },
        GuardSpec { include: vec!["*.md".to_owned()], ..links() },
        GuardSpec { exclude: vec!["c/".to_owned()], ..links() },
    ];
    for spec in specs {
        assert_eq!(reused(spec.clone(), kept(&folder), &whole, None), (false, "pass"), "{spec:?}");
    }
    let elsewhere = CachedVerdicts { repository: PathBuf::from("/other"), ..kept(&folder) };
    assert_eq!(reused(links(), elsewhere, &whole, None), (false, "pass"), "in another repository");
    let rebuilt = CachedVerdicts { program: "two".to_owned(), ..kept(&folder) };
    assert_eq!(reused(links(), rebuilt, &whole, None), (false, "pass"), "by another program");
    let wrong = GuardSpec { expected_digest: Some("sha256:00".to_owned()), ..links() };
    assert_eq!(reused(wrong, kept(&folder), &whole, None), (false, "error"), "not the pinned guard");
    let scope = || GuardSpec::builtin("scope-kept");
    assert_eq!(reused(scope(), kept(&folder), &whole, None), (false, "not-applicable"));
    assert_eq!(reused(scope(), kept(&folder), &whole, None), (true, "not-applicable"));
    let task = Task { hints: vec!["c.md".into()], ..Task::default() };
    assert!(!reused(scope(), kept(&folder), &whole, Some(&task)).0, "for another task");
}

/// What decides is what a search comes to, and not the tree.
#[test]
fn a_search_that_finds_the_same_is_not_made_by_a_guard_again() {
    let (_temp, folder) = place();
    let spec = || GuardSpec { grants: vec!["repo".to_owned()], ..GuardSpec::builtin("definitions-kept") };
    let judged = |others: &[(&'static str, &'static [u8])]| {
        let touched = |text: &'static [u8]| [&[("x.py", text)], others].concat();
        let before = touched(b"def gone():\n    return 1\n\n\ndef kept():\n    return 2\n");
        let change = candidate(&before, &touched(b"def kept():\n    return 2\n"));
        let evidence = judged(&set(vec![spec()], Some(kept(&folder))), &change, None).remove(0);
        (evidence.reused, evidence.verdict.as_str())
    };
    let user: &[u8] = b"from x import gone\n\nprint(gone())\n";
    assert_eq!(judged(&[]), (false, "pass"));
    assert_eq!(judged(&[("notes.xyz", b"nothing of it\n")]), (true, "pass"));
    assert_eq!(judged(&[("y.py", user)]), (false, "reject"));
    assert_eq!(judged(&[("notes.xyz", b"nothing of it\n"), ("y.py", user)]), (true, "reject"));
    assert_eq!(
        judged(&[("y.py", b"from x import kept\n\nprint(kept())\n")]),
        (true, "pass"),
        "another text, without the word"
    );
}

#[test]
fn failures_and_secrets_are_not_kept() {
    let (_temp, folder) = place();
    let trap = Guest { check: "(unreachable)".to_owned(), ..Guest::default() };
    let secret = format!("token = \"ghp_{}\"\n", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let change = candidate(&[("a.py", b"x = 1\n")], &[("a.py", secret.as_bytes())]);
    let specs =
        vec![component(ID, trap.component()), GuardSpec::builtin("no-secrets"), GuardSpec::builtin("syntax-holds")];
    let set = set(specs, Some(kept(&folder)));
    judged(&set, &change, None);
    let evidence = judged(&set, &change, None);
    let told: Vec<_> = evidence.iter().map(|evidence| (evidence.reused, evidence.verdict.as_str())).collect();
    assert_eq!(told, [(false, "error"), (false, "reject"), (true, "pass")]);
    for file in fs::read_dir(&folder).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("ghp_"), "a secret in the cache");
    }
}

#[test]
fn what_others_wrote_is_ignored() {
    let (_temp, folder) = place();
    let change = candidate(&[("a.md", b"# A\n"), CHANGE[1]], &CHANGE);
    let set = set(vec![links()], Some(kept(&folder)));
    let entry = || {
        let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.file_name().is_some_and(|name| name != ".key")).collect::<Vec<_>>()
    };
    judged(&set, &change, None);
    let [file] = &entry()[..] else { panic!("one file a change: {:?}", entry()) };
    let sound = fs::read(file).unwrap();
    let text = String::from_utf8_lossy(&sound[32..]).into_owned();
    assert!(text.contains("\"Pass\""), "{text}");
    let turned = [&sound[..32], text.replace("\"Pass\"", "\"Reject\"").as_bytes()].concat();
    for altered in [turned, sound[..40].to_vec(), Vec::new(), vec![0xff; 4096], [&sound[..], b"{}\n{}\n"].concat()] {
        fs::write(file, &altered).unwrap();
        let evidence = judged(&set, &change, None).remove(0);
        assert_eq!((evidence.reused, matches!(evidence.verdict, GuardVerdict::Pass(_))), (false, true));
        assert!(judged(&set, &change, None).remove(0).reused, "and it is written anew");
    }
}
