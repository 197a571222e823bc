//! `host acp` between an editor and agents that are made with the SDKs of the protocol, for Python and npm.

mod agents;
mod bytes;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

const CODE: &str = "def x():\n    return 1\n\n\ndef z():\n    return x()\n";
const TESTS: &str = "from x import x\n\n\ndef test_x():\n    assert x() == 1\n";
const PAGE: &str =
    "# x\n\nSome text.\n\n```console\n$ x --all --verbose --really-all-of-it\n$ x --help\n$ x --version | less\n```\n";

/// Writes that the guards or the host reject, each as a model might make it.
const PLANTED: [(&str, &str); 20] = [
    ("x.py", "def x(:\n    return 1\n"),
    ("x.py", "def x():\n<<<<<<< HEAD\n    return 1\n=======\n    return 2\n>>>>>>> b\n"),
    ("x.py", "def x():\n    return 1\n\n\n# ... existing code ...\n"),
    ("x.py", "def x(a):\n    return a\n\n\ndef z():\n    return x()\n"),
    ("x.py", "def q():\n    return 1\n"),
    ("y.py", "def y():\n    return undefined_name\n"),
    ("y.py", "from x import nothing\n"),
    ("test_x.py", "import pytest\nfrom x import x\n\n\n@pytest.mark.skip\ndef test_x():\n    assert x() == 1\n"),
    ("README.md", "# x\n\nSome text.\n"),
    ("package.json", "{\n  \"name\": \"x\",\n"),
    ("a.toml", "[a\nb = \n"),
    ("a.yaml", "a: [1, 2\nb: }\n"),
    ("a.ts", "const a: = ;\nfunction (\n"),
    ("a.rs", "fn x( {\n"),
    ("a.go", "package a\nfunc x( {\n"),
    ("b.py", "token = \"ghp_1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R\"\n"),
    ("guards.toml", "schema = 1\nguards = []\n"),
    (".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n"),
    (".claude/settings.json", "{\"hooks\": {}}\n"),
    (".env", "PASSWORD=hunter2\n"),
];

fn repo() -> TestRepo {
    TestRepo::with(&[
        ("x.py", CODE),
        ("test_x.py", TESTS),
        ("README.md", PAGE),
        ("package.json", "{\n  \"name\": \"x\"\n}\n"),
    ])
}

/// The editor, with an agent behind the proxy.
struct Editor {
    child: Child,
    told: BufReader<ChildStdout>,
}

impl Editor {
    /// None where an SDK is missing.
    fn open(repo: &TestRepo, agent: &[PathBuf]) -> Option<Self> {
        Self::open_with(repo, agent, &[])
    }

