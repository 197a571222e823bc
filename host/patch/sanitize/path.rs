//! Which paths a patch may touch.

use globset::GlobBuilder;

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
    paths.iter().try_for_each(|path| check(path, rules))
}

/// Checks that none of these paths holds the rules that judge a change: files that choose and pin guards, and components that are
/// pinned by their path. For changes that a person staged: git has accepted their other paths already.
///
/// # Errors
/// [`Refused`] for the first path that does.
pub fn check_rule_files(paths: &[RepoPath], rules: &Rules) -> Result<(), Refused> {
    let found = paths.iter().find(|path| holds_rules(&folded(path.as_bytes()), rules));
    found.map_or(Ok(()), |path| Err(Refused::at(RefusedKind::Protected, path, RULES)))
}

const RULES: &str = "it holds the rules that judge this change, so it cannot be part of it";

fn check(path: &RepoPath, rules: &Rules) -> Result<(), Refused> {
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
    if holds_rules(&folded, rules) {
        return refuse(RefusedKind::Protected, &RULES);
    }
    let unreadable = |why| Refused { kind: RefusedKind::Protected, path: Some(path.clone()), message: why };
    let protected = matching(&rules.protect, &folded).map_err(unreadable)?;
    let secret = sensitive::secret(&folded);
    if protected.is_none() && secret.is_none() || matching(&rules.allow, &folded).map_err(unreadable)?.is_some() {
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

/// The first glob that matches. A glob that cannot be read is an error, so that no path passes then.
fn matching<'a>(globs: &'a [String], folded: &str) -> Result<Option<&'a str>, String> {
    for glob in globs {
        if matches(&self::folded(glob.as_bytes()), folded)? {
            return Ok(Some(glob));
        }
    }
    Ok(None)
}

/// Most globs are a name, a folder, or a name at any depth; only the others are compiled.
fn matches(glob: &str, path: &str) -> Result<bool, String> {
    let plain = |text: &str| !text.contains(['*', '?', '[', '{', '\\', '!']);
    let anywhere = glob.strip_prefix("**/");
    let rest = anywhere.unwrap_or(glob);
    let (name, folder) = rest.strip_suffix("/**").map_or((rest, false), |name| (name, true));
    if glob == "**" {
        return Ok(true);
    }
    if !plain(name) || name.is_empty() {
        let glob = GlobBuilder::new(glob).literal_separator(true).build();
        return Ok(glob
            .map_err(|error| format!("a glob of the rules cannot be read: {error}"))?
            .compile_matcher()
            .is_match(path));
    }
    // `dir/**` includes `dir` itself: a file or a link of that name would replace the folder.
    let here =
        |path: &str| path == name || (folder && path.strip_prefix(name).is_some_and(|rest| rest.starts_with('/')));
    let tails = || path.match_indices('/').map(|(at, _)| &path[at + 1..]);
    Ok(here(path) || (anywhere.is_some() && tails().any(here)))
}
