//! Which texts of a command are run: by a shell, by an interpreter, or by a program that takes a command line.

use super::files;
use super::variables::{assignment, is_name};
use super::words::{SimpleCommand, base_name};

/// A text that is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Script {
    Shell(String),
    /// In a language that is not the shell's.
    Program(String),
}

const SHELLS: [&str; 8] = ["ash", "bash", "dash", "fish", "ksh", "mksh", "sh", "zsh"];

const INTERPRETERS: [&str; 15] = [
    "awk",
    "bun",
    "deno",
    "gawk",
    "groovy",
    "julia",
    "lua",
    "mawk",
    "node",
    "osascript",
    "perl",
    "php",
    "python",
    "ruby",
    "tclsh",
];

/// Words before a program: those of the shell, and programs that start another one.
const BEFORE: [&str; 30] = [
    "!", "builtin", "chronic", "command", "do", "doas", "elif", "else", "env", "exec", "if", "ionice", "nice", "nohup",
    "parallel", "setsid", "stdbuf", "strace", "sudo", "then", "time", "timeout", "unbuffer", "until", "while", "xargs",
    "export", "declare", "readonly", "typeset",
];

/// Words behind which a message stands, for programs that take one.
const MESSAGES: [&str; 11] =
    ["-m", "--message", "--body", "-b", "--title", "-t", "--notes", "--description", "--subject", "--comment", "-am"];

/// Programs whose words are messages or patterns, and no commands.
const TEXTS: [&str; 8] = ["gh", "git", "glab", "jq", "sed", "tea", "hub", "yq"];

/// Programs that put hooks into a repository.
const INSTALLERS: [&str; 5] = ["guardhost", "host", "lefthook", "pre-commit", "prek"];

/// Where the program stands in a command: behind assignments, words of the shell, and programs that start another one.
pub(super) fn program(words: &[String]) -> usize {
    let mut at = 0;
    let mut is_behind = false;
    while let Some(word) = words.get(at) {
        let is_count = word.trim_end_matches(['s', 'm', 'h']).parse::<f64>().is_ok();
        match BEFORE.contains(&base_name(word)) {
            true => is_behind = true,
            false if assignment(word).is_some() && !words[..at].ends_with(&["-S".to_owned()]) => {}
            // The options of what stands before, and their numbers.
            false if is_behind && (word.starts_with('-') || is_count) => {}
            false => break,
        }
        at += 1;
    }
    at
}

fn is_interpreter(program: &str) -> bool {
    let name = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&name) || name == "nodejs"
}

/// What a command prints, as far as its words say it.
pub(super) fn printed(command: &SimpleCommand) -> String {
    let at = program(&command.words);
    let name = command.words.get(at).map_or("", |word| base_name(word));
    let words = match name {
        "echo" | "printf" => command.words[at + 1..].join("\n"),
        _ => String::new(),
    };
    // `printf 'a\nb'` has two lines.
    format!("{}\n{}", words.replace("\\n", "\n").replace("\\t", "\t"), command.input.join("\n"))
}

/// The files that a command writes what it prints to.
pub(super) fn written_files(command: &SimpleCommand) -> Vec<&String> {
    let at = program(&command.words);
    let is_tee = command.words.get(at).is_some_and(|word| base_name(word) == "tee");
    let tee = command.words.iter().skip(at + 1).filter(|word| is_tee && !word.starts_with('-'));
    command.written.iter().chain(tee).collect()
}

/// The texts that a command runs. `fed` is what it reads from the command before.
pub(super) fn run_by(command: &SimpleCommand, at: usize, fed: &str) -> Vec<Script> {
    let Some(word) = command.words.get(at) else { return assigned(&command.words) };
    let name = base_name(word);
    let args = &command.words[at + 1..];
    let input = || command.input.iter().cloned().chain([fed.to_owned()]).filter(|text| !text.trim().is_empty());
    if files::only_reads(name) {
        return Vec::new();
    }
    let mut found = assigned(assigning(&command.words, at));
    match name {
        // `env -S 'git commit'`.
        _ if word.contains(' ') => found.push(Script::Shell(word.clone())),
        "eval" => found.push(Script::Shell(args.join(" "))),
        "." | "source" => found.extend(input().map(Script::Shell)),
        "make" | "just" | "at" | "batch" | "crontab" => {
            found.extend(input().map(|text| Script::Shell(without_prefixes(&text))))
        }
        name if SHELLS.contains(&name) => match script_of_option(args) {
            Some(script) => found.push(Script::Shell(script.clone())),
            None => found.extend(input().map(Script::Shell)),
        },
        name if is_interpreter(name) => {
            found.extend(
                args.iter().filter(|arg| arg.contains(['(', ' ', '\'', '"', '`'])).cloned().map(Script::Program),
            );
            found.extend(input().map(Script::Program));
        }
        name if TEXTS.contains(&name) => {}
        "alias" => found.extend(args.iter().filter_map(|arg| arg.split_once('=')).map(|(_, value)| shell(value))),
        _ => found.extend(command_lines(args).map(Script::Shell)),
    }
    // A shell behind another program: `docker exec box sh -c …`, `find … -exec sh -c …`, `env -S …`.
    let behind = args.iter().position(|arg| SHELLS.contains(&base_name(arg)));
    found.extend(behind.and_then(|shell| script_of_option(&args[shell + 1..])).cloned().map(Script::Shell));
    found
}

