//! `host check --add-allow`, and comments that allow nothing.

use serde_json::Value;

use crate::support::cli::{host, host_with};
use crate::support::repo::TestRepo;

const PYTHON: &str = "def f():\n    print(undefined_one, undefined_two)\n    text = \"\"\"\n    {}\n    \"\"\".format(undefined_three)\n    return text + \\\n        undefined_four\n";
const JAVASCRIPT: &str =
    "export function f() {\n  const text = `\n    ${undefinedOne}\n  `;\n  return text + undefinedTwo;\n}\n";

fn repo() -> TestRepo {
    let files = [("a.py", "def f():\n    return 1\n"), ("a.js", "export function f() {}\n"), ("a.txt", "x\n")];
    TestRepo::with(&files)
}

fn notices(report: &Value) -> Vec<String> {
    report["notices"].as_array().unwrap().iter().map(|notice| notice.as_str().unwrap().to_owned()).collect()
}

fn add(repo: &TestRepo, code: i32) -> Vec<String> {
    let line = ["check", "--add-allow", "bound by the host of the script", "--format", "json"];
    notices(&host(repo.path(), &line).expect(code).json())
}

fn text(repo: &TestRepo, path: &str) -> String {
    String::from_utf8(repo.read(path)).unwrap()
}

#[test]
fn findings_get_comments_where_a_comment_can_stand() {
    let repo = repo();
    repo.write("a.py", PYTHON);
    repo.write("a.js", JAVASCRIPT.replace('\n', "\r\n"));
    let said = add(&repo, 1);
    assert_eq!(said[0], "comments allow 5 findings in 2 files", "{said:?}");
    assert_eq!(said.len(), 2, "{said:?}");
    // `//` in a template is text.
    assert!(said[1].starts_with("a.js:3 no-undefined-names/name-unbound is not allowed: no comment"), "{said:?}");
    let comment = "guardhost: allow no-undefined-names/name-unbound bound by the host of the script";
    let python = text(&repo, "a.py");
    assert_eq!(python.matches(comment).count(), 3, "{python}");
    // Nothing but comments is new: none stands in a string.
    let lines = python.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("# guardhost"));
    let code: String = lines.map(|line| line.replace(&format!("  # {comment}"), "")).collect();
    assert_eq!(code, PYTHON, "{python}");
    let javascript = text(&repo, "a.js");
    assert!(javascript.contains(&format!("  // {comment}\r\n  return text + undefinedTwo;\r\n")), "{javascript}");
    assert_eq!(javascript.matches('\n').count(), javascript.matches("\r\n").count());
    // A second time there is nothing to do.
    let before = repo.snapshot();
    assert_eq!(add(&repo, 1)[0], "no comment was written");
    assert_eq!(repo.snapshot(), before);
}

/// A line has one comment, which names all that it allows.
#[test]
fn a_comment_that_is_there_gets_the_other_rule() {
    let repo = repo();
    repo.write("a.py", "def f():\n    return undefined_one  # guardhost: allow other/rule somebody said so\n");
    add(&repo, 0);
    let python = text(&repo, "a.py");
    let comment = "  # guardhost: allow no-undefined-names/name-unbound,other/rule somebody said so\n";
    assert!(python.ends_with(comment), "{python}");
}

