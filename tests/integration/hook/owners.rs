//! The people who own a repository have a legal way at every place where the gate stands, and nobody else has one around it.

use crate::support::cli::{Ran, host};
use crate::support::repo::TestRepo;

use super::git::{git, git_with};

const GOOD: &str = "def x():\n    return 1\n";
const RULES: &str = "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n";
const OTHER: &str = "schema = 1\n\n[policy]\nrounds = 2\n\n[[guard]]\nid = \"syntax-holds\"\n";
const ALLOWED: (&str, &str) = ("GUARDHOST_ALLOW_RULE_CHANGES", "1");

/// With hooks, and with a remote `origin` that has the first commit.
fn owned(files: &[(&str, &str)]) -> (TestRepo, TestRepo) {
    let (server, repo) = (TestRepo::bare(), TestRepo::with(&[files, &[("x.py", GOOD)]].concat()));
    repo.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
    repo.git(&["push", "-q", "origin", "main"]);
    host(repo.path(), &["install", "git"]).expect(0);
    (server, repo)
}

fn commit_rules(repo: &TestRepo, text: &str, env: &[(&str, &str)]) -> Ran {
    repo.write("guards.toml", text);
    repo.git(&["add", "guards.toml"]);
    git_with(repo, &["commit", "-m", "rules"], env)
}

/// What was allowed once is not asked again: not at a push, not at a new remote, not of a teammate who pulls.
#[test]
fn rules_come_in_and_go_out() {
    let (server, repo) = owned(&[]);
    commit_rules(&repo, RULES, &[]).expect(0);
    git(&repo, &["push", "-q", "origin", "main"]).expect(0);
    let teammate = TestRepo::new();
    teammate.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
    host(teammate.path(), &["install", "git"]).expect(0);
    git(&teammate, &["pull", "-q", "origin", "main"]).expect(0);
    commit_rules(&repo, OTHER, &[]).expect(1);
    commit_rules(&repo, OTHER, &[ALLOWED]).expect(0);
    git(&repo, &["push", "-q", "origin", "main"]).expect(0);
    let another = TestRepo::bare();
    repo.git(&["remote", "add", "another", another.path().to_str().unwrap()]);
    git(&repo, &["push", "-q", "another", "main"]).expect(0);
    git(&teammate, &["pull", "-q", "origin", "main"]).expect(0);
    teammate.write("x.py", "def x():\n    return 2\n");
    git(&teammate, &["commit", "-qam", "two"]).expect(0);
    git(&teammate, &["push", "-q", "origin", "HEAD:main"]).expect(0);
}

/// A history from before the hooks is nobody's fault, at whichever remote.
#[test]
fn a_first_push_judges_no_history() {
    let repo = TestRepo::with(&[("x.py", GOOD)]);
    repo.write("bad.json", "{\"a\": 1,}\n");
    repo.commit("broken");
    repo.write("more.py", GOOD);
    repo.commit("and not mended");
    host(repo.path(), &["install", "git"]).expect(0);
    let server = TestRepo::bare();
    repo.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
    git(&repo, &["push", "-q", "origin", "main"]).expect(0);
}

/// A commit of rules without the lock that fits them is not let in; where one is there already, its fix is.
#[test]
fn rules_that_do_not_fit_are_kept_out_and_can_be_mended() {
    let repo = TestRepo::with(&[("x.py", GOOD), ("guards.toml", RULES)]);
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.commit("rules and lock");
    host(repo.path(), &["install", "git"]).expect(0);
    let more = format!("{RULES}\n[[guard]]\nid = \"docs-kept\"\n");
    let ran = commit_rules(&repo, &more, &[ALLOWED]).expect(1);
    assert!(ran.stderr.contains("host:lock"), "{ran:?}");
    // Something else in the place of the rules is a change of them as well.
    let head = repo.oid("HEAD").to_string();
    repo.git(&["update-index", "--cacheinfo", &format!("160000,{head},guards.toml")]);
    let ran = git(&repo, &["commit", "-qm", "submodule"]).expect(1);
    assert!(ran.stderr.contains("guards.toml: it holds the rules"), "{ran:?}");
    repo.git(&["reset", "-q", "--hard"]);
    // As an older host let it in.
    for hook in ["pre-commit", "reference-transaction"] {
        std::fs::remove_file(repo.path().join(".git/hooks").join(hook)).unwrap();
    }
    commit_rules(&repo, &more, &[ALLOWED]).expect(0);
    host(repo.path(), &["install", "git"]).expect(0);
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.stage_all();
    git(&repo, &["commit", "-qm", "mend"]).expect(1);
    git_with(&repo, &["commit", "-qm", "mend"], &[ALLOWED]).expect(0);
}

