//! What a shell command was denied for, and what the model is told.

use guardhost_report::escape;

/// A way around the hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bypass {
    /// `--no-verify`, `git commit -n`.
    NoVerify,
    /// A setting with which git finds no hooks.
    HooksPath,
    /// A command of git that changes many settings at once, among them those of hooks.
    Settings(String),
    /// A command of git that moves refs without a commit, by name.
    MovesRef(String),
    /// A command that writes or removes git's own files, or settings of hooks.
    GitFiles(String),
    /// A variable or a command that turns hooks off.
    TurnsOff(String),
}

impl Bypass {
    /// What the model is told.
    pub fn reason(&self) -> String {
        match self {
            Bypass::NoVerify => "Do not skip the hooks: commit without --no-verify. If a hook rejects the change, it says what to \
                                 fix; fix that, and commit again."
                .to_owned(),
            Bypass::HooksPath => "Do not change core.hooksPath, or include other settings of git: the hooks of this repository judge \
                                  every commit. Commit with plain `git commit`; if a hook rejects the change, fix what it names."
                .to_owned(),
            Bypass::Settings(command) => format!(
                "Do not use `git {}`: it changes the settings that say which hooks judge a commit. Change one setting by its name.",
                escape::inline(command, 200)
            ),
            Bypass::MovesRef(command) => format!(
                "Do not move refs with `git {}`. Use git commit, git branch, git merge or git reset.",
                escape::inline(command, 200)
            ),
            Bypass::GitFiles(path) => format!(
                "Do not write or remove {}: it says what judges your changes, or it is git's own. Git's files are changed by commands \
                 of git, and settings of hooks by people. Name the files that you mean.",
                escape::inline(path, 200)
            ),
            Bypass::TurnsOff(what) => format!(
                "Do not use {}: it turns off what judges changes here. If a hook rejects the change, fix what it names; only a person \
                 turns hooks off.",
                escape::inline(what, 200)
            ),
        }
    }
}
