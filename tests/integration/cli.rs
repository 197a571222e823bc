//! The binary as a person, a hook and a CI job meet it: exit codes, messages, and bad input that loses nothing.

use serde_json::Value;

use crate::support::cli::{host, host_with};
use crate::support::repo::{TestRepo, git_in};

const DOC: &str =
    "# x\n\nSome text.\n\n```console\n$ x --all --verbose --really-all-of-it\n$ x --help\n$ x --version | less\n```\n";

fn repo() -> TestRepo {
    TestRepo::with(&[
        ("README.md", DOC),
        ("pyproject.toml", "[project]\nname = \"x\"\n"),
        ("src/x.py", "def x():\n    return 1\n"),
    ])
}

/// Verdict of one guard in the JSON of a check.
fn verdict<'j>(json: &'j Value, id: &str) -> &'j str {
    let guards = json["guards"].as_array().expect("guards");
    guards.iter().find(|guard| guard["id"] == id).and_then(|guard| guard["verdict"].as_str()).unwrap_or("absent")
}

#[test]
fn check_staged_accepts_rejects_and_has_nothing_to_say() {
    let repo = repo();
    let empty = host(repo.path(), &["check", "--staged"]).expect(8);
    assert!(empty.stderr.contains("nothing to check"), "{empty:?}");
    host(repo.path(), &["check", "--staged", "--allow-empty"]).expect(0);

    repo.write("src/x.py", "def x():\n    return 2\n");
    repo.stage_all();
    let json = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(0).json();
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["verdict"], "pass");
    assert_eq!(json["base"], repo.oid("HEAD").to_string());
    assert_eq!(json["candidate"], repo.git(&["write-tree"]));
    assert_eq!(verdict(&json, "syntax-holds"), "pass");
    assert_eq!(verdict(&json, "docs-kept"), "not-applicable");

    repo.write("src/x.py", "def x(:\n    return 2\n");
    repo.stage_all();
    let before = repo.snapshot();
    let ran = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(1);
    let json = ran.json();
    assert_eq!(json["verdict"], "reject");
    let guard =
        json["guards"].as_array().expect("guards").iter().find(|guard| guard["id"] == "syntax-holds").expect("it ran");
    assert_eq!(guard["g"], "G2");
    assert_eq!(guard["findings"][0]["path"], "src/x.py");
    assert_eq!(guard["findings"][0]["line"], 1);
    assert!(guard["digest"].as_str().is_some_and(|digest| digest.starts_with("sha256:")), "{guard}");
    assert!(guard["fuel"].as_u64().is_some_and(|fuel| fuel > 0), "{guard}");
    assert_eq!(before, repo.snapshot());
    host(repo.path(), &["check", "--staged", "--skip", "syntax-holds"]).expect(0);
    // Whoever names a guard wants its verdict, and this one has none.
    host(repo.path(), &["check", "--staged", "--guard", "docs-kept"]).expect(1);
    let unknown = host(repo.path(), &["check", "--staged", "--guard", "syntax-hold"]).expect(2);
    assert!(unknown.stderr.contains("did you mean `syntax-holds`"), "{unknown:?}");
}

/// Without a choice: what is staged, else what is not committed.
#[test]
fn check_alone_judges_what_is_staged_or_else_the_work_tree() {
    let repo = repo();
    host(repo.path(), &["check"]).expect(8);
    repo.write("src/x.py", "def x(:\n    return 2\n");
    let worktree = host(repo.path(), &["check", "--format", "json"]).expect(1).json();
    let named = host(repo.path(), &["check", "--worktree", "--format", "json"]).expect(1).json();
    assert_eq!(worktree["candidate"], named["candidate"], "the work tree");
    repo.write("pyproject.toml", "[project]\nname = \"y\"\n");
    repo.git(&["add", "pyproject.toml"]);
    let staged = host(repo.path(), &["check", "--format", "json"]).expect(0).json();
    assert_eq!(staged["candidate"], repo.git(&["write-tree"]), "what is staged");
    // A fix goes to the index, so the work tree is not meant.
    repo.git(&["reset", "-q"]);
    host(repo.path(), &["check", "--fix"]).expect(8);
}

