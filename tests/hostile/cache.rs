//! Cache entries that were tampered with: the guard is compiled again, and the entry is never run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use guardhost_core::change::Evidence;
use guardhost_engine::{EngineContext, GuardSet, JudgeContext, guard};

use super::{change, spec};
use crate::support::cli::host_with;
use crate::support::guest::{Found, Guest, REJECT, verdict};
use crate::support::judging::machine;
use crate::support::observers::RecordingObserver;
use crate::support::repo::TestRepo;

fn judged(guest: &Guest, cache: &Path) -> (Evidence, Vec<String>) {
    let machine = EngineContext { cache_dir: Some(cache.to_path_buf()), ..machine() };
    let set = GuardSet::new(vec![spec(guest)], &machine).unwrap();
    let events = RecordingObserver::default();
    let mut judgement = guard(&change(), &set, &JudgeContext { task: None, observer: &events });
    (judgement.evidence.remove(0), events.notices())
}

fn entries(cache: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.')).collect()
}

#[test]
fn kept_and_found_again() {
    let home = tempfile::tempdir().unwrap();
    let cache = home.path().join("deep/cache");
    let (first, notices) = judged(&Guest::default(), &cache);
    assert_eq!((first.verdict.as_str(), first.cached, notices), ("pass", false, vec![]));
    assert_eq!(entries(&cache).len(), 1);
    assert_eq!(fs::metadata(&cache).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(fs::metadata(cache.join(".key")).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(judged(&Guest::default(), &cache).0.cached);
}

#[test]
fn touched_entries() {
    let home = tempfile::tempdir().unwrap();
    let cache = &home.path().join("cache");
    judged(&Guest::default(), cache);
    let entry = entries(cache).remove(0);
    let good = fs::read(&entry).unwrap();

    // Code of a guard that rejects, as this very host compiled it, under the name of one that passes.
    let rejecting = Guest::answering(verdict(REJECT, &[Found::default()]));
    assert_eq!(judged(&rejecting, cache).0.verdict.as_str(), "reject");
    let foreign = entries(cache).into_iter().find(|path| *path != entry).map(|path| fs::read(path).unwrap()).unwrap();

    let mut flipped = good.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for bad in [flipped, good[..good.len() - 1].to_vec(), good[..20].to_vec(), Vec::new(), foreign] {
        fs::write(&entry, &bad).unwrap();
        let (evidence, _) = judged(&Guest::default(), cache);
        assert_eq!((evidence.verdict.as_str(), evidence.cached), ("pass", false));
        assert_eq!(fs::read(&entry).unwrap(), good, "it is repaired");
    }

    // Another key: the cache of another machine.
    fs::write(cache.join(".key"), [7; 32]).unwrap();
    assert!(!judged(&Guest::default(), cache).0.cached);
}

/// An entry that was hashed once is not hashed again, unless its file was written since: its times tell.
#[test]
fn an_entry_that_was_written_after_it_was_hashed() {
    let home = tempfile::tempdir().unwrap();
    let cache = &home.path().join("cache");
    judged(&Guest::default(), cache);
    let entry = entries(cache).remove(0);
    // Times of files that were changed just now are not trusted.
    std::thread::sleep(Duration::from_millis(2200));
    assert!(judged(&Guest::default(), cache).0.cached);
    let verified = fs::read(cache.join(".verified")).unwrap();
    assert!(judged(&Guest::default(), cache).0.cached);
    assert_eq!(fs::read(cache.join(".verified")).unwrap(), verified, "nothing was hashed");

    let (good, written) = (fs::read(&entry).unwrap(), fs::metadata(&entry).unwrap().modified().unwrap());
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    fs::write(&entry, flipped).unwrap();
    fs::File::options().write(true).open(&entry).unwrap().set_modified(written).unwrap();
    let (evidence, _) = judged(&Guest::default(), cache);
    assert_eq!((evidence.verdict.as_str(), evidence.cached), ("pass", false));
    assert_eq!(fs::read(&entry).unwrap(), good, "it is repaired");

    // Entries that another key vouches for.
    let mut forged = verified;
    forged[0] ^= 1;
    fs::write(cache.join(".verified"), forged).unwrap();
    assert!(judged(&Guest::default(), cache).0.cached);
}

#[test]
fn folders_and_keys_of_others() {
    let home = tempfile::tempdir().unwrap();
    let cache = home.path().join("cache");
    fs::create_dir(&cache).unwrap();
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o770)).unwrap();
    let (evidence, notices) = judged(&Guest::default(), &cache);
    assert_eq!((evidence.verdict.as_str(), evidence.cached), ("pass", false));
    assert!(notices[0].contains("is not a directory of this user alone"), "{notices:?}");
    assert_eq!(entries(&cache), Vec::<PathBuf>::new());

    fs::set_permissions(&cache, fs::Permissions::from_mode(0o700)).unwrap();
    judged(&Guest::default(), &cache);
    fs::set_permissions(cache.join(".key"), fs::Permissions::from_mode(0o644)).unwrap();
    let (evidence, notices) = judged(&Guest::default(), &cache);
    assert!(!evidence.cached && notices[0].contains("can be read by others"), "{notices:?}");
}

/// A relative home would be a folder of the repository, whose author would choose settings, programs and compiled code.
#[test]
fn a_relative_home_is_no_home() {
    let repo = TestRepo::with(&[("a.py", "x = 1\n"), (".config/guardhost/config.toml", "the repository's own\n")]);
    repo.write("a.py", "x = 2\n");
    let before = (repo.status(), repo.snapshot());
    for home in [".", "sub/folder"] {
        host_with(repo.path(), &["check", "--worktree"], b"", &[("HOME", home)]).expect(0);
        host_with(repo.path(), &["provider", "list"], b"", &[("HOME", home)]).expect(0);
        assert_eq!((repo.status(), repo.snapshot()), before, "{home}");
    }
    let config = repo.path().join(".config");
    let named = [("HOME", "."), ("XDG_CONFIG_HOME", config.to_str().unwrap())];
    host_with(repo.path(), &["provider", "list"], b"", &named).expect(3);
}
