//! `host check --part`: the largest part of a rejected change that the guards accept, as a patch.

use std::fs;

use crate::support::cli::host;
use crate::support::repo::TestRepo;

const OLD: &str = "def a():\n    return 1\n\n\ndef b():\n    return 1\n\n\ndef c():\n    return 1\n";
/// The middle is wrong.
const NEW: &str = "def a():\n    return 2\n\n\ndef b(:\n    return 1\n\n\ndef c():\n    return 2\n";
const PART: &str = "def a():\n    return 2\n\n\ndef b():\n    return 1\n\n\ndef c():\n    return 2\n";

fn staged(files: &[(&str, &str)]) -> TestRepo {
    let repo = TestRepo::with(&[("x.py", OLD), ("old.py", "def o():\n    return 1\n")]);
    files.iter().for_each(|(path, text)| repo.write(path, text));
    repo.stage_all();
    repo
}

#[test]
fn the_part_is_a_patch_that_is_accepted_and_nothing_else_changes() {
    let repo = staged(&[("x.py", NEW), ("good.py", "def g():\n    return 1\n"), ("bad.py", "def g(:\n    return 1\n")]);
    repo.git(&["mv", "old.py", "new.py"]);
    // Git writes what it found of trees into the index.
    repo.git(&["write-tree"]);
    let before = (repo.snapshot(), repo.oid("HEAD"));
    let ran = host(repo.path(), &["check", "--staged", "--part", "../part.patch"]).expect(1);
    let said = "the guards accept 2 of 4 files; the patch is in ../part.patch; in part: x.py; left out: bad.py";
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains(said), "{ran:?}");
    assert_eq!(before, (repo.snapshot(), repo.oid("HEAD")));
    // Only the change as a whole was ruled on.
    let rulings = host(repo.path(), &["log", "--rulings", "--format", "json"]).expect(0).json();
    assert_eq!(rulings["rulings"].as_array().map(Vec::len), Some(1));

    repo.git(&["reset", "-q", "--hard"]);
    repo.git(&["apply", "--index", "../part.patch"]);
    host(repo.path(), &["check", "--staged"]).expect(0);
    assert_eq!(repo.read("x.py"), PART.as_bytes());
    assert_eq!(repo.git(&["diff", "--cached", "--name-only", "--no-renames"]), "good.py\nnew.py\nold.py\nx.py");
}

#[test]
fn where_no_part_is_accepted_no_patch_is_written() {
    let repo = staged(&[("bad.py", "def g(:\n    return 1\n")]);
    let ran = host(repo.path(), &["check", "--staged", "--part", "../part.patch"]).expect(1);
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains("no part of the change is accepted by itself"), "{ran:?}");
    assert!(!repo.path().join("../part.patch").exists());
    // An accepted change is whole.
    let repo = staged(&[("good.py", "def g():\n    return 1\n")]);
    host(repo.path(), &["check", "--staged", "--part", "../part.patch"]).expect(0);
    assert!(fs::metadata(repo.path().join("../part.patch")).is_err());
}

/// Some rules reject only what a model made. Who made a change is known of each of its parts.
#[test]
fn a_part_of_what_a_model_made_is_judged_as_made_by_a_model() {
    let migration = "db/migrate/20240101120000_add_votes.rb";
    let table = "class AddVotes < ActiveRecord::Migration[7.1]\n  def change\n    add_column :polls, :votes, :integer\n  end\nend\n";
    let repo = TestRepo::with(&[(migration, table), ("x.py", OLD)]);
    repo.write(migration, table.replace(":integer", ":bigint"));
    repo.write("good.py", "def h():\n    return 1\n");
    repo.stage_all();
    repo.git(&["commit", "-q", "-m", "Add g and h\n\nCo-Authored-By: Claude <noreply@anthropic.com>"]);
    let ran = host(repo.path(), &["check", "--range", "HEAD~1..HEAD", "--part", "../part.patch"]).expect(1);
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains(&format!("left out: {migration}")), "{ran:?}");
    let patch = fs::read_to_string(repo.path().join("../part.patch")).unwrap();
    assert!(patch.contains("good.py") && !patch.contains(migration), "{patch}");
}