/// The old tip is the judge: a side branch from before the rules takes none of them out of the branch that it comes into.
#[test]
fn no_fast_forward_drops_the_rules() {
    let repo = TestRepo::with(&[("x.py", GOOD)]);
    let before = repo.oid("HEAD").to_string();
    repo.write("guards.toml", RULES);
    repo.write("m.py", GOOD);
    repo.commit("rules");
    host(repo.path(), &["install", "git"]).expect(0);
    git(&repo, &["checkout", "-q", "-b", "side", &before]).expect(0);
    repo.write("m.py", "def m():\n    return 3\n");
    repo.git(&["add", "-A"]);
    git(&repo, &["commit", "-qm", "side"]).expect(0);
    git(&repo, &["merge", "main"]);
    repo.write("m.py", GOOD);
    repo.git(&["rm", "-q", "-f", "guards.toml"]);
    repo.git(&["add", "-A"]);
    git(&repo, &["commit", "-qm", "a merge without the rules"]).expect(0);
    git(&repo, &["checkout", "-q", "main"]).expect(0);
    let main = repo.oid("main");
    for args in [&["merge", "-q", "--ff-only", "side"][..], &["update-ref", "refs/heads/main", &before]] {
        let ran = git(&repo, args);
        assert!(ran.code != 0 && ran.stderr.contains("keeps the rules of refs/heads/main"), "{args:?}: {ran:?}");
    }
    assert_eq!(repo.oid("main"), main);
}

/// On a server a name below `refs/remotes/` is no witness: whoever may push makes it.
#[test]
fn a_pushed_remote_ref_makes_no_commit_known() {
    let (server, repo) = (TestRepo::bare(), TestRepo::with(&[("x.py", GOOD)]));
    repo.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
    repo.git(&["push", "-q", "origin", "main"]);
    host(server.path(), &["install", "git"]).expect(0);
    repo.write("x.py", "def x(:\n");
    repo.commit("bad");
    git(&repo, &["push", "-q", "origin", "main:refs/remotes/x/y"]).expect(0);
    let ran = git(&repo, &["push", "origin", "main"]);
    assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps commit"), "{ran:?}");
}

/// A program that an agent starts sets variables as it likes, and chooses no judge by them.
#[test]
fn no_variable_chooses_the_judge_of_a_hook() {
    let (_server, repo) = owned(&[("weak.toml", "schema = 1\nguards = []\n")]);
    repo.write("x.py", "def x(:\n");
    let weak = repo.path().join("weak.toml");
    for (name, value) in [("GUARDHOST_CONFIG", weak.to_str().unwrap()), ("GUARDHOST_SKIP", "syntax-holds")] {
        let ran = git_with(&repo, &["commit", "-qam", "bad"], &[(name, value)]).expect(1);
        assert!(ran.stderr.contains("syntax-holds/"), "{ran:?}");
    }
    // In an agent's shell a commit is a model's: it excuses no finding of its own.
    repo.write("x.py", "def x(:  # guardhost: allow python-syntax another program reads it\n");
    let ran = git_with(&repo, &["commit", "-qam", "excused"], &[("CLAUDECODE", "1"), ALLOWED]).expect(1);
    assert!(ran.stderr.contains("comment-added") && !ran.stderr.contains("GUARDHOST_"), "{ran:?}");
    git(&repo, &["commit", "-qam", "excused by a person"]).expect(0);
    commit_rules(&repo, RULES, &[]).expect(0);
    let ran = commit_rules(&repo, OTHER, &[("CLAUDECODE", "1"), ALLOWED]).expect(1);
    assert!(ran.stderr.contains("Only the people who maintain the rules"), "{ran:?}");
}

