//! What guards may ask, through the real binary: commits, paths of a grant, odd paths; and what findings may say.

use crate::support::cli::{Ran, host};
use crate::support::guest::{Found, Guest, ID, REJECT, verdict};
use crate::support::repo::TestRepo;

/// A repository that pins the guest, with these grants.
fn guarded(guest: &Guest, grants: &str) -> TestRepo {
    let repo = TestRepo::with(&[("a.txt", "one\n"), ("rules/x.toml", "x = 1\n"), ("secret.md", "hidden\n")]);
    repo.write("guard.wasm", guest.component());
    let pin = format!("schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:guard.wasm\"\ngrants = [{grants}]\n");
    repo.write("guards.toml", pin);
    repo.commit("guarded");
    repo
}

/// The words of the guest's error.
fn said(ran: &Ran) -> String {
    ran.json()["guards"][0]["reason"].as_str().unwrap_or_default().to_owned()
}

fn check(repo: &TestRepo, args: &[&str]) -> Ran {
    host(repo.path(), &[&["check", "--format", "json"], args].concat())
}

#[test]
fn a_guard_sees_the_commit_message() {
    let repo = guarded(&Guest::with_last_message(), "");
    repo.write("a.txt", "two\n");
    repo.stage_all();
    check(&repo, &["--staged"]).expect(0);
    repo.write(".git/COMMIT_EDITMSG", "Fix it\n\nSigned-off-by: A <a@b>\n# a comment of git's\n");
    let ran = check(&repo, &["--staged", "--message", ".git/COMMIT_EDITMSG"]).expect(5);
    assert_eq!(said(&ran), "Fix it\n\nSigned-off-by: A <a@b>\n");
    check(&repo, &["--staged", "--message", "nowhere"]).expect(2);

    repo.commit("The first\n\nwith a body");
    repo.write("a.txt", "three\n");
    repo.commit("The second");
    assert_eq!(said(&check(&repo, &["--range", "HEAD~2..HEAD"]).expect(5)), "The second\n");
    assert_eq!(said(&check(&repo, &["--range", "HEAD~1"]).expect(5)), "The first\n\nwith a body\n");
}

#[test]
fn a_guard_sees_the_log_of_a_path() {
    let log = Guest {
        items: r#"(data (i32.const 1800) "a.txt")"#.to_owned(),
        ..Guest::echo(
            r#"(import "guardhost:commits/commits@0.1.0" "touching" (func $touching (param i32 i32 i32 i32)))
               (import "guardhost:guard/change@0.1.0" "[method]commit.message" (func $message (param i32 i32)))"#,
            "import guardhost:commits/commits@0.1.0;",
            "(call $touching (i32.const 1800) (i32.const 5) (i32.const 9) (i32.const 4000))
             (if (i32.load8_u (i32.const 4000)) (then unreachable))
             (if (i32.ne (i32.load (i32.const 4012)) (i32.const 2)) (then unreachable))
             (call $message (i32.load (i32.load (i32.const 4008))) (i32.const 4000))
             (i32.load (i32.const 4000)) (i32.load (i32.const 4004))",
        )
    };
    let repo = guarded(&log, "\"commits\"");
    repo.write("a.txt", "two\n");
    repo.commit("This one touches it");
    repo.write("b.txt", "one\n");
    repo.commit("This one does not");
    repo.write("b.txt", "two\n");
    repo.stage_all();
    // TestRepo::with makes the first commit, which has a.txt too.
    assert_eq!(said(&check(&repo, &["--staged"]).expect(5)), "This one touches it\n");
}

/// Reads a file of the candidate by the path at 1800, and says its text, or the number of the reason.
fn reading(path: &str) -> Guest {
    Guest {
        items: format!("(data (i32.const 1800) \"{path}\") (data (i32.const 1900) \"absent--not-texttoo-largnot-gran\")"),
        ..Guest::echo(
            r#"(import "guardhost:repo/tree@0.1.0" "text" (func $text (param i32 i32 i32 i32)))"#,
            "import guardhost:repo/tree@0.1.0;",
            &format!(
                "(call $text (i32.const 1) (i32.const 1800) (i32.const {}) (i32.const 4000))
                 (if (i32.load8_u (i32.const 4000)) (then
                    (i32.store (i32.const 4008) (i32.add (i32.const 1900) (i32.mul (i32.const 8) (i32.load8_u (i32.const 4008)))))
                    (i32.store (i32.const 4012) (i32.const 8))))
                 (i32.load (i32.const 4008)) (i32.load (i32.const 4012))",
                path.replace("\\\\", "\\").len()
            ),
        )
    }
}

