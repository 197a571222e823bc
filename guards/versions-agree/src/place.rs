//! Where a package says its version, by the name of the file.

use configuration::{Format, ends_as, settings};

/// A version that a file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub version: String,
    /// From 1.
    pub line: u32,
    /// What holds it, the same in every version of the file: `project.version`, `__version__`.
    pub name: String,
}

/// Configurations, and the keys of the version in them.
#[rustfmt::skip]
const CONFIGURATIONS: &[(&str, &[&str])] = &[
    ("pyproject.toml", &["project.version", "poetry.version", "commitizen.version", "bumpversion.current-version"]),
    ("setup.cfg", &["metadata.version", "bumpversion.current-version"]), (".bumpversion.cfg", &["bumpversion.current-version"]), (".bumpversion.toml", &["bumpversion.current-version"]),
    ("Cargo.toml", &["package.version"]), ("tauri.conf.json", &["version"]), ("package.json", &["version"]),
    ("composer.json", &["version"]), ("deno.json", &["version"]), ("jsr.json", &["version"]), ("plugin.json", &["version"]), ("marketplace.json", &["metadata.version", "plugins.version"]),
    ("manifest.json", &["version"]), ("server.json", &["version", "packages.version"]), ("gemini-extension.json", &["version"]), ("pubspec.yaml", &["version"]), ("CITATION.cff", &["version"]),
    ("galaxy.yml", &["version"]), ("snapcraft.yaml", &["version"]), ("Chart.yaml", &["appversion"]), ("gradle.properties", &["version"]),
];

/// Programs, and the names to which they give the version.
#[rustfmt::skip]
const PROGRAMS: &[(&str, &[&str])] = &[
    ("__init__.py", &["__version__", "VERSION"]), ("__about__.py", &["__version__"]), ("__version__.py", &["__version__", "VERSION"]), ("version.py", &["__version__", "VERSION", "version"]), ("_version.py", &["__version__", "version"]),
    ("setup.py", &["version", "VERSION"]), ("conf.py", &["release", "version"]), ("version.rb", &["VERSION"]), ("*.gemspec", &["version"]), ("version.go", &["Version", "version", "VERSION"]), ("mix.exs", &["version", "@version"]),
    ("build.gradle", &["version"]), ("build.gradle.kts", &["version"]), ("version.ts", &["version", "VERSION"]), ("version.js", &["version", "VERSION"]), ("version.rs", &["VERSION"]), ("version.php", &["VERSION"]),
];

/// Files that hold nothing else.
const WHOLE: [&str; 3] = ["VERSION", "version.txt", "VERSION.txt"];

/// Globs of all files that may say a version, for a search of the tree.
pub fn globs() -> Vec<String> {
    let names = CONFIGURATIONS.iter().chain(PROGRAMS).map(|(name, _)| *name).chain(WHOLE);
    names.map(|name| format!("**/{name}")).collect()
}

pub fn may_say(path: &str) -> bool {
    let name = name(path);
    CONFIGURATIONS.iter().chain(PROGRAMS).any(|(file, _)| is_named(name, file)) || WHOLE.contains(&name)
}

pub fn versions(path: &str, text: &str) -> Vec<Said> {
    let name = name(path);
    if WHOLE.contains(&name) {
        let version = text.trim();
        return version_of(version)
            .map(|version| Said { version, line: 1, name: "the file".into() })
            .into_iter()
            .collect();
    }
    if let Some((_, keys)) = CONFIGURATIONS.iter().find(|(file, _)| *file == name) {
        // Of `package.json`, `version` stands at the top; of a section, below it.
        let all = settings(text, Format::from_path(path)).unwrap_or_default();
        let is_version = |one: &&configuration::Setting| {
            keys.iter().any(|key| {
                one.keys.len() == key.split('.').count().max(depth(name, &one.keys)) && ends_as(&one.keys, key)
            })
        };
        let found = all.iter().filter(|one| !one.is_item).filter(is_version);
        return found
            .filter_map(|one| Some(Said { version: version_of(&one.value)?, line: one.line, name: one.name() }))
            .collect();
    }
    let Some((_, names)) = PROGRAMS.iter().find(|(file, _)| is_named(name, file)) else { return Vec::new() };
    (1..).zip(text.lines()).filter_map(|(line, text)| assigned(text, names, line)).collect()
}

