//! Programs whose place is not the one in which their loader looks for them: namespaces of PHP by the `autoload` of `composer.json`
//! (<https://www.php-fig.org/psr/psr-4/>), packages of Java by their folders.

use guard_sdk::files::relative::{folder, join};
use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{File, Finding};
use resolution::{Resolver, Tree};
use serde_json::Value;

/// What a file says of itself, and the line.
struct Said {
    name: String,
    line: u32,
}

pub fn findings(before: &Resolver, after: &Resolver, file: &File) -> Vec<Finding> {
    let path = file.path();
    // A runner of tests reads files, and no loader looks for what is in them.
    if kind_of(path) != Kind::Code {
        return Vec::new();
    }
    let Some(found) = misplaced(after.tree(), path) else { return Vec::new() };
    let old_path = file.old_path().unwrap_or(path);
    let was = file.before().is_regular() && misplaced(before.tree(), old_path).is_some();
    if was { Vec::new() } else { vec![found] }
}

fn misplaced(tree: &Tree, path: &str) -> Option<Finding> {
    let text = tree.text(path)?;
    match path.rsplit_once('.')?.1 {
        "php" => php(tree, path, &text),
        "java" => java(tree, path, &text),
        _ => None,
    }
}

/// `namespace a\b;`, `package a.b;`: the first line that begins so.
fn said(text: &str, word: &str) -> Option<Said> {
    let line = (1..).zip(text.lines()).find(|(_, line)| line.starts_with(word))?;
    let name = line.1[word.len()..].split([';', '{', ' ']).next()?.trim().to_owned();
    (!name.is_empty()).then_some(Said { name, line: line.0 })
}

fn php(tree: &Tree, path: &str, text: &str) -> Option<Finding> {
    let manifest = tree.text("composer.json")?;
    let manifest: Value = serde_json::from_str(&manifest).ok()?;
    // Classes that are looked for one by one are found wherever they stand.
    let autoload = |kind: &str| manifest[kind]["psr-4"].as_object().cloned().unwrap_or_default();
    if !manifest["autoload"]["classmap"].is_null() || !manifest["autoload"]["psr-0"].is_null() {
        return None;
    }
    let mut roots: Vec<(String, String)> = Vec::new();
    for (prefix, place) in autoload("autoload").into_iter().chain(autoload("autoload-dev")) {
        let places = place.as_array().cloned().unwrap_or_else(|| vec![place]);
        roots.extend(places.iter().filter_map(|place| Some((prefix.clone(), join("", place.as_str()?)?))));
    }
    let inside = |root: &str| match root {
        "" => Some(path.to_owned()),
        root => path.strip_prefix(root)?.strip_prefix('/').map(str::to_owned),
    };
    // One folder may be that of several namespaces: any of them will do.
    let said = said(text, "namespace ")?;
    let longest = roots.iter().filter(|(_, root)| inside(root).is_some()).map(|(_, root)| root.len()).max()?;
    let wanted = roots.iter().filter(|(_, root)| root.len() == longest).filter_map(|(prefix, root)| {
        let below = folder(&inside(root)?).replace('/', "\\");
        Some(format!("{prefix}{below}").trim_matches('\\').to_owned())
    });
    let wanted: Vec<String> = wanted.collect();
    let types = [
        "class ",
        "final class ",
        "abstract class ",
        "interface ",
        "trait ",
        "enum ",
        "readonly class ",
        "final readonly class ",
    ];
    let names: Vec<&str> =
        text.lines().filter_map(|line| types.iter().find_map(|start| line.strip_prefix(start))).collect();
    let names: Vec<&str> = names.iter().filter_map(|rest| rest.split([' ', '{', ':', '(']).next()).collect();
    // A file without types, such as one of functions, is loaded by its path.
    let stem = path.rsplit('/').next()?.strip_suffix(".php")?;
    let first = wanted.first().filter(|_| !names.is_empty())?;
    if !wanted.contains(&said.name) {
        let message = format!("{path} is in the namespace {}, and composer.json looks for {first} there", said.name);
        return Some(finding(path, said.line, message));
    }
    let is_named = names.iter().any(|name| name.eq_ignore_ascii_case(stem));
    let line = (1..).zip(text.lines()).find(|(_, line)| types.iter().any(|start| line.starts_with(start)))?.0;
    (!is_named).then(|| {
        let message = format!("{path} has {}, and composer.json looks for {stem} there", names.join(", "));
        finding(path, line, message)
    })
}

fn java(tree: &Tree, path: &str, text: &str) -> Option<Finding> {
    let said = said(text, "package ")?;
    let (at, place) = (folder(path), said.name.replace('.', "/"));
    // Only below a root that tools know: elsewhere folders need not be packages.
    let root = ["src/main/java", "src/test/java"].iter().find_map(|root| {
        let end = at.find(root)? + root.len();
        at[end..].is_empty().then_some(end).or_else(|| at[end..].starts_with('/').then_some(end))
    })?;
    let below = at[root..].trim_start_matches('/');
    if below == place || tree.is_file(&format!("{}/{place}/module-info.java", &at[..root])) {
        return None;
    }
    let message = format!("{path} is in the package {}, and its folder is {}", said.name, below.replace('/', "."));
    Some(finding(path, said.line, message))
}

fn finding(path: &str, line: u32, message: String) -> Finding {
    let help = "Give it the name of its place, or move the file to the place of its name.";
    Finding::error("name-misplaced", message).at(path, line).help(help)
}