/// Deleting a branch and making it again at a commit from before the rules is a change of its rules.
#[test]
fn a_branch_that_is_made_again_has_rules_again() {
    let (_server, repo) = owned(&[]);
    commit_rules(&repo, RULES, &[]).expect(0);
    git(&repo, &["checkout", "-q", "--detach"]).expect(0);
    git(&repo, &["branch", "-D", "main"]).expect(0);
    let ran = git(&repo, &["branch", "main", "HEAD~1"]);
    assert!(ran.code != 0 && ran.stderr.contains("a branch of this name, which was deleted or renamed"), "{ran:?}");
    // Another name is another branch, and the same rules are no change.
    git(&repo, &["branch", "old", "HEAD~1"]).expect(0);
    git(&repo, &["branch", "main", "HEAD"]).expect(0);
    git(&repo, &["branch", "-m", "main", "trunk"]).expect(0);
    git_with(&repo, &["branch", "main", "HEAD~1"], &[ALLOWED]).expect(0);
}

/// Of the rules that a history had, the newest are those of the branch.
#[test]
fn a_branch_that_is_made_again_takes_no_older_rules() {
    let (_server, repo) = owned(&[]);
    commit_rules(&repo, "schema = 1\nguards = []\n", &[]).expect(0);
    git(&repo, &["branch", "topic"]).expect(0);
    commit_rules(&repo, RULES, &[ALLOWED]).expect(0);
    git(&repo, &["checkout", "-q", "--detach"]).expect(0);
    git(&repo, &["branch", "-D", "main"]).expect(0);
    let ran = git(&repo, &["branch", "main", "HEAD~1"]);
    assert!(ran.code != 0 && ran.stderr.contains("the new one has older ones"), "{ran:?}");
    git(&repo, &["branch", "main", "HEAD"]).expect(0);
    // A topic that is begun anew takes the rules of today, which were allowed.
    git(&repo, &["branch", "-D", "topic"]).expect(0);
    git(&repo, &["branch", "topic", "main"]).expect(0);
}

/// What this clone made is nobody else's, whatever ref below `refs/remotes/` has it.
#[test]
fn a_fetch_from_here_makes_no_commit_known() {
    let (_server, repo) = owned(&[("guards.toml", RULES)]);
    repo.git(&["remote", "add", "elsewhere", "https://example.com/x.git"]);
    git(&repo, &["checkout", "-q", "--detach"]).expect(0);
    repo.write("x.py", "def x(:\n");
    git(&repo, &["commit", "-q", "--no-verify", "-am", "bad"]).expect(0);
    for name in ["refs/remotes/elsewhere/x", "refs/remotes/elsewhere/main", "refs/remotes/origin/main"] {
        git(&repo, &["fetch", "-q", ".", &format!("+HEAD:{name}")]).expect(0);
    }
    git(&repo, &["worktree", "add", "-q", "--detach", "w", "elsewhere/x"]).expect(0);
    git(&repo, &["checkout", "-q", "main"]).expect(0);
    for witness in ["elsewhere/x", "elsewhere/main", "origin/main"] {
        let ran = git(&repo, &["merge", "-q", "--ff-only", witness]);
        assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps commit"), "{witness}: {ran:?}");
        repo.git(&["reset", "-q", "--hard"]);
    }
}

/// What a person pushed and others merged comes back as theirs, and what others made stays theirs where it was only looked at.
#[test]
fn what_others_made_is_theirs_wherever_it_was_looked_at() {
    let (server, repo) = owned(&[("guards.toml", RULES)]);
    let other = TestRepo::new();
    other.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
    other.git(&["pull", "-q", "origin", "main"]);
    other.write("theirs.py", "def y(:\n");
    other.commit("theirs");
    other.git(&["push", "-q", "origin", "HEAD:topic"]);
    git(&repo, &["fetch", "-q"]).expect(0);
    for looked in [&["checkout", "-q", "--detach", "origin/topic"][..], &["checkout", "-q", "main"]] {
        git(&repo, looked).expect(0);
    }
    other.git(&["push", "-q", "origin", "HEAD:main", ":topic"]);
    git(&repo, &["fetch", "-q", "--prune"]).expect(0);
    git(&repo, &["merge", "-q", "--ff-only", "origin/main"]).expect(0);
    repo.write("mine.py", GOOD);
    repo.git(&["add", "-A"]);
    git(&repo, &["commit", "-q", "-m", "mine"]).expect(0);
    git(&repo, &["push", "-q", "origin", "main"]).expect(0);
    git(&repo, &["branch", "again", "origin/main"]).expect(0);
}

