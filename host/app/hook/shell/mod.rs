//! The known ways around the hooks of git, in a shell command of an agent.
//!
//! This is no sandbox: a program can do whatever it likes. It spares a model the attempt, and tells it what to do instead; what a command
//! left in the work tree is judged after it, and what enters a branch is judged by the hooks of git.

mod git_command;
mod words;

use guardhost_report::escape;

/// A way around the hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bypass {
    /// `--no-verify`, `git commit -n`.
    NoVerify,
    /// A setting with which git finds no hooks.
    HooksPath,
    /// A command of git that moves refs without a commit, by name.
    MovesRef(String),
    /// A command that writes git's own files, or settings of hooks.
    GitFiles(String),
    /// A variable or a command that turns hooks off.
    TurnsOff(String),
}

impl Bypass {
    /// What the model is told.
    pub fn reason(&self) -> String {
        match self {
            Bypass::NoVerify => {
                "Do not skip the hooks: commit without --no-verify. If a hook rejects the change, it says \
                                 what to mend; mend that, and commit again."
                    .to_owned()
            }
            Bypass::HooksPath => {
                "Do not change core.hooksPath: the hooks of this repository judge every commit. Commit with \
                                  plain `git commit`; if a hook rejects the change, mend what it names."
                    .to_owned()
            }
            Bypass::MovesRef(command) => {
                format!("Do not move refs with `git {command}`. Use git commit, git branch, git merge or git reset.")
            }
            Bypass::GitFiles(path) => format!(
                "Do not write {}: it says what judges your changes, or it is git's own. Git's files are changed by commands of \
                 git, and settings of hooks by people.",
                escape::inline(path, 200)
            ),
            Bypass::TurnsOff(what) => format!(
                "Do not use {}: it turns off what judges changes here. If a hook rejects the change, mend what it names; \
                 only a person turns hooks off.",
                escape::inline(what, 200)
            ),
        }
    }
}

/// The first way around the hooks in a command line.
pub fn bypass(line: &str) -> Option<Bypass> {
    words::commands(line).iter().find_map(|words| of_command(words))
}

/// Whether a command line starts only programs that change nothing, so that it makes no commit either.
pub fn only_reads(line: &str) -> bool {
    let commands = words::commands(line);
    commands.iter().all(|words| {
        let program = words::base_name(&words[0]);
        program != "git" && READERS.contains(&program) && !words.iter().any(|word| word.contains('$'))
    })
}

fn of_command(words: &[String]) -> Option<Bypass> {
    if let Some(word) = words.iter().find(|word| turns_off(word)) {
        return Some(Bypass::TurnsOff(word.clone()));
    }
    let git = words.iter().position(|word| words::base_name(word) == "git");
    let runner = words.iter().position(|word| RUNNERS.contains(&words::base_name(word)));
    match (git, runner) {
        // The first is the program, and the other one of its words.
        (Some(git), runner) if runner.is_none_or(|runner| git < runner) => {
            return git_command::bypass(&words[git + 1..]).or_else(|| git_files(words));
        }
        (_, Some(runner)) if uninstalls(&words[runner..]) => {
            return Some(Bypass::TurnsOff(words[runner..].join(" ")));
        }
        (_, Some(_) | None) => {}
    }
    if words.iter().any(|word| names_hooks_path(word)) && words.iter().any(|word| word.contains("GIT_CONFIG")) {
        return Some(Bypass::HooksPath);
    }
    git_files(words)
}

/// A file that is included can set it as well.
fn names_hooks_path(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ["core.hookspath", "include.path", "includeif."].iter().any(|name| word.contains(name))
}

/// An assignment of a variable that hooks and this program look at.
fn turns_off(word: &str) -> bool {
    let Some((name, value)) = word.split_once('=') else { return false };
    match name {
        "HUSKY" | "LEFTHOOK" => value == "0" || value == "false",
        "SKIP" | "LEFTHOOK_EXCLUDE" => value.contains("guardhost"),
        // Without the user's own settings the hooks stay; with those of another file they may not.
        "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM" => !value.is_empty() && value != "/dev/null",
        name => name.starts_with("GUARDHOST_"),
    }
}

/// Programs that put hooks into a repository.
const RUNNERS: [&str; 5] = ["guardhost", "host", "lefthook", "pre-commit", "prek"];

/// `host install … --remove`, and the same of the programs that run hooks.
fn uninstalls(words: &[String]) -> bool {
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    match words::base_name(&words[0]) {
        "host" | "guardhost" => has("install") && has("--remove"),
        _ => has("uninstall"),
    }
}

/// Programs that only read what they are given.
const READERS: [&str; 16] = [
    "cat", "diff", "du", "echo", "file", "git", "grep", "head", "less", "ls", "more", "rg", "stat", "tail", "test",
    "wc",
];

/// A program that may write, with a path to what git keeps for itself; or a redirection to one.
fn git_files(words: &[String]) -> Option<Bypass> {
    let program = words::base_name(words.iter().find(|word| !word.contains('='))?);
    let reads = READERS.contains(&program);
    // Many programs are told to leave `.git` out.
    let removes = ["chmod", "chown", "mv", "rm"].contains(&program);
    let mut redirected = false;
    for word in &words[1..] {
        let target = std::mem::replace(&mut redirected, word.starts_with('>'));
        if (is_git_file(word) && (target || !reads)) || (removes && (is_git_folder(word) || is_git_pattern(word))) {
            return Some(Bypass::GitFiles(word.clone()));
        }
    }
    None
}

/// Settings that say which hooks an agent runs.
pub(super) const HOOK_FILES: [&str; 6] = [
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".cursor/hooks.json",
    ".gemini/settings.json",
];

fn is_git_file(word: &str) -> bool {
    const KEPT: [&str; 6] = ["hooks", "refs", "config", "packed-refs", "guardhost", "HEAD"];
    // `--output=.git/hooks/x` names one too.
    let path = word.rsplit('=').next().unwrap_or(word);
    if HOOK_FILES.iter().any(|file| std::path::Path::new(path).ends_with(file)) {
        return true;
    }
    let mut parts = path.split('/').filter(|part| !part.is_empty() && *part != ".");
    parts.any(|part| part.eq_ignore_ascii_case(".git"))
        && parts.next().is_some_and(|next| KEPT.iter().any(|kept| next.eq_ignore_ascii_case(kept)))
}

/// What a shell makes of a pattern below `.git` is not known.
fn is_git_pattern(word: &str) -> bool {
    let mut parts = word.split('/');
    parts.any(|part| part.eq_ignore_ascii_case(".git")) && parts.any(|part| part.contains(['*', '?', '[', '{']))
}

fn is_git_folder(word: &str) -> bool {
    word.split('/').rfind(|part| !part.is_empty() && *part != ".").is_some_and(|last| last.eq_ignore_ascii_case(".git"))
}