/// Keys that lead to a version of a manifest whose sections are nested: `tool.poetry.version`, `workspace.package.version`.
fn depth(name: &str, keys: &[String]) -> usize {
    let nested = keys[0] == "tool" || (name == "Cargo.toml" && keys[0] == "workspace");
    if nested { 3 } else { 0 }
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_named(name: &str, pattern: &str) -> bool {
    pattern.strip_prefix('*').map_or(name == pattern, |ending| name.ends_with(ending))
}

/// `NAME = "1.2.3"`, `version: "1.2.3"`, `spec.version = '1.2.3'`, `version="1.2.3",`.
fn assigned(line: &str, names: &[&str], number: u32) -> Option<Said> {
    let text = line.trim();
    if text.starts_with(['#', '/', '*']) {
        return None;
    }
    let (left, right) = text.split_once('=').or_else(|| text.split_once(':')).or_else(|| text.split_once(' '))?;
    let held = left.trim().rsplit(['.', ' ']).next().unwrap_or_default();
    // A type may stand between: `pub const VERSION: &str = "1.2.3";`.
    let held = if names.contains(&held) {
        held
    } else {
        names.iter().find(|name| left.trim().split([' ', ':', '.']).any(|part| part == **name))?
    };
    let quoted = right.trim_start().trim_start_matches(['=', ':', '~']).trim_start();
    let quote = quoted.chars().next().filter(|c| "\"'`".contains(*c))?;
    let (value, _) = quoted[1..].split_once(quote)?;
    Some(Said { version: version_of(value)?, line: number, name: held.to_owned() })
}

/// Three numbers or more, and what may follow them; a `v` before them is none of it.
pub fn version_of(text: &str) -> Option<String> {
    let bare = text.strip_prefix('v').unwrap_or(text);
    let core: &str = bare.split(['-', '+']).next().unwrap_or_default();
    let numbers = core.split('.').take_while(|part| part.starts_with(|c: char| c.is_ascii_digit())).count();
    let is_plain = bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-+".contains(&byte));
    (numbers >= 3 && is_plain && bare.len() <= 40).then(|| bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_read() {
        let cases = [
            ("pyproject.toml", "[project]\nname = \"a\"\nversion = \"1.2.3\"\n", 3),
            ("pyproject.toml", "[tool.poetry]\nversion = \"1.2.3\"\n", 2),
            ("pyproject.toml", "[tool.commitizen]\nversion = \"1.2.3\"\n", 2),
            ("pyproject.toml", "[tool.bumpversion]\ncurrent_version = \"1.2.3\"\n", 2),
            ("setup.cfg", "[metadata]\nname = a\nversion = 1.2.3\n", 3),
            (".bumpversion.cfg", "[bumpversion]\ncurrent_version = 1.2.3\n", 2),
            ("Cargo.toml", "[package]\nversion = \"1.2.3\"\n", 2),
            ("Cargo.toml", "[workspace.package]\nversion = \"1.2.3\"\n", 2),
            ("package.json", "{\n\"version\": \"1.2.3\"\n}", 2),
            ("composer.json", "{\n\"version\": \"v1.2.3\"\n}", 2),
            ("deno.json", "{\n\"version\": \"1.2.3\"\n}", 2),
            ("jsr.json", "{\n\"version\": \"1.2.3\"\n}", 2),
            (".claude-plugin/plugin.json", "{\n\"version\": \"1.2.3\"\n}", 2),
            (".claude-plugin/marketplace.json", "{\"plugins\": [{\n\"version\": \"1.2.3\"\n}]}", 2),
            ("manifest.json", "{\n\"version\": \"1.2.3\"\n}", 2),
            ("server.json", "{\n\"version\": \"1.2.3\"\n}", 2),
            ("gemini-extension.json", "{\n\"version\": \"1.2.3\"\n}", 2),
            ("tauri.conf.json", "{\n\"version\": \"1.2.3\"\n}", 2),
            ("pubspec.yaml", "name: a\nversion: 1.2.3\n", 2),
            ("CITATION.cff", "title: a\nversion: 1.2.3\n", 2),
            ("galaxy.yml", "name: a\nversion: 1.2.3\n", 2),
            ("snapcraft.yaml", "name: a\nversion: '1.2.3'\n", 2),
            ("Chart.yaml", "name: a\nappVersion: \"1.2.3\"\n", 2),
            ("a/__init__.py", "\n__version__ = \"1.2.3\"\n", 2),
            ("a/__about__.py", "\n__version__ = '1.2.3'\n", 2),
            ("a/version.py", "\nVERSION: str = \"1.2.3\"\n", 2),
            ("setup.py", "setup(\n    version=\"1.2.3\",\n", 2),
            ("docs/conf.py", "#\nrelease = \"1.2.3\"\n", 2),
            ("lib/a/version.rb", "module A\n  VERSION = '1.2.3'.freeze\n", 2),
            ("a.gemspec", "\n  spec.version = \"1.2.3\"\n", 2),
            ("version.go", "package a\nconst Version = \"v1.2.3\"\n", 2),
            ("mix.exs", "\n  @version \"1.2.3\"\n", 2),
            ("build.gradle", "\nversion = '1.2.3'\n", 2),
            ("build.gradle.kts", "\nversion = \"1.2.3\"\n", 2),
            ("gradle.properties", "a=1\nversion=1.2.3\n", 2),
            ("src/version.ts", "//\nexport const VERSION = \"1.2.3\";\n", 2),
            ("src/version.rs", "//\npub const VERSION: &str = \"1.2.3\";\n", 2),
            ("VERSION", "1.2.3\n", 1),
        ];
        for (path, text, line) in cases {
            let found: Vec<_> = versions(path, text).into_iter().map(|one| (one.version, one.line)).collect();
            assert_eq!(found, [("1.2.3".to_owned(), line)], "{path}: {text}");
        }
    }

    #[test]
    fn what_is_none() {
        for (path, text) in [
            ("package.json", "{\"dependencies\": {\"version\": \"1.2.3\"}, \"engines\": {\"version\": \"1.2.3\"}}"),
            ("a/__init__.py", "# __version__ = \"1.2.3\"\nx = \"1.2.3\"\n"),
            ("Cargo.toml", "[dependencies.a]\nversion = \"1.2.3\"\n"),
            ("pyproject.toml", "[tool.black]\nversion = \"1.2.3\"\n[tool.x.y]\nversion = \"1.2.3\"\n"),
            ("setup.py", "python_requires=\"3.9.1\"\n"),
            ("VERSION", "latest\n"),
            ("src/app.py", "__version__ = \"1.2.3\"\n"),
        ] {
            assert_eq!(versions(path, text), [], "{path}: {text}");
        }
    }
}
