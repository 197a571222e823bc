//! A run whose rounds are told by evidence: what a test shows, and that a new test shows nothing, are fed back.

use crate::integration::run::claude;
use crate::support::cli::host_with;
use crate::support::repo::TestRepo;
use crate::support::toolchain::sandboxes;
use crate::support::tools::{Tool, needs};

/// The guards that read, and those that run something.
const GUARDS: [&str; 8] = [
    "syntax-holds",
    "no-undefined-names",
    "imports-resolve",
    "definitions-kept",
    "no-skipped-tests",
    "no-test-regressions",
    "red-first",
    "mutants",
];

/// A patch of the code, and of the test that comes with it.
fn reply(code: &str, test: &str) -> String {
    format!(
        "```diff\n--- a/users.py\n+++ b/users.py\n@@ -1,2 +1,2 @@\n def find(users, name):\n-    return users.get(name)\n+    return {code}\n\
         --- a/tests/test_users.py\n+++ b/tests/test_users.py\n@@ -3,3 +3,7 @@\n \n def test_known():\n     assert find({{\"ada\": 1}}, \"ada\") == 1\n+\n+\n\
         +def test_new():\n+    assert {test}\n```\n"
    )
}

#[test]
fn a_broken_test_and_one_that_was_never_red_are_fed_back() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let other = |name: &str| format!("def test_{name}():\n    assert len(\"{name}\") > 1\n");
    let repo = TestRepo::with(&[
        ("pyproject.toml", "[project]\nname = \"users\"\n"),
        ("users.py", "def find(users, name):\n    return users.get(name)\n"),
        (
            "tests/test_users.py",
            "from users import find\n\n\ndef test_known():\n    assert find({\"ada\": 1}, \"ada\") == 1\n",
        ),
        ("tests/test_pages.py", &other("pages")),
        ("tests/test_shop.py", &other("shop")),
    ]);
    let red = "find({\"ada\": 1}, \"ADA\") == 1";
    let replies = [
        reply("users.get(name.upper())", red),
        reply("users.get(name.lower())", "find({\"bob\": 2}, \"bob\") == 2"),
        reply("users.get(name.lower())", red),
    ];
    let path = claude(repo.path(), &replies.each_ref().map(String::as_str));
    let path = path.replacen(':', &format!(":{}/bin:", pytest.display()), 1);
    let task = "fix: find users whose name is given in upper case";
    let mut words = vec!["run", "--task", task, "--file-hint", "users.py", "--provider", "claude", "--format", "json"];
    words.extend(GUARDS.iter().flat_map(|guard| ["--guard", guard]));
    let env = [("PATH", path.as_str()), ("ANTHROPIC_API_KEY", "no-key"), ("GUARDHOST_SANDBOX", sandbox)];
    let before = repo.snapshot();
    let json = host_with(repo.path(), &words, b"", &env).expect(0).json();
    let setbacks: Vec<String> =
        json["rounds"].as_array().unwrap().iter().map(|round| round["setback"]["kind"].to_string()).collect();
    assert_eq!(setbacks, ["\"rejected\"", "\"rejected\"", "null"], "{json}");
    assert!(before == repo.snapshot());
    let prompt = |number| std::fs::read_to_string(repo.path().join(format!("../bin/prompt.{number}"))).unwrap();
    let broken = "tests/test_users.py::test_known passed on the base and fails now";
    assert!(prompt(2).contains(broken), "{}", prompt(2));
    let never = "tests/test_users.py::test_new passes without the change too";
    assert!(prompt(3).contains(never) && !prompt(3).contains("fails now"), "{}", prompt(3));
    let commit = json["commit"].as_str().unwrap();
    assert!(repo.git(&["show", &format!("{commit}:tests/test_users.py")]).contains("ADA"));
}
