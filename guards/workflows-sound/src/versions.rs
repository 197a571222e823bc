//! Versions that are written as numbers: YAML reads `3.10` as 3.1, and another version is installed.

use guard_yaml::{Kind, Node};

use crate::problem::Problem;

/// Keys, in lower case, whose values are versions: inputs of the actions that set languages up, and what people call them in a matrix.
const KEYS: [&str; 18] = [
    "python",
    "python-version",
    "python_version",
    "py",
    "go",
    "go-version",
    "ruby",
    "ruby-version",
    "node",
    "node-version",
    "php",
    "php-version",
    "java",
    "java-version",
    "dotnet",
    "dotnet-version",
    "rust",
    "elixir",
];

/// `text` is that of the whole file, in which it shows whether a value is in quotes.
pub fn problems(root: &Node, text: &str) -> Vec<Problem> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    walk(root, &mut |key, value| {
        let values = std::iter::once(value).chain(value.items());
        for (version, line) in values.filter_map(|one| Some((one.text()?, one.line))) {
            let is_plain = lines.get(line as usize - 1).is_some_and(|shown| is_plain(shown, version));
            let Some(read) = read_as(version).filter(|_| is_plain) else { continue };
            let message = format!("`{key}` is the number {version}, which is read as {read}");
            let help = format!("Write it in quotes: \"{version}\".");
            let name = format!("{key}:{version}");
            // `3.0` becomes 3, which most actions take for the newest 3.
            found.push(match version.ends_with(".0") {
                true => Problem::warning("version-misread", name, line, message, help),
                false => Problem::error("version-misread", name, line, message, help),
            });
        }
    });
    found
}

fn walk<'n>(node: &'n Node, see: &mut impl FnMut(&'n str, &'n Node)) {
    match &node.kind {
        Kind::Text(_) => {}
        Kind::List(items) => items.iter().for_each(|item| walk(item, see)),
        Kind::Map(members) => {
            for (key, _, value) in members {
                if KEYS.contains(&key.to_ascii_lowercase().as_str()) {
                    see(key, value);
                }
                walk(value, see);
            }
        }
    }
}

/// What is left of a version when it is a number; None where nothing is lost.
fn read_as(version: &str) -> Option<String> {
    let (whole, fraction) = version.split_once('.')?;
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let kept = fraction.trim_end_matches('0');
    let is_misread = are_digits(whole) && are_digits(fraction) && kept.len() < fraction.len();
    is_misread.then(|| if kept.is_empty() { whole.to_owned() } else { format!("{whole}.{kept}") })
}

/// Whether the line has the value outside of quotes.
fn is_plain(line: &str, version: &str) -> bool {
    let is_edge = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || "[],:#".contains(c));
    line.match_indices(version)
        .any(|(at, _)| is_edge(line[..at].chars().next_back()) && is_edge(line[at + version.len()..].chars().next()))
}