#[test]
fn check_range_and_patch_judge_the_same_change_alike() {
    let repo = repo();
    repo.write("pyproject.toml", "[project]\nname = \"x\n");
    repo.write("README.md", "# x\n\nSome text.\n");
    repo.commit("worse");
    let range = host(repo.path(), &["check", "--range", "HEAD~1..HEAD", "--format", "json"]).expect(1).json();
    let patch = repo.git(&["diff", "HEAD~1", "HEAD"]) + "\n";
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    let placed =
        host_with(repo.path(), &["check", "--patch", "-", "--format", "json"], patch.as_bytes(), &[]).expect(1).json();
    for id in ["syntax-holds", "docs-kept", "scope-kept"] {
        assert_eq!(verdict(&range, id), verdict(&placed, id), "{id}");
    }
    assert_eq!(range["candidate"], placed["candidate"]);
    assert_eq!((verdict(&range, "syntax-holds"), verdict(&range, "docs-kept")), ("reject", "reject"));
    assert_eq!(verdict(&range, "scope-kept"), "not-applicable");
    let told = host_with(
        repo.path(),
        &["check", "--patch", "-", "--format", "json", "--task", "tidy", "--file-hint", "README.md"],
        patch.as_bytes(),
        &[],
    );
    assert_eq!(verdict(&told.expect(1).json(), "scope-kept"), "reject");
}

#[test]
fn apply_places_a_patch_and_refuses_what_is_dirty() {
    let repo = repo();
    let patch = b"--- a/src/x.py\n+++ b/src/x.py\n@@ -9,2 +9,2 @@\n def x():\n-    return 1\n+    return 2\n";
    let dry = host_with(repo.path(), &["apply", "--patch", "-", "--dry-run", "--format", "json"], patch, &[])
        .expect(0)
        .json();
    assert_eq!((dry["applied"].as_bool(), dry["strategy"].as_str()), (Some(true), Some("offset")));
    assert_eq!(repo.status(), "");
    let json = host_with(repo.path(), &["apply", "--patch", "-", "--format", "json"], patch, &[]).expect(0).json();
    assert_eq!(json["touched"][0]["path"], "src/x.py");
    assert_eq!(json["touched"][0]["change_type"], "modify");
    assert_eq!(repo.status(), "M  src/x.py");
    assert_eq!(repo.read("src/x.py"), b"def x():\n    return 2\n");

    repo.git(&["reset", "-q", "--hard"]);
    repo.write("src/x.py", "def x():\n    return 1  # mine\n");
    let before = repo.snapshot();
    let dirty = host_with(repo.path(), &["apply", "--patch", "-"], patch, &[]).expect(7);
    assert!(dirty.stderr.contains("src/x.py"), "{dirty:?}");
    assert_eq!(before, repo.snapshot());
}

#[test]
fn apply_explains_every_line_of_the_reply() {
    let repo = repo();
    let reply = b"Here it is:\n\n```diff\n--- a/src/x.py\n+++ b/src/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n```\n";
    let args = ["apply", "--patch", "-", "--dry-run", "--no-guards", "--explain"];
    let json = host_with(repo.path(), &[&args[..], &["--format", "json"]].concat(), reply, &[]).expect(0).json();
    let parts = json["explanation"].as_array().unwrap();
    let of_edit: Vec<_> = parts.iter().filter(|part| part["part"] == "edit").collect();
    assert_eq!(of_edit.len(), 1, "{parts:?}");
    assert_eq!((of_edit[0]["from"].as_u64(), of_edit[0]["to"].as_u64()), (Some(4), Some(9)));
    let lines: u64 = parts.iter().map(|part| part["to"].as_u64().unwrap() - part["from"].as_u64().unwrap() + 1).sum();
    assert!(lines >= 10, "{parts:?}");
    let human = host_with(repo.path(), &args, reply, &[]).expect(0).stdout;
    assert!(human.contains("edit 1") && human.contains("+    return 2"), "{human}");

    // What refuses the reply stands among the others.
    let refused = [&reply[..], b"\nThen:\n\n```bash\nsed -i s/x/y/ src/x.py\n```\n"].concat();
    let json = host_with(repo.path(), &[&args[..], &["--format", "json"]].concat(), &refused, &[]).expect(7).json();
    let parts: Vec<_> = json["explanation"].as_array().unwrap().iter().collect();
    let of_rest: Vec<_> = parts.iter().filter(|part| part["part"] == "rest").collect();
    assert_eq!(of_rest.len(), 1, "{parts:?}");
    assert!(of_rest[0]["text"].as_str().unwrap().contains("sed -i"), "{parts:?}");
    let next = parts.iter().fold(1, |next, part| {
        assert_eq!(part["from"].as_u64(), Some(next), "{parts:?}");
        part["to"].as_u64().unwrap() + 1
    });
    assert_eq!(next, 17, "every line has one part: {parts:?}");
}

