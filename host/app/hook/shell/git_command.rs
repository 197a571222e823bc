//! One command line of git, behind the word `git`.

use super::{Bypass, names_hooks_path};

/// Options before the command that take the next word.
const WITH_VALUE: [&str; 8] =
    ["-c", "-C", "--config-env", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix"];

/// Commands whose hooks `--no-verify` skips.
const VERIFYING: [&str; 8] = ["am", "cherry-pick", "commit", "merge", "pull", "push", "rebase", "revert"];

/// Options of `git commit` that take the next word, or the rest of theirs.
const COMMIT_WITH_VALUE: [char; 6] = ['C', 'c', 'F', 'm', 't', 'S'];

pub(super) fn bypass(words: &[String]) -> Option<Bypass> {
    let mut rest = words.iter();
    let command = loop {
        let word = rest.next()?;
        if !word.starts_with('-') {
            break word;
        }
        if names_hooks_path(word) {
            return Some(Bypass::HooksPath);
        }
        if WITH_VALUE.contains(&word.as_str()) && rest.next().is_some_and(|value| names_hooks_path(value)) {
            return Some(Bypass::HooksPath);
        }
    };
    let args: Vec<&str> = rest.map(String::as_str).collect();
    match command.as_str() {
        "update-ref" | "fast-import" => Some(Bypass::MovesRef(command.clone())),
        "config" => changes_hooks_path(&args).then_some(Bypass::HooksPath),
        command if VERIFYING.contains(&command) => skips_hooks(command, &args).then_some(Bypass::NoVerify),
        _ => None,
    }
}

/// To read the setting is allowed.
fn changes_hooks_path(args: &[&str]) -> bool {
    let named = args.iter().position(|arg| names_hooks_path(arg));
    let Some(named) = named else { return false };
    let reads = args.iter().any(|arg| matches!(*arg, "get" | "--get" | "--get-all" | "list" | "--list" | "-l"));
    let changes = args
        .iter()
        .any(|arg| arg.starts_with("--unset") || matches!(*arg, "set" | "unset" | "--add" | "--replace-all"));
    changes || (!reads && args.len() > named + 1)
}

fn skips_hooks(command: &str, args: &[&str]) -> bool {
    let mut skip = false;
    for arg in args {
        if std::mem::take(&mut skip) {
            continue;
        }
        match arg.strip_prefix("--") {
            Some("") => return false,
            // Git takes every beginning that means one option alone.
            Some(long) if long.len() >= "no-ver".len() && "no-verify".starts_with(long) => return true,
            Some("message" | "file" | "author" | "date" | "template") => skip = true,
            Some(_) => {}
            None => {
                let Some(short) = arg.strip_prefix('-').filter(|_| command == "commit") else { continue };
                let flags = short.find(COMMIT_WITH_VALUE);
                if short[..flags.unwrap_or(short.len())].contains('n') {
                    return true;
                }
                skip = flags.is_some_and(|at| at + 1 == short.len() && !short.ends_with('S'));
            }
        }
    }
    false
}