/// By a replacement git would show for a judged id what nobody judged.
#[test]
fn nobody_puts_another_object_in_the_place_of_a_judged_one() {
    let (server, repo) = owned(&[]);
    host(server.path(), &["install", "git"]).expect(0);
    let good = repo.oid("HEAD").to_string();
    git(&repo, &["checkout", "-q", "--detach"]).expect(0);
    repo.write("x.py", "def x(:\n");
    git(&repo, &["commit", "-q", "--no-verify", "-am", "bad"]).expect(0);
    let bad = repo.oid("HEAD").to_string();
    let ran = git(&repo, &["push", "-q", "--no-verify", "origin", &format!("{bad}:refs/replace/{good}")]);
    assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps refs/replace/"), "{ran:?}");
    let ran = git(&repo, &["replace", &good, &bad]);
    assert!(ran.code != 0 && ran.stderr.contains("GUARDHOST_ALLOW_RULE_CHANGES"), "{ran:?}");
    git_with(&repo, &["replace", &good, &bad], &[("CLAUDECODE", "1"), ALLOWED]).expect(128);
    git_with(&repo, &["replace", &good, &bad], &[ALLOWED]).expect(0);
    git(&repo, &["replace", "-d", &good]).expect(0);
}

/// More commits than can be read one by one are judged as one change, and what that leaves out is said.
#[test]
fn what_is_not_read_of_a_long_history_is_said() {
    let (_server, repo) = owned(&[]);
    let long = TestRepo::bare();
    let mut stream = String::from("feature done\n");
    // Commits that change nothing take nobody's place.
    for number in 0..603 {
        let file = match number {
            0..503 => format!("M 100644 inline n.txt\ndata <<END\n{number}\nEND\n"),
            _ => String::new(),
        };
        stream += &format!("commit refs/heads/main\ncommitter a <a@b> {number} +0000\ndata 1\nx\n{file}\n");
    }
    long.git_with(&["fast-import", "--quiet"], (stream + "done\n").as_bytes());
    let ran = git(&repo, &["fetch", "-q", long.path().to_str().unwrap(), "main:long"]).expect(0);
    assert!(ran.stderr.contains("3 older ones were not read one by one"), "{ran:?}");
}

/// `pre-commit` does not know the message, in which a person says that something is meant: it names the way that asks the hook that does.
#[test]
fn what_a_message_says_is_judged_with_it() {
    const WAY: &str = "git commit --no-verify";
    const MESSAGE: &str = "Remove the tests of x, which tested the language";
    let tests = "from x import x\n\n\ndef test_x():\n    assert x() == 1\n";
    let (_server, repo) = owned(&[("test_x.py", tests), ("test_more.py", tests)]);
    repo.git(&["rm", "-q", "test_x.py"]);
    let ran = git(&repo, &["commit", "-qm", MESSAGE]).expect(1);
    assert!(ran.stderr.contains("definitions-kept/test-lost") && ran.stderr.contains(WAY), "{ran:?}");
    let ran = git_with(&repo, &["commit", "-qm", MESSAGE], &[("CLAUDECODE", "1")]).expect(1);
    assert!(!ran.stderr.contains(WAY), "{ran:?}");
    git(&repo, &["commit", "-qnm", "Tidy"]).expect(128);
    git(&repo, &["commit", "-qnm", MESSAGE]).expect(0);
    // What no message excuses has no such way, also beside what one may.
    repo.write("x.py", "def x(:\n");
    repo.git(&["rm", "-q", "test_more.py"]);
    let ran = git(&repo, &["commit", "-qam", MESSAGE]).expect(1);
    assert!(ran.stderr.contains("syntax-holds/") && !ran.stderr.contains(WAY), "{ran:?}");
}
