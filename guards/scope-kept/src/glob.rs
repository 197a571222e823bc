//! Globs as .gitignore reads them: without a slash at any depth, with one from the repository's root.

pub fn any(globs: &[String], path: &str) -> bool {
    globs.iter().any(|glob| matches(glob, path))
}

pub fn matches(glob: &str, path: &str) -> bool {
    let (glob, below) = match glob.strip_suffix('/') {
        Some(folder) => (folder, true),
        None => (glob, false),
    };
    let anchored = match glob.strip_prefix('/') {
        Some(rest) => rest.to_string(),
        None if glob.contains('/') => glob.to_string(),
        None => format!("**/{glob}"),
    };
    // A glob that matches a folder covers what is in it.
    fast_glob::glob_match(format!("{anchored}/**"), path) || (!below && fast_glob::glob_match(&anchored, path))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn as_gitignore_reads_them() {
        let yes = [
            ("*.toml", "a/b/x.toml"),
            ("/x.toml", "x.toml"),
            ("a/*.toml", "a/x.toml"),
            ("a/**/x", "a/x"),
            ("a/**", "a/b/c"),
            ("a/", "a/b/c"),
            ("fixtures", "a/fixtures/package.json"),
            ("fixtures/", "a/fixtures/package.json"),
            ("**/x", "x"),
        ];
        for (glob, path) in yes {
            assert!(matches(glob, path), "{glob} matches {path}");
        }
        let no = [("/x.toml", "a/x.toml"), ("a/*.toml", "a/b/x.toml"), ("a/", "a"), ("a", "ab"), ("a/b", "c/a/b")];
        for (glob, path) in no {
            assert!(!matches(glob, path), "{glob} does not match {path}");
        }
    }
}
