//! The README: its picture of a refused commit is what git prints, and it stays short.

use std::fs;
use std::process::Command;

use crate::support::author::root;
use crate::support::cli::{home, host};
use crate::support::repo::TestRepo;

/// A stranger reads it to its end.
const WORDS: usize = 900;

const BEFORE: &str = "# tally\n\nCounts the words of a text.\n\n```python\nfrom tally import count\n\ncount(\"Rose is a rose\")  # {\"rose\": 2, \"is\": 1, \"a\": 1}\n```\n";
const AFTER: &str = "# tally\n\nCounts the words of a text. See the documentation for examples.\n";

/// Runs git with a terminal, of which the hook prints for people.
const TERMINAL: &str = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)";

#[test]
fn its_picture_is_what_git_prints() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let picture = readme.split("```console\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a picture");
    let manifest = |end: &str| format!("{{\n  \"name\": \"tally\",\n  \"version\": \"0.3.0\"{end}\n}}\n");
    let repo = TestRepo::with(&[("README.md", BEFORE), ("package.json", &manifest(""))]);
    host(repo.path(), &["install", "git"]).expect(0);
    repo.write("README.md", AFTER);
    repo.write("package.json", manifest(","));
    repo.stage_all();
    let mut command = Command::new("python3");
    command.args(["-c", TERMINAL, "git", "commit", "-m", "Shorten the README"]).current_dir(repo.path());
    command.env_clear().env("HOME", home()).env("PATH", std::env::var_os("PATH").unwrap());
    let output = command.env("NO_COLOR", "1").env("TERM", "xterm").env("COLUMNS", "160").output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
    assert_eq!(format!("$ git commit -m \"Shorten the README\"\n{printed}"), picture);
}

#[test]
fn it_is_short() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let words = readme.split_whitespace().count();
    assert!(words <= WORDS, "{words} words, of {WORDS}");
}
