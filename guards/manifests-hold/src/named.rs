//! What one manifest, configuration or Dockerfile names.

use configuration::{Format, settings};

use crate::table::{self, Names, ROWS};

/// A value that names something of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub value: String,
    /// What holds it, as a person would say it: `project.scripts.run`, `COPY`.
    pub key: String,
    /// From 1.
    pub line: u32,
    pub names: Names,
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

pub fn may_name(path: &str) -> bool {
    let name = name(path);
    table::is_dockerfile(name) || ROWS.iter().any(|(file, ..)| table::is_like(name, file))
}

/// None when the text does not parse.
pub fn all(path: &str, text: &str) -> Option<Vec<Named>> {
    let name = name(path);
    if table::is_dockerfile(name) {
        return Some(copied(text));
    }
    if name == "setup.py" {
        return Some(of_setup(text));
    }
    let rows: Vec<_> = ROWS.iter().filter(|(file, ..)| table::is_like(name, file)).collect();
    let mut found = Vec::new();
    for setting in settings(text, Format::from_path(path))? {
        let Some((_, _, names)) = rows.iter().find(|(_, keys, _)| table::leads_to(&setting.keys, keys)) else {
            continue;
        };
        let key = setting.name();
        let mut add = |value: &str| {
            found.push(Named { value: value.to_owned(), key: key.clone(), line: setting.line, names: *names });
        };
        match (names, name) {
            // An entry point of INI stands in a line of its own, `name = module:function`.
            (Names::Entry, "setup.cfg") => {
                if let Some((_, value)) = setting.value.split_once('=').filter(|_| !setting.is_item) {
                    add(value.trim());
                }
            }
            // INI gives a list as a whole, and item by item.
            (_, "setup.cfg" | "tox.ini" | "pytest.ini") if !setting.is_item => {}
            (Names::Path, "pyproject.toml") if setting.keys.last().is_some_and(|key| key == "testpaths") => {
                let is_plain = !setting.value.contains('{');
                setting.value.split_whitespace().filter(|_| is_plain).for_each(add);
            }
            _ => add(&setting.value),
        }
    }
    Some(found)
}

/// Entry points in the strings of a `setup.py`.
fn of_setup(text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        for quoted in text.split(['"', '\'']).skip(1).step_by(2) {
            let Some((name, value)) = quoted.split_once('=') else { continue };
            let (name, value) = (name.trim(), value.trim());
            let is_name = |text: &str, more: &str| {
                !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
            };
            if is_name(name, "_-.") && value.contains(':') && is_name(value, "_.:") {
                let key = format!("entry_points.{name}");
                found.push(Named { value: value.to_owned(), key, line, names: Names::Entry });
            }
        }
    }
    found
}

/// What `COPY` and `ADD` take out of the context.
fn copied(text: &str) -> Vec<Named> {
    let (mut found, mut goes_on) = (Vec::new(), false);
    for (line, text) in (1..).zip(text.lines()) {
        let was_on = std::mem::replace(&mut goes_on, text.trim_end().ends_with('\\'));
        let mut words = text.split_whitespace();
        let instruction = words.next().unwrap_or_default().to_ascii_uppercase();
        if was_on || goes_on || !matches!(instruction.as_str(), "COPY" | "ADD") || text.contains(['[', '<', '$', '"']) {
            continue;
        }
        let words: Vec<&str> = words.collect();
        // Of another stage or image.
        if words.iter().any(|word| word.starts_with("--from")) {
            continue;
        }
        let paths: Vec<&str> = words.into_iter().filter(|word| !word.starts_with("--")).collect();
        let Some((_, sources)) = paths.split_last() else { continue };
        for source in sources {
            let value = source.trim_matches('/').trim_start_matches("./").to_owned();
            found.push(Named { value, key: instruction.clone(), line, names: Names::Context });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(path: &str, text: &str) -> Vec<(String, Names)> {
        let found = all(path, text).unwrap_or_else(|| panic!("{path} does not parse"));
        found.into_iter().map(|named| (named.value, named.names)).collect()
    }

    #[test]
    fn every_format_is_read() {
        let is = |value: &str, names| (value.to_owned(), names);
        for (path, text, expected) in [
            (
                "a/package.json",
                r#"{"main": "a.js", "exports": {"./x": {"import": "./x.mjs"}}}"#,
                vec![is("a.js", Names::Loaded), is("./x.mjs", Names::Loaded)],
            ),
            ("package.json", r#"{"name": "a", "scripts": {"t": "node t.js"}}"#, vec![is("node t.js", Names::Commands)]),
            ("pyproject.toml", "[project.scripts]\na_b = \"a.b:c\"\n", vec![is("a.b:c", Names::Entry)]),
            (
                "pyproject.toml",
                "[tool.pytest.ini_options]\ntestpaths = \"a b\"\n",
                vec![is("a", Names::Path), is("b", Names::Path)],
            ),
            (
                "setup.cfg",
                "[options.entry_points]\nconsole_scripts =\n    x = a.b:c\n",
                vec![is("a.b:c", Names::Entry)],
            ),
            ("setup.cfg", "[tool:pytest]\ntestpaths = a b\n", vec![is("a", Names::Path), is("b", Names::Path)]),
            (
                "setup.py",
                "entry_points={'console_scripts': ['x = a.b:c']},\nurl='http://a?b=c:d',\n",
                vec![is("a.b:c", Names::Entry)],
            ),
            ("Cargo.toml", "[[bin]]\nname = \"a\"\npath = \"b.rs\"\n", vec![is("b.rs", Names::File)]),
            ("tsconfig.build.json", "{ // so\n\"extends\": \"./tsconfig\" }", vec![is("./tsconfig", Names::Loaded)]),
            (
                "x/Dockerfile",
                "FROM a\nCOPY --chown=a ./b c/ /d/\nCOPY --from=x e f\nADD g \\\n  h /i\n",
                vec![is("b", Names::Context), is("c", Names::Context)],
            ),
        ] {
            assert_eq!(values(path, text), expected, "{path}");
        }
    }
}