#[test]
fn apply_asks_the_guards_unless_told_not_to() {
    let repo = repo();
    let patch = b"--- a/src/x.py\n+++ b/src/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (1\n";
    let before = repo.snapshot();
    let json = host_with(repo.path(), &["apply", "--patch", "-", "--format", "json"], patch, &[]).expect(1).json();
    assert_eq!(json["applied"], false);
    assert_eq!(before, repo.snapshot());
    host_with(repo.path(), &["apply", "--patch", "-", "--no-guards"], patch, &[]).expect(0);
    assert_eq!(repo.status(), "M  src/x.py");
}

/// Each bad patch: what it is, and a word that its message must have. All end with exit code 7 and change nothing.
#[test]
fn bad_patches_are_told_apart_and_change_nothing() {
    let repo = repo();
    repo.write("untracked", "mine\n");
    let before = (repo.snapshot(), repo.status());
    let big = {
        let mut patch = String::from("--- a/src/x.py\n+++ b/src/x.py\n@@ -1,2 +1,99 @@\n def y():\n-    return 0\n");
        while patch.len() < 10 << 20 {
            patch.push_str("+    a line that makes the patch long enough\n");
        }
        patch
    };
    let cases: [(&str, &[u8], &str); 9] = [
        ("empty", b"", "empty"),
        ("prose", b"I would rather not change anything here, since the code is fine.\n", "no patch"),
        ("escape", b"--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n", "../x"),
        ("git internals", b"--- /dev/null\n+++ b/.GIT/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n", ".GIT"),
        ("the rules", b"--- /dev/null\n+++ b/guards.toml\n@@ -0,0 +1 @@\n+schema = 1\n", "guards.toml"),
        (
            "misfit",
            b"--- a/src/x.py\n+++ b/src/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 7\n+    return 2\n",
            "return 1",
        ),
        (
            "no such file",
            b"--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 7\n+    return 2\n",
            "src/x.py",
        ),
        ("large", big.as_bytes(), "src/x.py"),
        ("bytes", b"\xff\xfe\x00\x80 nothing \xff at all", "no patch"),
    ];
    for (name, patch, word) in cases {
        for command in ["apply", "check"] {
            let ran = host_with(repo.path(), &[command, "--patch", "-"], patch, &[]);
            assert_eq!(ran.code, 7, "{command} {name}: {ran:?}");
            let said = format!("{}{}", ran.stdout, ran.stderr).to_lowercase();
            assert!(said.contains(&word.to_lowercase()), "{command} {name} does not say `{word}`: {said}");
            let json = host_with(repo.path(), &[command, "--patch", "-", "--format", "json"], patch, &[]).json();
            assert!(json["refusal"].is_object(), "{command} {name}: {json}");
        }
        assert_eq!(before, (repo.snapshot(), repo.status()), "{name}");
    }
}

