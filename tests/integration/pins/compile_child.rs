//! The child process that compiles a guard.

use std::io::{Read, Write};
use std::process::Stdio;

use crate::support::cli::command;
use crate::support::guest::Guest;

/// The exit code of a compiler whose host is gone.
const ORPHANED: i32 = 3;

/// Its standard output has no reader when the host has ended, also by `kill -9`: no compiler goes on for nobody.
#[test]
fn it_ends_with_the_host() {
    // Seconds of work for the compiler.
    let functions: String = (0..4_000)
        .map(|n| {
            let body =
                "(local.set 0 (i32.mul (i32.add (local.get 0) (i32.const 7)) (i32.xor (local.get 0) (i32.const 3))))"
                    .repeat(40);
            format!("(func $f{n} (param i32) (result i32) {body} (local.get 0))")
        })
        .collect();
    let component = Guest { items: functions, ..Guest::default() }.component();
    let folder = tempfile::tempdir().unwrap();
    let run = |host_ends: bool| {
        let mut child = command(folder.path(), &["__compile"], &[]).stderr(Stdio::null()).spawn().unwrap();
        let stdout = child.stdout.take().unwrap();
        child.stdin.take().unwrap().write_all(&component).unwrap();
        let mut code = Vec::new();
        match host_ends {
            true => drop(stdout),
            false => drop({ stdout }.read_to_end(&mut code).unwrap()),
        }
        (child.wait().unwrap().code(), !code.is_empty())
    };
    assert_eq!(run(true), (Some(ORPHANED), false));
    assert_eq!(run(false), (Some(0), true));
}
