//! Whether a name is bound in a way that its own file does not show.

use std::collections::{BTreeMap, BTreeSet};

use guard_sdk::language::{Members, NameRole, Origin};
use guard_sdk::{Change, Side};

use crate::shared_scope::Elsewhere;
use crate::suspect::Cause;

pub struct Origins<'c> {
    change: &'c Change,
    path: &'c str,
    origins: &'c [Origin],
    is_module: bool,
    /// By the position of the origin: each is asked once about a name.
    answers: BTreeMap<(usize, String), bool>,
}

impl<'c> Origins<'c> {
    pub fn new(change: &'c Change, path: &'c str, origins: &'c [Origin], is_module: bool) -> Self {
        Origins { change, path, origins, is_module, answers: BTreeMap::new() }
    }

    pub fn provide(&mut self, name: &str, role: NameRole, cause: Cause) -> bool {
        let is_new = cause == Cause::New;
        for (at, origin) in self.origins.iter().enumerate() {
            let may = match origin {
                Origin::Linters(_) | Origin::Runner => is_new,
                Origin::Packages(_) => role == NameRole::PathHead,
                Origin::Macros(_) => role == NameRole::Derived,
                Origin::Members(_) => role == NameRole::Exported,
                Origin::Shared(_) => true,
            };
            let key = (at, name.to_owned());
            if may && self.answers.get(&key).copied().unwrap_or_else(|| self.look(origin, name)) {
                self.answers.insert(key, true);
                return true;
            }
            if may {
                self.answers.insert(key, false);
            }
        }
        false
    }

    fn look(&self, origin: &Origin, name: &str) -> bool {
        let repo = self.change.repo(Side::After);
        match origin {
            Origin::Linters(globs) => {
                // A change lists nothing for what it writes; who configures a linter for the first time lists what there is.
                let globs = texts(globs);
                let base = self.change.repo(Side::Before);
                let repo = if base.find(&globs, 1).is_empty() { repo } else { base };
                !repo.search(&[name], &globs, 1).is_empty()
            }
            Origin::Runner => is_given_beside(self.change, self.path, name),
            Origin::Packages(manifests) => {
                let dashed = name.replace('_', "-");
                !repo.search(&[name, &dashed], &texts(manifests), 1).is_empty()
            }
            Origin::Macros((globs, mark)) => {
                let hits = repo.search(&[mark], &texts(globs), 200);
                hits.iter().any(|hit| is_of_package(self.path, &hit.path))
            }
            Origin::Members(members) => is_member(self.change, self.path, members, name),
            Origin::Shared(scope) => Elsewhere::new(self.change, self.path, scope, self.is_module).provides(name),
        }
    }
}

pub fn texts(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}

/// Whether a file is of the same package: tests and examples are packages of their own.
fn is_of_package(path: &str, other: &str) -> bool {
    match path.split_once("src/") {
        Some((root, _)) => other.starts_with(&format!("{root}src/")),
        None => other == path,
    }
}

/// Whether a file that stands for its folder may offer the name because a file beside it has it.
fn is_member(change: &Change, path: &str, members: &Members, name: &str) -> bool {
    let Some(folder) = members.of.iter().find_map(|file| path.strip_suffix(file.as_str())) else { return false };
    let repo = change.repo(Side::After);
    let is_file = |end: &String| repo.stat(&format!("{folder}{name}{end}")).is_ok_and(|blob| blob.is_some());
    // Compiled modules have no file of a known ending.
    members.endings.iter().any(is_file)
        || repo.is_dir(&format!("{folder}{name}")).unwrap_or(true)
        || !repo.find(&[&format!("/{folder}{name}.*")], 1).is_empty()
}

/// Files beside one that are read to see who gives them a name, how many of them have to lack it, and bytes of the longest.
const BESIDE: (usize, usize, u64) = (4, 2, 50_000);

/// Whether files of the same folder use the name in the base without binding it: whatever runs them gives it to them.
fn is_given_beside(change: &Change, path: &str, name: &str) -> bool {
    let Some((folder, file)) = path.rsplit_once('/').filter(|_| !path.contains(['*', '?', '[', '{', '\\'])) else {
        return false;
    };
    let Some((_, ending)) = file.rsplit_once('.') else { return false };
    let (repo, languages) = (change.repo(Side::Before), change.languages(Side::Before));
    let hits = repo.search(&[name], &[&format!("/{folder}/*.{ending}")], 60);
    let paths: BTreeSet<String> = hits.into_iter().map(|hit| hit.path).filter(|other| other != path).collect();
    let is_short = |path: &&String| repo.stat(path).is_ok_and(|stat| stat.is_some_and(|stat| stat.size <= BESIDE.2));
    let lacks = |path: &&String| {
        let names = languages.names(path).ok().filter(|names| !names.is_open);
        names.is_some_and(|names| names.unbound.iter().any(|used| used.name == name && used.role == NameRole::Value))
    };
    paths.iter().take(BESIDE.0).filter(is_short).filter(lacks).count() >= BESIDE.1
}
