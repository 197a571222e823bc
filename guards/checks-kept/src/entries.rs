//! Entries of a list of files that a checker leaves out: globs, or regular expressions that any part of a path may match.

use guard_sdk::Repo;
use guard_sdk::files::Globs;
use regex_automata::nfa::thompson;
use regex_automata::nfa::thompson::pikevm::{self, PikeVM};
use regex_automata::util::syntax;

pub enum Entries {
    Globs(Globs, Vec<String>),
    Regular(PikeVM),
}

/// Bytes of what is built of the expressions of one list.
const LARGEST: usize = 1 << 20;
/// Paths of a tree that are looked through for a warning.
const LOOKED_THROUGH: u32 = 2_000;

impl Entries {
    /// None where an entry cannot be read.
    pub fn new<E: AsRef<str>>(entries: impl IntoIterator<Item = E>, is_regular: bool) -> Option<Self> {
        let entries: Vec<String> = entries.into_iter().map(|entry| entry.as_ref().trim().to_owned()).collect();
        if is_regular {
            // Jest puts its own folder in front of a path.
            let plain = |entry: &String| entry.replace("<rootDir>", "");
            let entries: Vec<String> = entries.iter().map(plain).collect();
            let built = pikevm::Builder::new()
                .syntax(syntax::Config::new().unicode(false).utf8(false))
                .thompson(thompson::Config::new().utf8(false).nfa_size_limit(Some(LARGEST)))
                .build_many(&entries);
            return built.ok().map(Entries::Regular);
        }
        let globs: Vec<String> = entries.iter().flat_map(|entry| globs(entry)).collect();
        Some(Entries::Globs(Globs::new(&globs).ok()?, globs))
    }

    pub fn matches(&self, path: &str) -> bool {
        match self {
            Entries::Globs(globs, _) => globs.matches(path),
            // Tools hold them against a path with or without its beginning.
            Entries::Regular(one) => {
                let mut cache = one.create_cache();
                // An expression that ends with a folder, as `third_party$`, is for what is in it.
                let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
                let mut paths = folders.chain([path]);
                paths
                    .any(|path| one.is_match(&mut cache, path) || one.is_match(&mut cache, format!("/{path}").as_str()))
            }
        }
    }

    /// Paths that may match, of a configuration in that folder.
    pub fn find(&self, repo: &Repo, folder: &str) -> Vec<String> {
        match self {
            Entries::Globs(_, globs) => {
                let is_below = |glob: &str| !folder.is_empty() && glob.contains('/') && !glob.starts_with('!');
                let below = |glob: &String| {
                    if is_below(glob) { format!("{folder}/{}", glob.trim_start_matches('/')) } else { glob.clone() }
                };
                let globs: Vec<String> = globs.iter().map(below).collect();
                let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
                repo.find(&globs, 50)
            }
            Entries::Regular(_) => repo.find(&["**/*"], LOOKED_THROUGH),
        }
    }
}

/// The paths that an entry of a list names: a file, or all below a folder.
fn globs(entry: &str) -> Vec<String> {
    let glob = entry.trim_start_matches("./").trim_start_matches('^');
    let globs = [glob.to_owned(), format!("{}/**", glob.trim_end_matches('/'))];
    globs.into_iter().filter(|glob| !glob.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::Entries;

    #[test]
    fn paths_of_an_entry() {
        for (entry, is_regular, path, matches) in [
            ("internal/store", false, "internal/store/a.go", true),
            ("internal/store", false, "x/internal/store/a.go", false),
            ("internal/store", true, "x/internal/store/a.go", true),
            ("internal/.*_gen\\.go$", true, "internal/a/b_gen.go", true),
            ("^store/", true, "internal/store/a.go", false),
            ("internal/store$", true, "internal/store/a.go", true),
            ("<rootDir>/src/a", true, "src/a.test.ts", true),
        ] {
            let entries = Entries::new([entry], is_regular).unwrap();
            assert_eq!(entries.matches(path), matches, "{entry} {path}");
        }
        assert!(Entries::new(["("], true).is_none());
    }
}
