//! Which guards of a set read the content of a file.

use std::sync::Arc;

use guard_files::Globs;
use guardhost_core::change::{Mode, RepoPath};

use crate::describe::Stage;
use crate::facts::is_source;
use crate::readers::{TextQuestions, TextReaders};
use crate::set::{Guard, GuardSet};

/// The enforced guards that judge content.
pub struct Watchers<'s> {
    /// With the files that they ask for.
    guards: Vec<(&'s Guard, Globs)>,
    set: &'s GuardSet,
}

impl<'s> Watchers<'s> {
    /// Without guards that cannot be loaded or whose globs are wrong: their failure rejects the change by itself.
    pub fn new(set: &'s GuardSet) -> Self {
        let watcher = |guard: &'s Guard| {
            let outline = guard.outline(set).ok()?;
            let watches = guard.spec.mode == Mode::Enforce && outline.stages.contains(&Stage::Content);
            watches.then_some((guard, Globs::new(&outline.globs).ok()?))
        };
        Watchers { guards: set.guards.iter().filter_map(watcher).collect(), set }
    }

    /// Whether a guard reads the file at this path.
    pub fn read(&self, path: &RepoPath) -> bool {
        self.guards.iter().any(|(guard, globs)| guard.sees(path) && (globs.is_empty() || globs.matches(path)))
    }

    /// Whether guards ask for files of the name `old`, not just for any file, and none of them asks for `new`. Guards that ask for any
    /// file choose by its name themselves: where there are only such, every name of a source file is taken for one that they know, if something
    /// reads the language of the old one. What nobody reads was in nobody's sight.
    pub fn lose(&self, old: &RepoPath, new: &RepoPath) -> bool {
        let mut asking = self.guards.iter().filter(|(guard, globs)| guard.sees(old) && globs.matches(old)).peekable();
        match asking.peek() {
            Some(_) => asking.all(|(guard, globs)| !(guard.sees(new) && globs.matches(new))),
            None => {
                let of_any = |(guard, globs): &(&Guard, Globs)| globs.is_empty() && guard.sees(old);
                self.guards.iter().any(of_any) && is_source(old) && !is_source(new) && self.has_reader(old)
            }
        }
    }

    /// Whether a language reads files of that name. One that cannot be loaded may.
    fn has_reader(&self, path: &RepoPath) -> bool {
        let claims = |readers: Arc<TextReaders>| readers.claim(&path.to_string(), TextQuestions::ALL).is_some();
        self.set.readers().map_or(true, claims)
    }

    /// Whether a guard comes to read a file that is renamed from `old` to `new`: its pin names `new` alone, or guards ask for files of the name
    /// `new`, and none of them asked for `old`.
    pub fn gain(&self, old: &RepoPath, new: &RepoPath) -> bool {
        let asks = |(guard, globs): &(&Guard, Globs), path| guard.sees(path) && globs.matches(path);
        let mut asking = self.guards.iter().filter(|watcher| asks(watcher, new)).peekable();
        // Where a folder has rules of its own, the same guard is pinned twice.
        let judged_old = |component: &str| {
            self.guards.iter().any(|(guard, _)| guard.spec.component_id() == component && guard.sees(old))
        };
        self.guards.iter().any(|(guard, _)| guard.sees(new) && !judged_old(guard.spec.component_id()))
            || (asking.peek().is_some() && asking.all(|watcher| !asks(watcher, old)))
    }
}
