//! Agents that npm installs are batch files, which `cmd.exe` reads. An argument must reach the program behind one as it is, or the start is
//! refused: what it would run instead is nobody's wish.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use guardhost_process::Starting;

use super::this;

/// Where a line of output begins that is an argument.
const MARK: &str = "argument:";

/// Each alone, and behind a plain one.
const ARGUMENTS: [&str; 14] = [
    "plain",
    "two words",
    "",
    "say \"hello\"",
    "\"",
    "%PATH%",
    "%CMDCMDLINE:~-1%&calc.exe",
    "a&b",
    "a|b>c<d",
    "^caret^",
    "(a) !b! ,;=",
    "C:\\folder\\",
    "--prompt=\"a & echo argument:injected\"",
    "\" & echo argument:injected & \"",
];

/// The part of this program that says its arguments.
pub fn say(words: &[OsString]) {
    words.iter().for_each(|word| println!("{MARK}{}", word.display()));
}

pub fn arrive_or_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("agent.cmd");
    // The form of what npm writes: the program, its own words, and all arguments.
    let text = format!("@ECHO off\r\n\"{}\" part:arguments %*\r\n", this().display());
    fs::write(&script, text).expect("a batch file");
    for argument in ARGUMENTS {
        for words in [&[argument][..], &["plain", argument]] {
            match arguments_of(&script, words) {
                None => println!("refused: {words:?}"),
                Some(arrived) => assert_eq!(arrived, words),
            }
        }
    }
    assert!(arguments_of(&script, &["plain", "two words"]).is_some(), "what is harmless is not refused");
    assert!(arguments_of(&script, &["line\nline"]).is_none(), "no line ends inside of an argument");
}

/// None: the start is refused.
fn arguments_of(script: &Path, words: &[&str]) -> Option<Vec<String>> {
    let prepared = Starting::prepare(Path::new(""), Path::new(""), script.as_os_str(), words);
    let started = prepared.and_then(|(mut command, starting)| {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok((command.spawn()?, starting))
    });
    let (child, starting) = match started {
        Err(error) => {
            assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{error}");
            return None;
        }
        Ok(started) => started,
    };
    let mut tree = starting.started(child.id()).expect("it is taken into the job");
    let output = child.wait_with_output().expect("it ends");
    assert!(tree.clear());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(said.lines().filter_map(|line| line.strip_prefix(MARK)).map(str::to_owned).collect())
}
