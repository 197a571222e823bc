//! The known ways around the hooks of git, in a shell command of an agent.
//!
//! What decides is what a command assigns, writes, removes and runs, not the name of its program: the same trick comes in many carriers.
//! `analysis` goes through a command line, `scripts` finds the command lines and programs inside of it, and `variables`, `settings`,
//! `files` and `git_command` say what of it is a way around.
//!
//! This is no sandbox: a program can do whatever it likes. It spares a model the attempt, and tells it what to do instead. What a command
//! did to the hooks, and left in the work tree, is looked at after it (`safeguards`), and what enters a branch is judged by the hooks of git.

mod analysis;
mod bypass;
mod files;
mod git_command;
mod program_text;
mod scripts;
mod settings;
mod variables;
mod words;

pub use bypass::Bypass;
pub(super) use files::{HOOK_FILES, HOST_SETTINGS, is_hook_file, is_user_settings};
pub(super) use settings::{STEERING, settings_of_command};

use std::path::Path;

use words::base_name;

/// The first way around the hooks in a command line that is run in a repository with these roots: its work tree, and the folder in which
/// git's own lies. None where they are not known.
pub fn bypass(line: &str, roots: &[&Path]) -> Option<Bypass> {
    analysis::LineContext::in_repository(roots).script(line)
}

/// Whether a command line starts only programs that change nothing, so that it makes no commit either.
pub fn only_reads(line: &str) -> bool {
    let line = words::read(line);
    let reads = |command: &words::SimpleCommand| {
        let is_reader = command.words.first().is_some_and(|word| files::only_reads(base_name(word)));
        is_reader && !command.words.iter().any(|word| word.contains('$'))
    };
    line.nested.is_empty() && line.commands.iter().all(reads)
}
