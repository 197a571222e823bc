//! The same guards through the binary: the exit code, a message, and an unchanged repository. Each is committed with the pin that
//! names it, as in a repository that trusts it.

use std::process::Command;

use crate::support::cli::{home, host};
use crate::support::guest::{Guest, ID};
use crate::support::repo::TestRepo;

/// Each guard's name, its bytes, the exit code, and a word of the message.
fn guests() -> Vec<(&'static str, Vec<u8>, i32, &'static str)> {
    let deep = "(func $deep (param i32) (result i32) (i32.add (call $deep (local.get 0)) (i32.const 1)))";
    let deep = Guest { items: deep.to_owned(), ..Guest::checking("(drop (call $deep (i32.const 0)))") };
    vec![
        ("loop", Guest::checking("(loop $l (br $l))").component(), 5, "fuel"),
        ("memory", Guest::checking("(loop $l (drop (memory.grow (i32.const 16))) (br $l))").component(), 5, "memory"),
        ("recursion", deep.component(), 5, "stack"),
        ("trap", Guest::checking("unreachable").component(), 5, "trap"),
        ("ungranted", Guest::curious().component(), 4, "repo"),
        ("bytes", b"\0asm not really".to_vec(), 4, "component"),
        ("module", Guest::default().module(), 4, "core module"),
        ("well-behaved", Guest::default().component(), 0, ""),
    ]
}

#[test]
fn each_ends_with_its_exit_code_and_a_clean_repository() {
    for (name, wasm, code, word) in guests() {
        let repo = TestRepo::with(&[("a.txt", "one\n")]);
        repo.write("guard.wasm", wasm);
        let rules = format!(
            "schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:guard.wasm\"\nlimits = {{ fuel = 200_000_000 }}\n"
        );
        repo.write("guards.toml", rules);
        repo.commit("rules");
        repo.write("a.txt", "two\n");
        repo.stage_all();
        repo.write("untracked", "mine\n");
        let before = (repo.snapshot(), repo.status());
        let human = host(repo.path(), &["check", "--staged"]);
        assert_eq!(human.code, code, "{name}: {human:?}");
        assert!(human.stdout.contains(word), "{name} does not say `{word}`: {human:?}");
        let json = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(code).json();
        let verdict = if code == 0 { ("pass", "pass") } else { ("error", "error") };
        assert_eq!(
            (json["verdict"].as_str(), json["guards"][0]["verdict"].as_str()),
            (Some(verdict.0), Some(verdict.1)),
            "{name}: {json}"
        );
        assert_eq!(before, (repo.snapshot(), repo.status()), "{name}");
    }
}

/// The shell may give the first thread a small stack, and on Windows it is always small.
#[test]
fn a_small_stack_of_the_first_thread_is_enough() {
    let limited = format!("ulimit -s 512; exec '{}' demo", env!("CARGO_BIN_EXE_host"));
    let ran = Command::new("sh").args(["-c", &limited]).env("HOME", home()).output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
}