#[test]
fn odd_repositories_have_clear_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let none = host(folder.path(), &["check", "--staged"]).expect(7);
    assert!(none.stderr.contains("repository"), "{none:?}");
    let json = host(folder.path(), &["check", "--staged", "--format", "json"]).expect(7).json();
    assert_eq!((json["error"]["kind"].as_str(), json["error"]["exit_code"].as_u64()), (Some("git"), Some(7)));

    let bare = TestRepo::bare();
    let ran = host(bare.path(), &["check", "--staged"]).expect(7);
    assert!(ran.stderr.contains("bare"), "{ran:?}");

    let unborn = TestRepo::new();
    unborn.write("a.py", "def a(:\n");
    unborn.stage_all();
    let json = host(unborn.path(), &["check", "--staged", "--format", "json"]).expect(1).json();
    assert!(json["base"].is_null(), "{json}");

    let repo = repo();
    repo.git(&["checkout", "-q", "--detach"]);
    repo.write("src/x.py", "def x():\n    return 3\n");
    repo.stage_all();
    host(repo.path(), &["check", "--staged"]).expect(0);
    repo.git(&["commit", "-q", "-m", "three"]);

    let linked = repo.path().join("../linked");
    repo.git(&["worktree", "add", "-q", "--detach", linked.to_str().expect("UTF-8")]);
    std::fs::write(linked.join("src/x.py"), "def x(:\n").expect("written");
    git_in(&linked, &["add", "-A"], b"");
    host(&linked, &["check", "--staged"]).expect(1);

    let shallow = repo.path().join("../shallow");
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--depth", "1", &url, shallow.to_str().expect("UTF-8")]);
    std::fs::write(shallow.join("src/x.py"), "def x(:\n").expect("written");
    git_in(&shallow, &["add", "-A"], b"");
    host(&shallow, &["check", "--staged"]).expect(1);
    for range in ["HEAD~1..HEAD", "0000000000000000000000000000000000000000..HEAD"] {
        let beyond = host(&shallow, &["check", "--range", range]).expect(7);
        assert!(beyond.stderr.contains("shallow") && beyond.stderr.contains("--deepen"), "{range}: {beyond:?}");
    }
}

#[test]
fn odd_contents_are_judged_or_named() {
    use std::os::unix::ffi::OsStrExt;
    let repo = repo();
    let odd = std::ffi::OsStr::from_bytes(b"caf\xe9.py");
    repo.write(odd, "def x(:\n");
    repo.write("latin.py", b"# caf\xe9\nx = 1\n");
    repo.write("nul.json", b"{\0}");
    repo.symlink("src/x.py", "link.py");
    repo.write("src/x.py", "def x():\r\n    return 1\r\n");
    repo.stage_all();
    let oid = repo.oid("HEAD").to_string();
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{oid},sub")]);
    let json = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(1).json();
    let guards = json["guards"].as_array().expect("guards");
    let paths: Vec<_> = guards
        .iter()
        .flat_map(|guard| guard["findings"].as_array().into_iter().flatten())
        .map(|finding| finding["path"].clone())
        .collect();
    // A commit of another repository that nobody can fetch, and a name that is no UTF-8, are findings of their own.
    assert_eq!(paths, ["sub", "caf\\xe9.py", "nul.json", "src/x.py", "caf\\xe9.py"].map(Value::from), "{json}");
}

#[test]
fn usage_is_told() {
    let repo = repo();
    host(repo.path(), &["run", "--task", "x"]).expect(2);
    host(repo.path(), &["run", "--task", " ", "--provider", "claude"]).expect(2);
    host(repo.path(), &["run", "--task", "x", "--provider", "clod"]).expect(2);
    host(repo.path(), &["run", "--task", "x", "--provider", "claude", "--rounds", "0"]).expect(2);
    host(repo.path(), &["check", "--range", "nowhere..HEAD"]).expect(2);
    let ran = host_with(repo.path(), &["run", "--task", "x", "--provider", "claude"], b"", &[("PATH", "/nonexistent")])
        .expect(6);
    assert!(ran.stderr.contains("claude"), "{ran:?}");
    assert!(host(repo.path(), &["--help"]).expect(0).stdout.contains("host help exit-codes"));
    host(repo.path(), &["--version"]).expect(0);
}
