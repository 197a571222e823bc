//! Paths in texts, and as the plan's types have them.

use guardhost_core::change::RepoPath;

/// The words of a text that are paths of the tree, without the punctuation around them and without `:12` behind them.
pub(super) fn cited(text: &str, has: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let ends = |c: char| "`'\"()[]{}<>,;:!?*".contains(c);
    for word in text.split(|c: char| c.is_whitespace() || "\"'`()[]<>,;".contains(c)) {
        let word = word.trim_matches(ends);
        let word = word.split(':').next().unwrap_or(word).trim_end_matches('.');
        let word = word.strip_prefix("./").unwrap_or(word);
        // Absolute paths of a sandbox end in paths of the tree.
        let tails = std::iter::once(word).chain(word.match_indices('/').map(|(at, _)| &word[at + 1..]));
        if let Some(path) = tails.filter(|tail| !tail.is_empty()).take(32).find(|tail| has(tail))
            && !found.iter().any(|known| known == path)
        {
            found.push(path.to_owned());
        }
    }
    found
}

/// Paths as the plan's types have them.
pub(super) fn repo_paths(paths: &[String]) -> Vec<RepoPath> {
    paths.iter().map(|path| RepoPath::from(path.as_str())).collect()
}
