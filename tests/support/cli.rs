//! The real binary, in a clean environment.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::schema::hold_to_schema;

/// The outcome of a call of `host`.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; 128 + the signal's number when one ended it.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Standard output as the one JSON object it must be.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"))
    }

    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }
}

/// Runs `host` in `dir`.
pub fn host(dir: &Path, args: &[&str]) -> Ran {
    host_with(dir, args, b"", &[])
}

pub fn host_with(dir: &Path, args: &[&str], stdin: &[u8], env: &[(&str, &str)]) -> Ran {
    let mut child = command(dir, args, env).spawn().expect("the binary is built");
    // A program that does not read its input may close the pipe.
    let _ = child.stdin.take().expect("piped").write_all(stdin);
    let output = child.wait_with_output().expect("it ends");
    hold_to_schema(&String::from_utf8_lossy(&output.stdout));
    Ran {
        code: output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0)),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// What `host` writes to a terminal at which `keys` are typed; `script` gives it one. It must end well.
pub fn at_terminal(dir: &Path, words: &str, keys: &str) -> String {
    let line = format!("'{}' {words}", env!("CARGO_BIN_EXE_host"));
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    // No agent of this machine is on the path.
    command.current_dir(dir).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", home()).env("LANG", "C.UTF-8");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("script of util-linux runs");
    child.stdin.take().expect("piped").write_all(keys.as_bytes()).expect("a pipe");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The program that `host serve` and its like start: `cargo test --workspace` builds it beside `host`.
pub fn server() -> PathBuf {
    let server = Path::new(env!("CARGO_BIN_EXE_host")).with_file_name("guardhost-server");
    assert!(server.is_file(), "guardhost-server is not built: test with `cargo test --workspace`");
    server
}

/// Nothing of the caller's environment but PATH: tests must not depend on who runs them.
pub fn command(dir: &Path, args: &[&str], env: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_host"));
    command.current_dir(dir).args(args).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", home()).env("LANG", "C.UTF-8").envs(env.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// One home, and so one cache of compiled guards, for the whole test run.
pub fn home() -> &'static Path {
    static HOME: OnceLock<tempfile::TempDir> = OnceLock::new();
    HOME.get_or_init(|| tempfile::tempdir().expect("a temporary folder")).path()
}

/// A folder with `guardhost`, the name by which files that a team shares start the program.
pub fn guardhost() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let made = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_host"), folder.path().join("guardhost")).unwrap();
        folder
    });
    made.path()
}
