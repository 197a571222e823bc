//! What a provider is asked.

use guardhost_core::change::{Event, Feedback, RepoPath, TaskMode};
use guardhost_core::error::{FaultKind, kind};
use guardhost_provider::Chain;

use crate::support::agents::{ProviderHarness, tree};

/// The prompt that a stage sends.
fn prompt(stage: &ProviderHarness) -> String {
    stage.agent("echo", "cat");
    String::from_utf8(stage.ask("command:echo").unwrap().bytes).unwrap()
}

#[test]
fn the_prompt_shows_hinted_files_whole() {
    let mut stage = ProviderHarness::new();
    stage.tree = tree(&[
        ("README.md", b"# Title\n\n```\n````x\n```\n"),
        ("docs/crlf.txt", b"one\r\ntwo"),
        ("docs/logo.png", b"\x89PNG\0"),
        ("other.txt", b"{task}\n"),
    ]);
    stage.task.hints = ["docs/", "README.md", "new.txt", "docs/crlf.txt"].map(RepoPath::from).into();
    stage.task.mode = TaskMode::CompileFix;
    stage.feedback = Feedback { text: "docs-kept: 3 lines of code went missing\n".into() };
    insta::assert_snapshot!(prompt(&stage));
}

/// Files with credentials are named, so that a model knows of them, and never shown, hinted or not.
#[test]
fn the_prompt_shows_no_secret() {
    for hints in [&[][..], &[".env", "a.py", "keys/.ssh/id_rsa"]] {
        let mut stage = ProviderHarness::new();
        stage.tree = tree(&[(".env", b"TOKEN=hunter2\n"), ("keys/.ssh/id_rsa", b"hunter3\n"), ("a.py", b"x = 1\n")]);
        stage.task.hints = hints.iter().map(|hint| RepoPath::from(*hint)).collect();
        let text = prompt(&stage);
        assert!(!text.contains("hunter"), "{text}");
        assert!(text.contains("### .env\n\n(files of this name hold the environment's secrets: not shown)"), "{text}");
    }
}

/// The same for names that often hold credentials, for copies, and for private keys under any name.
#[test]
fn the_prompt_shows_no_private_key_under_any_name() {
    const PATHS: [&str; 8] = [
        "server.pem",
        "tls/site.key",
        "credentials.json",
        "service-account-x.json",
        "kubeconfig",
        "secrets.yml",
        ".npmrc~",
        "id_rsa.old",
    ];
    let mut files: Vec<(&str, &[u8])> = PATHS.map(|path| (path, &b"hunter3\n"[..])).into();
    files.push(("notes.py", b"x = 1\n# -----BEGIN EC PRIVATE KEY-----\n# hunter2\n"));
    let mut stage = ProviderHarness::new();
    stage.tree = tree(&files);
    stage.task.hints = files.iter().map(|(path, _)| RepoPath::from(*path)).collect();
    let text = prompt(&stage);
    assert!(!text.contains("hunter"), "{text}");
    for path in PATHS {
        assert!(text.contains(&format!("### {path}\n\n(")), "{path}: {text}");
    }
    assert!(text.contains("### notes.py\n\n(it holds a private key: not shown)"), "{text}");
}

#[test]
fn without_hints_the_prompt_shows_a_small_tree_or_what_the_task_names() {
    let mut stage = ProviderHarness::new();
    let files: Vec<_> = (0..4000).map(|n| format!("src/module{}/deep/file{n}.py", n % 3)).collect();
    let mut all: Vec<(&str, &[u8])> =
        files.iter().map(|file| (file.as_str(), &b"twenty-five bytes of text"[..])).collect();
    all.extend([(".gitignore", &b"target\n"[..]), ("notes.md", b"{task}\n")]);
    stage.task.text = "Sort `.gitignore`, and see (notes.md).".into();
    stage.tree = tree(&all);
    let text = prompt(&stage);
    assert!(text.contains("### .gitignore\n\n```\ntarget\n```"), "{text}");
    assert!(text.contains("### notes.md\n\n```\n{task}\n```"), "a value is not searched for names");
    assert!(text.contains(
        "\n\nsrc/module0/deep/ (1334 files)\nsrc/module1/deep/ (1333 files)\nsrc/module2/deep/ (1333 files)\n\n"
    ));

    let mut stage = ProviderHarness::new();
    stage.tree = tree(&all[3990..]);
    let text = prompt(&stage);
    assert!(
        text.contains("### src/module0/deep/file3999.py (no newline at end of file)\n")
            && !text.contains("What else is in the repository"),
        "{text}"
    );
}

#[test]
fn a_prompt_over_budget_says_what_did_not_fit() {
    let mut stage = ProviderHarness::new();
    stage.tree = tree(&[("big.txt", &[b'x'; 9000]), ("small.txt", b"x\n")]);
    stage.task.hints = ["big.txt", "small.txt"].map(RepoPath::from).into();
    stage.agent("agent", "echo answer");
    let mut short = stage.provider("command:agent");
    for tokens in [3_500, 2_000] {
        short.limits.prompt = tokens;
        let error = stage.ask_chain(&mut Chain::new(vec![short.clone()]), 1).unwrap_err();
        assert_eq!(kind(&error), FaultKind::Usage);
        let told = format!("{error:#}");
        assert!(told.contains("big.txt (9") && told.contains(&format!("may have {tokens}")), "{told}");
    }
    assert!(stage.events.all().iter().all(|event| !matches!(event, Event::Asking { .. })), "nobody was asked");
    // Who takes more is asked instead.
    let reply = stage.ask_chain(&mut Chain::new(vec![short, stage.provider("command:agent")]), 1).unwrap();
    assert_eq!(reply.bytes, b"answer\n");
    assert_eq!(stage.events.failures()[2..], ["agent context-too-long -> agent"]);
}
