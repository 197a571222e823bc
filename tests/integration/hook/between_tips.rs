//! The gate accepts what a branch comes to. What lies between two tips was never accepted by itself, and nothing may stand there.

use crate::support::cli::host;
use crate::support::repo::TestRepo;

use super::git::{git, git_with};

const GOOD: &str = "def x():\n    return 1\n";
const BAD: &str = "def x(:\n";

/// A repository with hooks, and three commits above its first one: a good one, a mistake, and its fix.
struct Series {
    repo: TestRepo,
    good: String,
    mistake: String,
    mended: String,
}

impl Series {
    fn new() -> Self {
        let repo = TestRepo::with(&[("x.py", GOOD)]);
        let commit = |path: &str, text: &str| {
            repo.write(path, text);
            repo.commit(path).to_string()
        };
        let (good, mistake, mended) = (commit("y.py", GOOD), commit("x.py", BAD), commit("x.py", GOOD));
        repo.git(&["branch", "series"]);
        repo.git(&["reset", "-q", "--hard", "HEAD~3"]);
        Series { repo, good, mistake, mended }
    }

    /// A commit on this one that is good by itself.
    fn on(&self, parent: &str) -> String {
        self.repo.git(&["checkout", "-q", "--detach", parent]);
        self.repo.write("z.py", GOOD);
        let commit = self.repo.commit("z").to_string();
        self.repo.git(&["checkout", "-q", "main"]);
        commit
    }
}

#[test]
fn a_push_goes_back_to_no_commit_between_tips() {
    let series = Series::new();
    let (repo, server) = (&series.repo, TestRepo::bare());
    repo.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
    repo.git(&["push", "-q", "origin", "main"]);
    host(server.path(), &["install", "git"]).expect(0);
    git(repo, &["push", "-q", "origin", "series:main"]).expect(0);
    let on_mistake = series.on(&series.mistake);
    for commit in [&series.mistake, &on_mistake] {
        for target in ["refs/heads/main", "refs/heads/other"] {
            let ran = git(repo, &["push", "-f", "origin", &format!("{commit}:{target}")]);
            assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps"), "{commit} to {target}: {ran:?}");
        }
    }
    // A good commit between two tips is judged, and stands.
    for target in ["refs/heads/other", "refs/heads/main"] {
        git(repo, &["push", "-q", "-f", "origin", &format!("{}:{target}", series.good)]).expect(0);
    }
    git(repo, &["push", "-q", "origin", &format!("{}:main", series.mended)]).expect(0);
}

#[test]
fn a_branch_goes_back_to_no_commit_between_tips() {
    let series = Series::new();
    let repo = &series.repo;
    repo.git(&["branch", "-D", "series"]);
    host(repo.path(), &["install", "git"]).expect(0);
    git(repo, &["merge", "-q", "--ff-only", &series.mended]).expect(0);
    let on_mistake = series.on(&series.mistake);
    let merged = repo.git(&[
        "commit-tree",
        &format!("{}^{{tree}}", series.mistake),
        "-p",
        "main",
        "-p",
        &series.mistake,
        "-m",
        "ours",
    ]);
    let refs = || repo.git(&["for-each-ref", "--format=%(refname) %(objectname)"]);
    let before = refs();
    for commit in [&series.mistake, &on_mistake, &merged] {
        for args in [
            &["reset", "-q", "--hard", commit][..],
            &["branch", "other", commit],
            &["branch", "-f", "other", commit],
            &["checkout", "-q", "-B", "main", commit],
            &["switch", "-q", "-c", "other", commit],
            &["update-ref", "refs/heads/main", commit],
            &["fetch", "-q", ".", &format!("+{commit}:refs/heads/other")],
            &["worktree", "add", "-q", "-b", "other", "w", commit],
        ] {
            let ran = git(repo, args);
            assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps"), "{args:?}: {ran:?}");
            assert_eq!(refs(), before, "{args:?}");
            repo.git(&["reset", "-q", "--hard"]);
            repo.git(&["worktree", "prune"]);
        }
    }
    // Back to what was there before the hooks, to a good commit, and on to the fixed one again.
    for commit in ["HEAD~3", &series.good, &series.mended] {
        git(repo, &["reset", "-q", "--hard", commit]).expect(0);
    }
    repo.write("y.py", "def y():\n    return 2\n");
    git(repo, &["commit", "-qam", "y"]).expect(0);
    git(repo, &["commit", "-q", "--amend", "-m", "y again"]).expect(0);
    git(repo, &["branch", "other", "HEAD~1"]).expect(0);
    git(repo, &["reset", "-q", "--hard", "HEAD~1"]).expect(0);
}