#[test]
fn a_grant_may_be_for_some_paths() {
    let told = |path: &str, grants: &str| {
        let repo = guarded(&reading(path), grants);
        repo.write("a.txt", "two\n");
        repo.stage_all();
        said(&check(&repo, &["--staged"]).expect(5))
    };
    let scoped = "\"repo:*.toml\", \"repo:/a.txt\"";
    assert_eq!(told("rules/x.toml", scoped), "x = 1\n");
    assert_eq!(told("a.txt", scoped), "two\n");
    assert_eq!(told("nowhere.toml", scoped), "absent--");
    assert_eq!(told("secret.md", scoped), "not-gran");
    assert_eq!(told("secret.md", "\"repo\""), "hidden\n");
    assert_eq!(told("secret.md", "\"repo\", \"repo:*.toml\""), "hidden\n");

    for (grant, told) in
        [("\"net:*.toml\"", "only `repo`"), ("\"repo:\"", "wrong grant"), ("\"disk\"", "what can be granted is")]
    {
        let repo = guarded(&reading("a.txt"), grant);
        repo.write("a.txt", "two\n");
        repo.stage_all();
        let ran = host(repo.path(), &["check", "--staged"]).expect(3);
        assert!(ran.stderr.contains(told), "{ran:?}");
    }
}

/// Asks whether a folder of the candidate is there, and says `true----`, `false---` or `not-gran`.
fn folder(path: &str) -> Guest {
    Guest {
        items: format!("(data (i32.const 1800) \"{path}\") (data (i32.const 1900) \"not-granfalse---true----\")"),
        ..Guest::echo(
            r#"(import "guardhost:repo/tree@0.1.0" "is-dir" (func $dir (param i32 i32 i32 i32)))"#,
            "import guardhost:repo/tree@0.1.0;",
            &format!(
                "(call $dir (i32.const 1) (i32.const 1800) (i32.const {}) (i32.const 4000))
                 (if (i32.load8_u (i32.const 4000))
                    (then (local.set $i (i32.const 0)))
                    (else (local.set $i (i32.add (i32.const 1) (i32.load8_u (i32.const 4008))))))
                 (i32.add (i32.const 1900) (i32.mul (i32.const 8) (local.get $i))) (i32.const 8)",
                path.len()
            ),
        )
    }
}

/// The folders that a grant for some paths shows are those below which it may show a file.
#[test]
fn a_grant_for_some_paths_hides_the_other_folders() {
    let told = |path: &str, grants: &str| {
        let repo = guarded(&folder(path), grants);
        repo.write("hidden/deep/y.md", "y\n");
        repo.stage_all();
        said(&check(&repo, &["--staged"]).expect(5))
    };
    for (path, grants, answer) in [
        ("rules", "\"repo:/rules/*.toml\"", "true----"),
        ("rules/no", "\"repo:/rules/**\"", "false---"),
        ("hidden", "\"repo:/rules/*.toml\"", "not-gran"),
        ("nowhere", "\"repo:/rules/*.toml\"", "not-gran"),
        ("hidden/deep", "\"repo:/rules/**\", \"repo:/hidden/*.md\"", "not-gran"),
        ("hidden", "\"repo:*.toml\"", "true----"),
        ("", "\"repo:/rules/*.toml\"", "true----"),
        ("hidden", "\"repo\"", "true----"),
    ] {
        assert_eq!(told(path, grants), answer, "{path:?} with {grants}");
    }
}

/// A file that is called `b\xff`, with a backslash, and one whose name ends with that byte.
#[test]
fn every_path_is_spelled_in_one_way() {
    use std::os::unix::ffi::OsStrExt;
    let told = |spelled: &str| {
        let repo = guarded(&reading(spelled), "\"repo\"");
        repo.write("b\\xff", "four characters\n");
        repo.write(std::ffi::OsStr::from_bytes(b"b\xff"), "one byte\n");
        repo.commit("odd names");
        repo.write("a.txt", "two\n");
        repo.stage_all();
        said(&check(&repo, &["--staged"]).expect(5))
    };
    // Two backslashes of WAT are one of the path.
    assert_eq!(told("b\\\\xff"), "one byte\n");
    assert_eq!(told("b\\\\x5cxff"), "four characters\n");
}

#[test]
fn findings_have_columns_and_related_places() {
    let found = Found {
        columns: Some((2, 3)),
        related: vec![("secret.md", 1, 1, "it is said here")],
        attributes: vec![("no-such", "attribute")],
        ..Found::at("a.txt", 1)
    };
    let repo = guarded(&Guest::answering(verdict(REJECT, &[found])), "");
    repo.write("a.txt", "two\n");
    repo.stage_all();
    let finding = &check(&repo, &["--staged"]).expect(1).json()["guards"][0]["findings"][0];
    assert_eq!((&finding["line"], &finding["column"], &finding["end_column"]), (&1.into(), &2.into(), &3.into()));
    assert_eq!(finding["related"][0]["path"], "secret.md");
    let sarif = host(repo.path(), &["check", "--staged", "--format", "sarif"]).expect(1).json();
    let result = &sarif["runs"][0]["results"][0];
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startColumn"], &region["endColumn"]), (&2.into(), &4.into()));
    assert_eq!(result["relatedLocations"][0]["message"]["text"], "it is said here");
    let human = host(repo.path(), &["check", "--staged"]).expect(1).stdout;
    assert!(human.contains("a.txt:1:2") && human.contains("secret.md:1: it is said here"), "{human}");
}