    fn open_with(repo: &TestRepo, agent: &[PathBuf], variables: &[(&str, String)]) -> Option<Self> {
        let python = needs(Tool::AcpForPython)?.join("bin/python");
        let mut command = Command::new(python);
        command
            .arg(support("acp_client.py"))
            .arg(repo.path())
            .args([env!("CARGO_BIN_EXE_host"), "acp", "--"])
            .args(agent);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let told = BufReader::new(child.stdout.take().unwrap());
        let mut editor = Editor { child, told };
        assert_eq!(editor.hear()["version"], 1);
        Some(editor)
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.told.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("the editor said {line:?}: {error}"))
    }

    /// What the editor saw of a turn.
    fn say(&mut self, text: &str) -> Value {
        writeln!(self.child.stdin.as_ref().unwrap(), "{}", json!(text)).unwrap();
        let saw = self.hear();
        assert_eq!(saw["ended"], "end_turn", "{saw}");
        saw
    }

    /// The same, and what the agent said of each step.
    fn prompt(&mut self, steps: &Value) -> (Value, Vec<Value>) {
        let saw = self.say(&steps.to_string());
        let said =
            saw["said"].as_str().unwrap().lines().filter_map(|line| serde_json::from_str::<Vec<Value>>(line).ok());
        let came = said.flatten().collect();
        (saw, came)
    }

    /// Both ends end.
    fn close(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

/// A test that fails leaves no programs behind.
impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn support(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support").join(file)
}

fn python_agent() -> Option<Vec<PathBuf>> {
    Some(vec![needs(Tool::AcpForPython)?.join("bin/python"), support("acp_agent.py")])
}

fn npm_agent() -> Option<Vec<PathBuf>> {
    Some(vec![needs(Tool::Node)?, support("acp_agent.mjs"), needs(Tool::AcpForNode)?])
}

fn planted_writes_are_held(agent: Option<Vec<PathBuf>>) {
    let Some(agent) = agent else { return };
    let repo = repo();
    let Some(mut editor) = Editor::open(&repo, &agent) else { return };
    let before = repo.snapshot();
    let write = |(path, text): &(&str, &str)| json!({ "write": [repo.path().join(path), text] });
    let (saw, came) = editor.prompt(&PLANTED.iter().map(write).collect());
    assert_eq!(came.len(), PLANTED.len(), "{saw}");
    for (planted, came) in PLANTED.iter().zip(&came) {
        let said = came["error"].as_str().unwrap_or_else(|| panic!("{planted:?} passed: {came}"));
        assert!(said.contains("Guardhost rejects this edit, and nothing was written"), "{planted:?}: {said}");
    }
    assert_eq!(saw["written"], json!([]), "the editor hears of none");
    assert_eq!(repo.snapshot(), before);
    let good = [("x.py", CODE.replace("return 1", "return 2")), ("y.py", "def y():\n    return 3\n".to_owned())];
    let steps = good.iter().map(|(path, text)| write(&(*path, text.as_str())));
    let (saw, came) = editor.prompt(&steps.collect());
    assert_eq!(came, ["done", "done"], "{saw}");
    for (path, text) in good {
        assert_eq!(repo.read(path), text.as_bytes());
    }
    editor.close();
}

#[test]
fn planted_writes_of_an_agent_in_python_are_held() {
    planted_writes_are_held(python_agent());
}

#[test]
fn planted_writes_of_an_agent_of_npm_are_held() {
    planted_writes_are_held(npm_agent());
}

/// With whole files, with the lines that are replaced, shown before or with the question; of several files as one change.
#[test]
fn a_question_that_shows_an_edit_is_judged_before_a_person_sees_it() {
    let Some(agent) = python_agent() else { return };
    let repo = repo();
    let Some(mut editor) = Editor::open(&repo, &agent) else { return };
    let (x, y) = (repo.path().join("x.py"), repo.path().join("y.py"));
    let broken = CODE.replace("x():", "x(:");
    let with_argument = json!([x, "def x():\n    return 1", "def x(a):\n    return a"]);
    let steps = json!([
        { "permit": [[x, CODE, broken]] },
        { "permit": [[x, CODE, broken]], "shown": true },
        { "permit": [[x, "def x():", "def x(:"]] },
        { "permit": [[y, null, "def y(:\n"]] },
        { "permit": [with_argument] },
        { "permit": [[x, "no such line", "another"]] },
        { "permit": [[x, "    return 1", "    return 2"]] },
        { "permit": [[y, null, "def y():\n    return 1\n"]] },
        { "permit": [with_argument, [x, "return x()", "return x(1)"], ["test_x.py", "x() == 1", "x(1) == 1"]] },
        { "permit_run": "git commit --no-verify -m x" },
        { "permit_run": "ls" },
    ]);
    let (saw, came) = editor.prompt(&steps);
    let words = |at: usize| came[at]["error"].as_str().unwrap_or_else(|| panic!("{at}: {came:?}"));
    for at in 0..6 {
        assert!(words(at).contains("rejects this edit"), "{at}: {came:?}");
    }
    assert_eq!(came[6..9], ["yes", "yes", "yes"], "{came:?}");
    assert!(words(9).contains("Do not skip the hooks"), "{came:?}");
    assert_eq!((&came[10], saw["asked"].as_array().unwrap().len()), (&json!("yes"), 4), "{saw}");
    editor.close();
}

/// By its shell, and by the editor's terminal. It is asked to go on once, within the turn that the editor asked for.
#[test]
fn what_an_agent_does_by_itself_is_judged_at_the_end_of_its_turn() {
    let Some(agent) = python_agent() else { return };
    let repo = repo();
    let Some(mut editor) = Editor::open(&repo, &agent) else { return };
    let bad = "sed -i 's/x():/x(:/' x.py";
    let steps = json!([{ "shell": bad }, { "then": [{ "shell": "git checkout -q x.py" }] }]);
    let (saw, came) = editor.prompt(&steps);
    assert_eq!(came[0], "done");
    let told = came[1]["told"].as_str().unwrap_or_else(|| panic!("the agent is not asked to go on: {saw}"));
    assert!(told.contains("rejects what is not committed") && told.contains("x.py"), "{told}");
    assert!(
        saw["said"].as_str().unwrap().contains("Guardhost asked the agent to go on"),
        "the person sees it, too: {saw}"
    );
    assert_eq!((came.len(), repo.status()), (3, String::new()));

    // An agent that leaves it so may end, and the person is told.
    let (saw, came) = editor.prompt(&json!([{ "terminal": ["sh", "-c", bad] }]));
    assert_eq!((came.len(), came[1]["told"].is_string()), (2, true), "{saw}");
    assert_eq!(saw["said"].as_str().unwrap().matches("rejects what is not committed").count(), 3, "{saw}");

    let (saw, came) = editor.prompt(&json!([{ "terminal": ["git", "commit", "--no-verify", "-qam", "bad"] }]));
    assert!(came[0]["error"].as_str().is_some_and(|said| said.contains("Do not skip the hooks")), "{saw}");
    assert_eq!((&saw["ran"], repo.git(&["log", "--format=%s"]).as_str()), (&json!([]), "base"));
    editor.close();
}

#[test]
fn an_agent_that_cannot_be_started_or_fails_is_named() {
    let repo = repo();
    let ran = crate::support::cli::host(repo.path(), &["acp", "--", "no-such-agent"]).expect(6);
    assert!(ran.stderr.contains("cannot start no-such-agent"), "{ran:?}");
    let ran = crate::support::cli::host(repo.path(), &["acp", "--", "sh", "-c", "exit 3"]).expect(6);
    assert!(ran.stderr.contains("sh ended with exit code 3"), "{ran:?}");
    assert_eq!(ran.stdout, "");
}