/// The words of a command that may assign a variable. Those of git, for one, are messages and patterns.
pub(super) fn assigning(words: &[String], program: usize) -> &[String] {
    let takes_texts = words.get(program).is_some_and(|word| {
        let name = base_name(word);
        TEXTS.contains(&name) || files::only_reads(name)
    });
    if takes_texts { &words[..program] } else { words }
}

/// Values that hold a command: `GIT_EDITOR='…'`.
fn assigned(words: &[String]) -> Vec<Script> {
    let values = words.iter().filter_map(|word| assignment(word));
    values.filter(|(_, value)| value.contains(' ')).map(|(_, value)| shell(value)).collect()
}

/// Settings of git have a `!` before a command of the shell.
fn shell(value: &str) -> Script {
    Script::Shell(value.trim_start_matches('!').to_owned())
}

/// `bash -lc TEXT`.
fn script_of_option(args: &[String]) -> Option<&String> {
    let flag = args.iter().position(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('c'))?;
    args.get(flag + 1)
}

/// Words that are command lines by themselves. Messages are none.
fn command_lines(args: &[String]) -> impl Iterator<Item = String> + '_ {
    let is_message = |at: usize| at > 0 && MESSAGES.contains(&args[at - 1].as_str());
    let texts = (0..args.len()).filter(move |at| !is_message(*at)).flat_map(|at| {
        let arg = args[at].as_str();
        let value =
            arg.split_once('=').filter(|(name, _)| name.starts_with('-') || is_name(name)).map(|(_, value)| value);
        [Some(arg), value]
    });
    texts.flatten().filter(|text| text.trim().contains([' ', '\n'])).map(str::to_owned)
}

/// Words as a command line of the same words.
pub(super) fn joined(words: &[String]) -> String {
    match words {
        // Git gives one word to a shell as it is.
        [line] => line.clone(),
        words => words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect::<Vec<_>>().join(" "),
    }
}

/// Recipes of make begin with signs that are no part of the command.
pub(super) fn without_prefixes(text: &str) -> String {
    text.lines().map(|line| line.trim_start().trim_start_matches(['@', '-', '+'])).collect::<Vec<_>>().join("\n")
}

/// Whether what is printed into a command becomes its words.
pub(super) fn is_fed(words: &[String]) -> bool {
    words.iter().any(|word| matches!(base_name(word), "xargs" | "parallel"))
}

/// Whether a program runs a file that is written in another language than the shell's.
pub(super) fn runs_programs(words: &[String]) -> bool {
    let name = words.get(program(words)).map_or("", |word| base_name(word));
    is_interpreter(name) || [".py", ".js", ".mjs", ".pl", ".rb", ".php"].iter().any(|ending| name.ends_with(ending))
}

pub(super) fn is_installer(program: &str) -> bool {
    INSTALLERS.contains(&program)
}

/// `host install … --remove`, and the same of the programs that run hooks.
pub(super) fn uninstalls(words: &[String]) -> bool {
    // `npx lefthook uninstall` names it second.
    let Some(at) = words.iter().position(|word| INSTALLERS.contains(&base_name(word))) else { return false };
    if words[..at].iter().any(|word| base_name(word) == "git") {
        return false;
    }
    let has = |wanted: &str| words[at..].iter().any(|word| word == wanted);
    match base_name(&words[at]) {
        "host" | "guardhost" => has("install") && has("--remove"),
        _ => has("uninstall"),
    }
}
