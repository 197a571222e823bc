//! What a branch got in by other rules is judged where it is to go, by the rules there.

use crate::support::cli::host;
use crate::support::repo::TestRepo;

use super::git::{git, git_with};

const GOOD: &str = "def x():\n    return 1\n";
const BAD: &str = "def x(:\n";

/// A history whose first commit asks no guard, with a server that has it. The hooks are installed where `hooks` says.
fn history(hooks_of_server: bool) -> (TestRepo, TestRepo, String) {
    let (server, repo) =
        (TestRepo::bare(), TestRepo::with(&[("x.py", GOOD), ("guards.toml", "schema = 1\nguards = []\n")]));
    let weak = repo.oid("HEAD").to_string();
    repo.write("guards.toml", "schema = 1\n");
    repo.commit("strict");
    repo.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
    repo.git(&["push", "-q", "origin", "main", "main:release"]);
    repo.git(&["remote", "set-head", "origin", "main"]);
    host(if hooks_of_server { server.path() } else { repo.path() }, &["install", "git"]).expect(0);
    (server, repo, weak)
}

/// A branch `x` from before the rules gets a mistake, then the rules, then a commit that is good by them.
fn launder(repo: &TestRepo, weak: &str) {
    git(repo, &["checkout", "-q", "-b", "x", weak]).expect(0);
    repo.write("x.py", BAD);
    git(repo, &["commit", "-qam", "bad"]).expect(0);
    git(repo, &["merge", "-q", "--no-edit", "origin/main"]).expect(0);
    repo.write("y.py", GOOD);
    repo.git(&["add", "-A"]);
    git(repo, &["commit", "-qm", "good"]).expect(0);
}

#[test]
fn a_branch_with_other_rules_vouches_for_no_other() {
    let (_server, repo, weak) = history(false);
    let main = repo.oid("main").to_string();
    launder(&repo, &weak);
    for tip in ["x", "x~1"] {
        for args in [
            &["push", "origin", &format!("{tip}:main")][..],
            &["push", "-f", "origin", &format!("{tip}:release")],
            &["update-ref", "refs/heads/main", tip],
        ] {
            let ran = git(&repo, args);
            assert!(ran.code != 0 && ran.stderr.contains("syntax-holds/"), "{args:?}: {ran:?}");
        }
    }
    // Deleted and made again, and another branch that takes its name, of which git asks no hook.
    git(&repo, &["branch", "-D", "main"]).expect(0);
    let ran = git(&repo, &["branch", "main", "x"]);
    assert!(ran.code != 0 && ran.stderr.contains("syntax-holds/"), "{ran:?}");
    git(&repo, &["branch", "-M", "x", "main"]).expect(0);
    repo.write("z.py", GOOD);
    repo.git(&["add", "-A"]);
    let ran = git(&repo, &["commit", "-qm", "on top"]);
    assert!(ran.code != 0 && ran.stderr.contains("syntax-holds/"), "{ran:?}");
    git(&repo, &["reset", "-q", "--hard", &main]).expect(0);
}

#[test]
fn a_server_takes_nothing_that_another_branch_got_in() {
    let (_server, repo, weak) = history(true);
    launder(&repo, &weak);
    for (tip, name) in [("x~2", "x"), ("x~1", "y"), ("x", "z")] {
        git(&repo, &["push", "-q", "origin", &format!("{tip}:refs/heads/{name}")]).expect(0);
    }
    git(&repo, &["push", "-q", "origin", ":release"]).expect(0);
    for tip in ["x", "x~1"] {
        for name in ["release", "main"] {
            let ran = git(&repo, &["push", "origin", &format!("{tip}:refs/heads/{name}")]);
            assert!(ran.code != 0 && ran.stderr.contains("syntax-holds/"), "{tip} to {name}: {ran:?}");
        }
    }
}

/// Whoever works by the rules is asked nothing twice: with rules that people changed, and on topics that are begun anew.
#[test]
fn rules_that_were_allowed_vouch_for_what_is_on_them() {
    let (_server, repo, _) = history(false);
    let write = |path: &str, text: &str, env: &[(&str, &str)]| {
        repo.write(path, text);
        repo.git(&["add", "-A"]);
        git_with(&repo, &["commit", "-qm", path], env).expect(0);
    };
    git(&repo, &["branch", "topic"]).expect(0);
    write("a.py", GOOD, &[]);
    write("guards.toml", "schema = 1\nguards = []\n", &[("GUARDHOST_ALLOW_RULE_CHANGES", "1")]);
    // What the new rules allow, and the old ones do not, goes out with them.
    write("b.py", BAD, &[]);
    git(&repo, &["push", "-q", "origin", "main"]).expect(0);
    git(&repo, &["branch", "-D", "topic"]).expect(0);
    git(&repo, &["checkout", "-q", "-b", "topic"]).expect(0);
    write("c.py", GOOD, &[]);
    git(&repo, &["push", "-q", "origin", "topic", "topic:main"]).expect(0);
    git(&repo, &["checkout", "-q", "main"]).expect(0);
    git(&repo, &["merge", "-q", "--ff-only", "topic"]).expect(0);
    git(&repo, &["branch", "-d", "topic"]).expect(0);
    git(&repo, &["branch", "-m", "main", "trunk"]).expect(0);
    write("d.py", GOOD, &[]);
}
