//! The server as a program: what it says of itself, and that it ends as `host` does.

use std::process::{Command, Output};

fn server(words: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_guardhost-server"));
    command.current_dir(folder.path()).args(words).env_clear().env("HOME", folder.path());
    command.output().expect("it is built")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn it_says_its_name_and_version() {
    let said = server(&["--version"]);
    assert_eq!(text(&said.stdout), format!("guardhost-server {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_wrong_command_line_and_a_missing_repository_end_as_those_of_host_do() {
    let unknown = server(&["check", "--staged"]);
    assert_eq!(unknown.status.code(), Some(2), "{unknown:?}");
    let missing = server(&["submit", "--staged", "--format", "json"]);
    assert_eq!(missing.status.code(), Some(7), "{missing:?}");
    assert!(text(&missing.stdout).starts_with("{\"schema_version\""), "{missing:?}");
}

/// A queue in memory ends with its process: a fleet without jobs and workers would be shown as if it were one that rests.
#[test]
fn what_asks_a_fleet_wants_to_know_which() {
    for words in
        [&["fleet", "status"][..], &["fleet", "retry", "--all"], &["worker"], &["submit", "--job", &"0".repeat(64)]]
    {
        let asked = server(words);
        assert_eq!(asked.status.code(), Some(2), "{asked:?}");
        let said = text(&asked.stderr);
        assert!(said.contains("no queue is named") && said.contains("GUARDHOST_QUEUE"), "{words:?}: {said}");
    }
}

/// It compiles guards, and confines what they start, in processes of its own, as `host` does.
#[test]
fn it_has_the_parts_that_run_as_processes_of_their_own() {
    // Nothing on standard input is no component: the engine says so, and not the command line.
    let compiled = server(&["__compile"]);
    assert!(!compiled.status.success() && !text(&compiled.stderr).contains("unrecognized"), "{compiled:?}");
    assert!(!text(&compiled.stderr).is_empty(), "{compiled:?}");
}
