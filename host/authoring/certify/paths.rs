//! Paths that concern a guard, made from its globs.

/// For a guard without globs: files that many repositories have.
const COMMON: [&str; 10] = [
    "README.md",
    "src/sample.py",
    "src/sample.rs",
    "src/sample.js",
    "src/sample.ts",
    "package.json",
    "Cargo.toml",
    "config/sample.yaml",
    "docs/sample.rst",
    "sample.txt",
];

/// More paths would only repeat the same inputs.
const MAX_PATHS: usize = 24;

/// At least one path, without duplicates, the requested ones first.
pub fn paths(globs: &[String], requested: &[String]) -> Vec<String> {
    let made = globs.iter().filter(|glob| !glob.starts_with('!')).flat_map(|glob| alternatives(glob));
    let made: Vec<String> = made.map(|glob| concrete(&glob)).filter(|path| !path.is_empty()).collect();
    let made = if globs.is_empty() { COMMON.map(str::to_owned).to_vec() } else { made };
    let mut paths: Vec<String> = Vec::new();
    for path in requested.iter().chain(&made) {
        let clashes = |other: &String| {
            other == path || other.starts_with(&format!("{path}/")) || path.starts_with(&format!("{other}/"))
        };
        if !paths.iter().any(clashes) {
            paths.push(path.clone());
        }
    }
    paths.truncate(MAX_PATHS);
    if paths.is_empty() {
        paths.push("sample.txt".to_owned());
    }
    paths
}

/// `a.{b,c}` gives `a.b` and `a.c`; nested braces are not expanded.
fn alternatives(glob: &str) -> Vec<String> {
    let Some((before, rest)) = glob.split_once('{') else { return vec![glob.to_owned()] };
    let Some((inside, after)) = rest.split_once('}') else { return vec![glob.to_owned()] };
    let tails = alternatives(after);
    inside.split(',').flat_map(|one| tails.iter().map(move |tail| format!("{before}{one}{tail}"))).collect()
}

/// One path that the glob matches.
fn concrete(glob: &str) -> String {
    let glob = glob.trim_start_matches('/').replace("**/", "");
    let glob = glob.strip_suffix("**").map_or(glob.clone(), |folder| format!("{folder}sample.txt"));
    let mut path = String::new();
    let mut chars = glob.chars();
    while let Some(c) = chars.next() {
        match c {
            '*' => path.push_str("sample"),
            '?' => path.push('a'),
            '\\' => path.extend(chars.next()),
            '[' => {
                let set: String = chars.by_ref().take_while(|c| *c != ']').collect();
                path.push(set.chars().find(|c| !matches!(c, '!' | '^')).unwrap_or('a'));
            }
            c => path.push(c),
        }
    }
    if path.ends_with('/') { path + "sample.txt" } else { path }
}

#[cfg(test)]
mod tests {
    use super::{alternatives, concrete, paths};

    #[test]
    fn a_path_for_each_glob() {
        assert_eq!(concrete("**/*.md"), "sample.md");
        assert_eq!(concrete("/docs/**"), "docs/sample.txt");
        assert_eq!(concrete("tests/test_*.p[yx]"), "tests/test_sample.py");
        assert_eq!(alternatives("*.{js,ts}x"), ["*.jsx", "*.tsx"]);
        assert_eq!(paths(&["a/**".to_owned(), "a".to_owned()], &["x.c".to_owned()]), ["x.c", "a/sample.txt"]);
    }
}
