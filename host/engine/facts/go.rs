//! `go.mod` (<https://go.dev/ref/mod#go-mod-file>).

use super::DependencyKind;
use super::declared::Declared;

pub fn parse(text: &str) -> Result<Declared, String> {
    let mut declared = Declared::default();
    let mut block: Option<&str> = None;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let mut words = line.split_whitespace().map(|word| word.trim_matches(['"', '`']));
        let Some(first) = words.next() else { continue };
        if first == ")" {
            block = None;
            continue;
        }
        let (directive, subject) = match block {
            Some(directive) => (directive, Some(first)),
            None => (first, words.next()),
        };
        match (directive, subject) {
            (directive, Some("(")) => block = Some(directive),
            ("module", Some(path)) => declared.name = Some(path.to_owned()),
            ("replace", Some(path)) => {
                declared.elsewhere.insert(path.to_owned());
            }
            ("require", Some(path)) => match words.next() {
                Some(version) => declared.add(path, version, DependencyKind::Normal),
                None => declared.add_problem(format!("`{path}` is required without a version")),
            },
            _ => {}
        }
    }
    if declared.name.is_none() { Err("no `module` line".to_owned()) } else { Ok(declared) }
}
