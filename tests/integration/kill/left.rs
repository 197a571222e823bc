//! What a killed host left, and what people do before the next host comes: nothing of theirs is lost.

use std::fs;

use super::child::Disk;
use super::placing::{APPLY, last_step_before_the_index};
use super::target::{Target, state};
use crate::support::cli::host;
use crate::support::repo::git_in;

/// All files are placed, and the index is as before.
fn interrupted() -> Target {
    let target = Target::new(&APPLY);
    let step = last_step_before_the_index(&target);
    assert!(target.kill(step, Disk::Keeps));
    target
}

/// What `host doctor` says in full.
fn doctor(target: &Target) -> String {
    let ran = host(&target.dir, &["doctor"]).expect(0);
    ran.stdout + &ran.stderr
}

fn read(target: &Target, path: &str) -> Vec<u8> {
    fs::read(target.dir.join(path)).unwrap()
}

#[test]
fn files_that_were_changed_since_are_kept_and_named() {
    let target = interrupted();
    fs::write(target.dir.join("edit"), "mine\n").unwrap();
    fs::write(target.dir.join("new/er/file"), "mine too\n").unwrap();
    fs::write(target.dir.join("gone/deep/file"), "made again\n").unwrap_err();
    fs::create_dir_all(target.dir.join("gone/deep")).unwrap();
    fs::write(target.dir.join("gone/deep/file"), "made again\n").unwrap();
    let old = target.repo.git(&["rev-parse", "HEAD:edit"]);
    let said = doctor(&target);
    for words in [format!("edit (before the change: git show {old})"), "new/er/file (new in the change)".into()] {
        assert!(said.contains(&words), "{said}");
    }
    let mut now = state(&target.dir);
    for (path, content) in [("edit", "mine\n"), ("new/er/file", "mine too\n"), ("gone/deep/file", "made again\n")] {
        assert_eq!(read(&target, path), content.as_bytes());
        let (path, before) = (std::path::PathBuf::from(path), &target.before.files);
        match before.get(&path) {
            Some(before) => drop(now.files.insert(path, before.clone())),
            None => drop(now.files.remove(&path)),
        }
    }
    assert_eq!((now.files, now.staged), (target.before.files.clone(), target.before.staged.clone()));
    assert!(!target.dir.join(".git/index.lock").exists());
    assert!(!target.dir.join(".git/guardhost/place").exists());
    assert_eq!(target.repo.git(&["show", &old]), "one\ntwo\nthree");
}

#[test]
fn git_does_not_have_to_read_what_was_undone_again() {
    let target = Target::new(&APPLY);
    let copy = target.save();
    let step = last_step_before_the_index(&target);
    target.restore(&copy);
    target.repo.status();
    assert_eq!(target.repo.git(&["diff-files", "--name-only"]), "a.txt");
    assert!(target.kill(step, Disk::Keeps));
    target.doctor();
    assert_eq!(target.repo.git(&["diff-files", "--name-only"]), "a.txt");
    assert!(!target.is_changed("undone"));
}

#[test]
fn a_lock_of_another_program_stays_and_the_error_says_what_to_do() {
    let target = interrupted();
    let lock = target.dir.join(".git/index.lock");
    fs::write(&lock, "of git\n").unwrap();
    let placed = state(&target.dir).files;
    for command in [&["doctor"][..], &APPLY[1..]] {
        let command: Vec<&str> =
            command.iter().map(|word| if *word == "PATCH" { "../change.patch" } else { *word }).collect();
        let ran = host(&target.dir, &command);
        assert_ne!(ran.code, 0, "{ran:?}");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        for words in ["was killed while it placed a change", "index.lock", "host doctor"] {
            assert!(said.contains(words), "{words}: {said}");
        }
        assert_eq!(fs::read(&lock).unwrap(), b"of git\n");
        assert_eq!(state(&target.dir).files, placed);
    }
    fs::remove_file(&lock).unwrap();
    target.doctor();
    assert!(!target.is_changed("the lock is gone"));
}

#[test]
fn a_change_that_was_committed_since_is_not_undone() {
    let target = interrupted();
    fs::remove_file(target.dir.join(".git/index.lock")).unwrap();
    git_in(&target.dir, &["add", "--all"], b"");
    git_in(&target.dir, &["commit", "-q", "-m", "all of it"], b"");
    let before = state(&target.dir);
    let said = doctor(&target);
    assert!(said.contains("the change is complete"), "{said}");
    assert_eq!(state(&target.dir), before);
    // Only a part of it: that part stays.
    let target = interrupted();
    fs::remove_file(target.dir.join(".git/index.lock")).unwrap();
    git_in(&target.dir, &["add", "edit"], b"");
    let said = doctor(&target);
    assert!(said.contains("edit (before the change"), "{said}");
    assert_eq!(read(&target, "edit"), b"one\nTWO\nthree\n");
    assert_eq!(read(&target, "flat"), b"flat\n");
}

#[test]
fn temporary_files_without_a_journal_are_removed() {
    let target = Target::new(&APPLY);
    let place = target.dir.join(".git/guardhost/place");
    fs::create_dir_all(place.join("new/deep")).unwrap();
    fs::write(place.join("new/deep/file"), "x").unwrap();
    let elsewhere = ".guardhost-0123456789abcdef0123456789abcdef";
    fs::write(place.join("elsewhere"), format!("{elsewhere}\0untracked.txt\0.guardhost-cut")).unwrap();
    fs::create_dir(target.dir.join(elsewhere)).unwrap();
    fs::write(target.dir.join(elsewhere).join("0"), "x").unwrap();
    let said = doctor(&target);
    assert!(said.contains("temporary files"), "{said}");
    assert!(!target.is_changed("swept"));
    assert!(!host(&target.dir, &["doctor"]).expect(0).stdout.contains("temporary files"));
}

/// Any program can write a journal; what it names is read, locked and written by the host.
#[test]
fn a_journal_that_names_the_index_of_another_repository_is_refused() {
    let target = interrupted();
    let other = crate::support::repo::TestRepo::with(&[("edit", "theirs\n")]);
    let (journal, index) = (target.dir.join(".git/guardhost/place/journal"), other.path().join(".git/index"));
    let text = fs::read(&journal).unwrap();
    let records = text.split(|byte| *byte == 0).filter(|record| !record.is_empty() && !record.starts_with(b"end "));
    let mut written = Vec::new();
    for record in records {
        match record.starts_with(b"index ") {
            true => written.extend(format!("index {}", index.display()).bytes()),
            false => written.extend(record),
        }
        written.push(0);
    }
    let digest = other.git_with(&["hash-object", "--stdin"], &written);
    written.extend(format!("end {digest}\0").bytes());
    fs::write(&journal, &written).unwrap();
    let (placed, theirs) = (state(&target.dir).files, fs::read(&index).unwrap());
    let ran = host(&target.dir, &["doctor", "--format", "json"]).expect(3);
    let said = ran.stdout + &ran.stderr;
    assert!(said.contains("an index of another work tree") && said.contains(&index.display().to_string()), "{said}");
    assert_eq!(fs::read(&index).unwrap(), theirs);
    assert_eq!(state(&target.dir).files, placed, "nothing is undone by it");
    assert!(journal.exists(), "a person decides");
}