#[test]
fn only_people_allow_and_only_what_a_line_has() {
    let repo = repo();
    repo.write("a.py", PYTHON);
    let token = format!("ghp_{}", "x7Kd92LmQp4RtVw8ZyBn3CfHj5GsTa6UeXi1");
    let line = ["check", "--add-allow", "a reason"];
    let before = repo.snapshot();
    for variable in ["CLAUDECODE", "CODEX_CI", "GEMINI_CLI", "CURSOR_AGENT"] {
        let ran = host_with(repo.path(), &line, b"", &[(variable, "1")]).expect(2);
        assert!(ran.stderr.contains("only people allow findings"), "{ran:?}");
    }
    assert_eq!(repo.snapshot(), before);
    for reason in ["", "--", "a */ b", "a\nb"] {
        host(repo.path(), &["check", "--add-allow", reason]).expect(2);
    }
    for other in ["--staged", "--fix"] {
        host(repo.path(), &[&line[..], &[other]].concat()).expect(2);
    }
    repo.write("a.py", format!("def f():\n    return \"{token}\"\n"));
    repo.write("a.txt", "one\n<<<<<<< ours\ntwo\n=======\nthree\n>>>>>>> theirs\n");
    let said = add(&repo, 1).join("\n");
    assert!(said.contains("a secret is taken out, or allowed by hand") && said.contains("a.txt:2"), "{said}");
    assert!(!text(&repo, "a.py").contains("guardhost"), "{said}");
    // Where the policy counts no comment of a change, none is written.
    let repo = TestRepo::with(&[
        (
            "guards.toml",
            "schema = 1\n\n[policy]\nallow_comments = \"base\"\n\n[[guard]]\nid = \"no-undefined-names\"\n",
        ),
        ("a.py", "def f():\n    return 1\n"),
    ]);
    repo.write("a.py", PYTHON);
    let ran = host(repo.path(), &line).expect(2);
    assert!(ran.stderr.contains("allow_comments"), "{ran:?}");
    assert_eq!(text(&repo, "a.py"), PYTHON);
}

#[test]
fn a_comment_that_allows_nothing_is_told() {
    let repo = repo();
    let told = |python: &str, arguments: &[&str], code: i32| {
        repo.write("a.py", python);
        let line = [&["check", "--worktree", "--format", "json"], arguments].concat();
        notices(&host(repo.path(), &line).expect(code).json())
            .into_iter()
            .filter(|notice| notice.contains("the comment allows"))
            .collect::<Vec<_>>()
    };
    let behind = |rule: &str, code: &str| format!("def f():\n    return {code}  # guardhost: allow {rule} a reason\n");
    let expected = "a.py:2: the comment allows `name-unbound`, which finds nothing there";
    assert_eq!(told(&behind("name-unbound", "2"), &[], 0), [expected]);
    assert_eq!(told(&behind("name-unbound", "undefined_one"), &[], 0), [""; 0]);
    // Of two rules the one that finds nothing.
    let both = told(&behind("no-undefined-names/name-unbound,no-secrets/token-added", "undefined_one"), &[], 0);
    assert_eq!(both, ["a.py:2: the comment allows `no-secrets/token-added`, which finds nothing there"]);
    let above = "def f():\n    # guardhost: allow no-undefined-names/name-unbound a reason\n    return 2\n";
    assert_eq!(told(above, &[], 0).len(), 1);
    // Its guard did not run, or does not look at the file, or nobody has the rule.
    assert_eq!(told(&behind("name-unbound", "2"), &["--guard", "syntax-holds"], 0), [""; 0]);
    assert_eq!(told(&behind("no-such-guard/no-rule", "2"), &[], 0), [""; 0]);
    repo.write(
        "guards.toml",
        "schema = 1\n\n[[guard]]\nid = \"no-undefined-names\"\npaths = { exclude = [\"a.py\"] }\n",
    );
    let ran = host(repo.path(), &["check", "--worktree", "--format", "json", "--config", "guards.toml"]);
    assert!(!ran.stdout.contains("the comment allows"), "{ran:?}");
    std::fs::remove_file(repo.path().join("guards.toml")).unwrap();
    // What was there before is not judged, and so is no comment of it.
    repo.write("a.py", behind("name-unbound", "2"));
    repo.commit("comment");
    let later = format!("{}\n\ndef g():\n    return 3\n", behind("name-unbound", "2"));
    assert_eq!(told(&later, &[], 0), [""; 0]);
    let moved = format!("def g():\n    return 3\n\n\n{}", behind("name-unbound", "2"));
    assert_eq!(told(&moved, &[], 0), [""; 0]);
    repo.write("a.py", behind("name-unbound", "2").replace("return 2", "return 4"));
    let shown = host(repo.path(), &["check", "--worktree"]).expect(0);
    assert!(shown.stdout.contains(expected), "{shown:?}");
}
