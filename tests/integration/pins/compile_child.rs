//! The child process that compiles a guard.

use std::io::{Read, Write};
use std::process::Stdio;

use crate::support::cli::command;
use crate::support::guest::Guest;

/// Its standard input ends when the host does, also by `kill -9`: no compiler goes on for nobody.
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
    let run = |and_end: bool| {
        let mut child = command(folder.path(), &["__compile"], &[]).stderr(Stdio::null()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&(component.len() as u64).to_le_bytes()).unwrap();
        stdin.write_all(&component).unwrap();
        let held = Some(stdin).filter(|_| !and_end);
        let mut code = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut code).unwrap();
        drop(held);
        (child.wait().unwrap().success(), !code.is_empty())
    };
    assert_eq!(run(true), (false, false), "the host is gone");
    assert_eq!(run(false), (true, true), "the host waits");
}
