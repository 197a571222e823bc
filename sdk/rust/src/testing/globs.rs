//! Globs as the host reads them: as gitignore does, but that braces are ordinary characters.

use globset::{GlobBuilder, GlobMatcher};

/// In the order of the list: the last one that matches decides. An empty list matches every path.
pub struct Globs(Vec<Glob>);

struct Glob {
    matcher: GlobMatcher,
    negative: bool,
    folders_only: bool,
}

impl Globs {
    /// # Panics
    /// When a glob cannot be read.
    pub fn new(globs: &[String]) -> Self {
        Globs(globs.iter().map(|glob| Glob::new(glob)).collect())
    }

    pub fn matches(&self, path: &str) -> bool {
        let decisive = self.0.iter().rev().find(|glob| glob.matches(path));
        decisive.map_or(self.0.is_empty(), |glob| !glob.negative)
    }
}

impl Glob {
    fn new(text: &str) -> Self {
        let (negative, rest) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let (folders_only, rest) = rest.strip_suffix('/').map_or((false, rest), |rest| (true, rest));
        let literal = rest.replace('{', "[{]").replace('}', "[}]");
        // Without a slash at any depth, with one from the root.
        let anchored = match literal.strip_prefix('/') {
            Some(rest) => rest.to_owned(),
            None if literal.contains('/') => literal,
            None => format!("**/{literal}"),
        };
        let glob = GlobBuilder::new(&anchored).literal_separator(true).build();
        let glob = glob.unwrap_or_else(|error| panic!("glob {text:?}: {error}"));
        Glob { matcher: glob.compile_matcher(), negative, folders_only }
    }

    /// Matches the path or one of its folders.
    fn matches(&self, path: &str) -> bool {
        let mut folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        folders.any(|folder| self.matcher.is_match(folder)) || (!self.folders_only && self.matcher.is_match(path))
    }
}

#[cfg(test)]
mod tests {
    use super::Globs;

    #[test]
    fn the_last_match_decides_and_a_folder_is_all_in_it() {
        let matches = |globs: &[&str], path| {
            Globs::new(&globs.iter().map(|glob| glob.to_string()).collect::<Vec<_>>()).matches(path)
        };
        assert!(matches(&[], "a.py"));
        assert!(matches(&["*.py"], "src/a.py"));
        assert!(!matches(&["/*.py"], "src/a.py"));
        assert!(matches(&["testdata"], "a/testdata/b/c.py"));
        assert!(matches(&["**/tests/**/data"], "tests/unit/data/c.py"));
        assert!(!matches(&["*.py", "!testdata"], "a/testdata/b/c.py"));
        assert!(matches(&["!testdata", "*.py"], "a/testdata/b/c.py"));
        assert!(!matches(&["a.py/"], "a.py"));
        assert!(!matches(&["*.{py,js}"], "a.py"));
        assert!(matches(&["*.{py,js}"], "a.{py,js}"));
    }
}
