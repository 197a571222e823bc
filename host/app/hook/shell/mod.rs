//! The known ways around the hooks of git, in a shell command of an agent.
//!
//! What decides is what a command assigns, writes, removes and runs, not the name of its program: the same trick comes in many carriers.
//! `analysis` goes through a command line, `scripts` finds the command lines and programs inside of it, and `variables`, `settings`,
//! `files` and `git_command` say what of it is a way around.
//!
//! This is no sandbox: a program can do whatever it likes. It spares a model the attempt, and tells it what to do instead; what a command
//! left in the work tree is judged after it, and what enters a branch is judged by the hooks of git.

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
pub(super) use files::{is_hook_file, is_user_settings};

use words::base_name;

/// The first way around the hooks in a command line.
pub fn bypass(line: &str) -> Option<Bypass> {
    analysis::LineContext::default().script(line)
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
