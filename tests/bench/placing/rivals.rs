//! What others make of the same input, each in a scratch repository that holds nothing but the file.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::Result_;
use super::corpus::Case;
use super::damage::Damaged;

pub struct Rivals {
    scratch: tempfile::TempDir,
}

const RIVALS: [(&str, &[&str]); 3] = [
    ("git", &["git", "apply", "--cached"]),
    ("git-3way", &["git", "apply", "--3way", "--recount"]),
    ("patch", &["patch", "-p1", "-F3", "-l", "-f", "-s", "--no-backup-if-mismatch", "-r", "-"]),
];

impl Rivals {
    pub fn new() -> Self {
        Rivals { scratch: tempfile::tempdir().expect("a scratch directory") }
    }

    pub fn run(&self, case: &Case, damaged: &Damaged) -> Vec<(&'static str, Result_)> {
        RIVALS.iter().map(|(name, command)| (*name, self.one(command, case, damaged))).collect()
    }

    fn one(&self, command: &[&str], case: &Case, damaged: &Damaged) -> Result_ {
        let folder = self.scratch.path().join("work");
        let _ = fs::remove_dir_all(&folder);
        let file = folder.join(&case.path);
        fs::create_dir_all(file.parent().expect("a parent")).map_err(|error| error.to_string())?;
        run(&folder, &["git", "init", "-q"], b"")?;
        if let Some(shown) = &damaged.shown {
            // What the provider was shown is in the history, where a three-way merge can find it.
            fs::write(&file, shown).map_err(|error| error.to_string())?;
            run(&folder, &["git", "-c", "core.autocrlf=false", "add", "-f", "."], b"")?;
        }
        fs::write(&file, &damaged.before).map_err(|error| error.to_string())?;
        run(&folder, &["git", "-c", "core.autocrlf=false", "add", "-f", "."], b"")?;
        run(&folder, command, &damaged.diff)?;
        if command.contains(&"--cached") {
            return run(&folder, &["git", "show", &format!(":{}", case.path)], b"");
        }
        fs::read(&file).map_err(|error| error.to_string())
    }
}

fn run(folder: &Path, command: &[&str], input: &[u8]) -> Result_ {
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    // A rival that stops reading closes the pipe: its exit says why.
    let _ = std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), input);
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if output.status.success() { Ok(output.stdout) } else { Err(output.status.to_string()) }
}
