//! Which paths a patch may touch.

use std::collections::BTreeSet;

use guard_files::Globs;

use super::names::{folded, unsafe_part};
use super::{Rules, git_names};
use guardhost_core::change::{FilePatch, Refused, RefusedKind, RepoPath};
use guardhost_core::sensitive;

/// Git's own limit on Linux; no other system allows more.
const MAX_PATH: usize = 4096;

/// Folders above one file, and above all files of a patch together. Repositories have up to 30 and thousands; each is looked up, and
/// becomes a tree.
const MAX_PARTS: usize = 100;
const MAX_ALL_PARTS: usize = 10_000;

/// Checks that no path, and not all together, are so deep that looking up and writing their folders is work by itself.
pub(super) fn check_parts(files: &[FilePatch]) -> Result<(), Refused> {
    let mut all = 0;
    for path in files.iter().flat_map(super::paths) {
        let parts = path.parts().count();
        if parts > MAX_PARTS {
            let why = format_args!("it has {parts} parts; {MAX_PARTS} are allowed");
            return Err(Refused::at(RefusedKind::UnsafePath, path, why));
        }
        all += parts;
        if all > MAX_ALL_PARTS {
            let message = format!(
                "The paths of the patch have more than {MAX_ALL_PARTS} parts together. Send it in several patches."
            );
            return Err(Refused { kind: RefusedKind::TooLarge, path: None, message });
        }
    }
    Ok(())
}

/// Checks that `rules` allow all of these paths. Looks at names alone; [`super::sanitize`] looks at the tree too.
///
/// # Errors
/// [`Refused`] for the first path that they do not allow.
pub fn check_paths(paths: &[RepoPath], rules: &Rules) -> Result<(), Refused> {
    let (protected, allowed) = (ReadGlobs::new(&rules.protect), ReadGlobs::new(&rules.allow));
    let unreadable = |why: &String| {
        let path = paths.first().cloned();
        Refused { kind: RefusedKind::Protected, path, message: why.clone() }
    };
    let (protected, allowed) = (protected.as_ref().map_err(unreadable)?, allowed.as_ref().map_err(unreadable)?);
    paths.iter().try_for_each(|path| check(path, rules, protected, allowed))
}

/// Checks that none of these paths holds the rules that judge a change (see `holds_rules`). For changes that a person staged: git has
/// accepted their other paths already. What follows of it, refusal or approval, is said by whoever asks.
///
/// # Errors
/// [`Refused`] at the first path that does; its message names the others.
pub fn check_rule_files(paths: &[RepoPath], rules: &Rules) -> Result<(), Refused> {
    let found: BTreeSet<&RepoPath> = paths.iter().filter(|path| holds_rules(&folded(path.as_bytes()), rules)).collect();
    let mut found = found.into_iter();
    let Some(first) = found.next() else { return Ok(()) };
    Err(Refused::at(RefusedKind::Protected, first, format_args!("{RULES}{}", also(&found.collect::<Vec<_>>()))))
}

const RULES: &str = "it holds the rules that judge this change";

/// Paths that are named beside the first; the rest is counted.
const MOST_NAMED: usize = 4;

fn also(others: &[&RepoPath]) -> String {
    let named: Vec<String> = others.iter().take(MOST_NAMED).map(|path| path.to_string()).collect();
    match (named.as_slice(), others.len().saturating_sub(MOST_NAMED)) {
        ([], _) => String::new(),
        ([one], _) => format!(", as does {one}"),
        ([before @ .., last], 0) => format!(", as do {} and {last}", before.join(", ")),
        (all, more) => format!(", as do {} and {more} more", all.join(", ")),
    }
}

fn check(path: &RepoPath, rules: &Rules, protected: &ReadGlobs, allowed: &ReadGlobs) -> Result<(), Refused> {
    let refuse = |kind, why: &dyn std::fmt::Display| Err(Refused::at(kind, path, why));
    let bytes = path.as_bytes();
    if bytes.starts_with(b"/") || bytes.starts_with(b"~/") {
        return refuse(RefusedKind::UnsafePath, &"it is absolute; name files from the root of the repository");
    }
    if bytes.len() > MAX_PATH {
        return refuse(RefusedKind::UnsafePath, &"it is longer than 4096 bytes");
    }
    if path.parts().any(git_names::is_reserved) {
        return refuse(RefusedKind::GitInternals, &"it belongs to git; no patch may touch it");
    }
    if let Some(why) = path.parts().find_map(unsafe_part) {
        return refuse(RefusedKind::UnsafePath, &why);
    }
    if bytes.starts_with(b" ") {
        return refuse(RefusedKind::UnsafePath, &"it begins with a blank");
    }
    if !rules.only.is_empty() && !rules.only.contains(path) {
        return refuse(RefusedKind::OutOfScope, &"it is not the file that this patch is for; leave it alone");
    }
    let folded = folded(bytes);
    if holds_rules(&folded, rules) && !rules.allow_rule_files {
        return refuse(RefusedKind::Protected, &format_args!("{RULES}, so it cannot be part of it"));
    }
    let protected = protected.matching(&folded);
    let secret = sensitive::secret(&folded);
    if protected.is_none() && secret.is_none() || allowed.matching(&folded).is_some() {
        return Ok(());
    }
    match (protected, secret) {
        (Some(glob), _) => refuse(RefusedKind::Protected, &format_args!("it is protected ({glob}); leave it alone")),
        (None, Some(why)) => refuse(RefusedKind::Sensitive, &format_args!("{why}; leave it alone")),
        (None, None) => Ok(()),
    }
}

/// The files at the root that choose and pin the guards, the components that they name, baselines by their usual name, and folders of
/// these: a file in the place of a folder removes what is in it. No glob opens them.
fn holds_rules(path: &str, rules: &Rules) -> bool {
    let is_guard = |guard: &RepoPath| {
        let guard = folded(guard.as_bytes());
        guard == path || guard.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
    };
    matches!(path, "guards.toml" | "guards.lock" | ".guards")
        || path.rsplit('/').next() == Some(BASELINE_FILE)
        || path.starts_with(".guards/")
        || rules.guard_files.iter().any(is_guard)
}

/// The baseline's usual name.
pub const BASELINE_FILE: &str = "guards.baseline.json";

/// Globs of the rules, in any letter case, each with the text that messages show.
struct ReadGlobs<'a>(Vec<(&'a str, Globs)>);

impl<'a> ReadGlobs<'a> {
    /// A glob that cannot be read is an error, so that no path passes then.
    fn new(globs: &'a [String]) -> Result<Self, String> {
        let read = |glob: &'a String| Ok((glob.as_str(), Globs::new(&[folded(glob.as_bytes())])?));
        let read = globs.iter().map(read).collect::<Result<_, String>>();
        read.map(ReadGlobs).map_err(|error| format!("a glob of the rules cannot be read: {error}"))
    }

    /// The first that matches the path, or everything below it: a file or a link of that name would replace the folder.
    fn matching(&self, folded: &str) -> Option<&'a str> {
        // No file has this name, so only a glob that takes any name matches it.
        let below = format!("{folded}/\0");
        let matches = |globs: &Globs| globs.matches(folded) || globs.matches(&below);
        self.0.iter().find(|(_, globs)| matches(globs)).map(|(glob, _)| *glob)
    }
}