/// Git asks no hook about the new name of a branch.
#[test]
fn a_renamed_branch_takes_no_rules_off_the_name() {
    let repo = TestRepo::with(&[("x.py", GOOD)]);
    let old = repo.oid("HEAD").to_string();
    repo.write("guards.toml", "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n");
    repo.commit("rules");
    host(repo.path(), &["install", "git"]).expect(0);
    repo.write("y.py", GOOD);
    repo.git(&["add", "-A"]);
    git(&repo, &["commit", "-qm", "seen"]).expect(0);
    let seen = repo.oid("HEAD").to_string();
    for ways in [
        &[&["branch", "-D", "main"][..], &["branch", "-m", "n", "main"]][..],
        &[&["branch", "-M", "n", "main"]],
        &[&["branch", "-C", "n", "main"]],
    ] {
        repo.git(&["checkout", "-q", "--detach"]);
        git(&repo, &["branch", "n", &old]).expect(0);
        for way in ways {
            git(&repo, way).expect(0);
        }
        repo.git(&["checkout", "-q", "main"]);
        assert_eq!(repo.oid("HEAD").to_string(), old, "{ways:?}");
        repo.write("z.py", GOOD);
        repo.git(&["add", "-A"]);
        let ran = git(&repo, &["commit", "-qm", "unjudged"]);
        assert!(ran.code != 0 && ran.stderr.contains("keeps the rules of refs/heads/main"), "{ways:?}: {ran:?}");
        repo.git(&["reset", "-q", "--hard"]);
        git(&repo, &["reset", "-q", "--hard", &seen]).expect(0);
        git(&repo, &["branch", "-D", "n"]);
    }
    repo.git(&["checkout", "-q", "--detach", &old]);
    git(&repo, &["branch", "-D", "main"]).expect(0);
    git_with(&repo, &["branch", "main", &old], &[("GUARDHOST_ALLOW_RULE_CHANGES", "1")]).expect(0);
}

/// Whoever works on a machine can make a second clone there, without hooks. A remote that was there before the hooks is one that people chose.
#[test]
fn a_clone_on_this_machine_is_no_witness() {
    let (server, other) = (TestRepo::bare(), TestRepo::new());
    let repo = TestRepo::with(&[("x.py", GOOD)]);
    let address = |repo: &TestRepo| repo.path().to_str().unwrap().to_owned();
    repo.git(&["remote", "add", "origin", &address(&server)]);
    repo.git(&["push", "-q", "origin", "main"]);
    host(repo.path(), &["install", "git"]).expect(0);
    other.git(&["pull", "-q", &address(&server), "main"]);
    other.write("x.py", BAD);
    other.commit("bad");
    for from in
        [address(&other), format!("file://{}", address(&other)), format!("ext::git upload-pack {}", address(&other))]
    {
        git(&repo, &["remote", "add", "second", &from]).expect(0);
        git(&repo, &["-c", "protocol.ext.allow=always", "fetch", "-q", "second"]).expect(0);
        let ran = git(&repo, &["merge", "-q", "--ff-only", "second/main"]);
        assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps commit"), "{from}: {ran:?}");
        repo.git(&["reset", "-q", "--hard"]);
        repo.git(&["remote", "remove", "second"]);
    }
    // The same from the remote that was there is what others made.
    other.git(&["push", "-q", &address(&server), "HEAD:main"]);
    git(&repo, &["pull", "-q", "origin", "main"]).expect(0);
}

/// Two histories that were there before the hooks and that git does not merge by itself.
fn conflicting() -> TestRepo {
    let repo = TestRepo::with(&[("x.py", GOOD), ("c.txt", "base\n"), ("guards.toml", "schema = 1\n")]);
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("c.txt", "other\n");
    repo.commit("other");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("c.txt", "main\n");
    repo.write("test_x.py", "import x\n\n\ndef test_x():\n    assert x.x() == 1\n");
    repo.commit("main");
    host(repo.path(), &["install", "git"]).expect(0);
    repo.git(&["checkout", "-q", "--detach", "main"]);
    repo
}

/// Merges a history that conflicts, so that what was known has no tree of its own.
fn merge_by_hand(repo: &TestRepo, other: &str) -> String {
    let _ = git(repo, &["merge", "-q", "--no-edit", other]);
    repo.write("c.txt", "both\n");
    repo.git(&["add", "-A"]);
    git(repo, &["commit", "-q", "--no-verify", "-m", "merge"]).expect(0);
    repo.oid("HEAD").to_string()
}

/// A commit whose parent is new itself is not judged by the rules of that parent, which the same change wrote.
#[test]
fn a_merge_by_hand_makes_no_new_commit_the_judge() {
    for target in ["main", "fresh"] {
        let repo = conflicting();
        for (path, text) in
            [("guards.toml", "schema = 1\nguards = []\n"), ("x.py", BAD), ("guards.toml", "schema = 1\n")]
        {
            repo.write(path, text);
            repo.git(&["add", "-A"]);
            git(&repo, &["commit", "-q", "--no-verify", "-m", path]).expect(0);
        }
        let merged = merge_by_hand(&repo, "other");
        let ran = git(&repo, &["update-ref", &format!("refs/heads/{target}"), &merged]);
        assert!(ran.code != 0 && ran.stderr.contains("syntax-holds"), "{target}: {ran:?}");
    }
}

/// With which of its parents a merge is compared that git does not make by itself is not for its author to choose.
#[test]
fn a_merge_that_drops_one_side_is_compared_with_the_branch() {
    for target in ["main", "fresh"] {
        let repo = conflicting();
        repo.git(&["checkout", "-q", "--detach", "other"]);
        git(&repo, &["merge", "-q", "-s", "ours", "--no-edit", "main"]).expect(0);
        let dropped = repo.oid("HEAD").to_string();
        let ran = git(&repo, &["update-ref", &format!("refs/heads/{target}"), &dropped]);
        assert!(ran.code != 0 && ran.stderr.contains("test-lost"), "{target}: {ran:?}");
    }
    // What a person merges by hand and keeps both sides of goes in, from either side.
    for (side, other) in [("main", "other"), ("other", "main")] {
        let repo = conflicting();
        repo.git(&["checkout", "-q", "--detach", side]);
        let merged = merge_by_hand(&repo, other);
        for target in ["main", "other", "fresh"] {
            git(&repo, &["update-ref", &format!("refs/heads/{target}"), &merged]).expect(0);
        }
    }
}
