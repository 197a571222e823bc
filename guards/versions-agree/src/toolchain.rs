//! Toolchains that are installed to build the code, and the oldest one that the code asks for.

use configuration::{Format, ends_as, settings};
use guard_sdk::files::Globs;
use guard_sdk::{Change, Finding, Repo, Side};

use crate::{Settings, edited};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tool {
    Go,
    Rust,
    Node,
    Python,
    Ruby,
}
use Tool::{Go, Node, Python, Ruby, Rust};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The oldest version that the code asks for.
    Floor,
    /// A version that is installed to build it or to run it.
    Pin,
}
use Role::{Floor, Pin};

impl Tool {
    const ALL: [Tool; 5] = [Go, Rust, Node, Python, Ruby];

    fn name(self) -> &'static str {
        match self {
            Go => "Go",
            Rust => "Rust",
            Node => "Node.js",
            Python => "Python",
            Ruby => "Ruby",
        }
    }

    /// Numbers of a version that tell one release from the next: what comes behind them is repaired at any time.
    fn telling(self) -> usize {
        match self {
            Node => 1,
            Go | Rust | Python | Ruby => 2,
        }
    }
}

const WORKFLOWS: &str = "/.github/workflows/*.{yml,yaml}";

/// Files with keys, as a glob, and the key of a version. Variables of a workflow, such as `GO_VERSION`, have the key of their input.
#[rustfmt::skip]
const KEYS: &[(&str, &str, Tool, Role)] = &[
    ("Cargo.toml", "package.rust-version", Rust, Floor), ("rust-toolchain.toml", "toolchain.channel", Rust, Pin), ("rust-toolchain", "toolchain.channel", Rust, Pin),
    ("package.json", "engines.node", Node, Floor), ("package.json", "volta.node", Node, Pin),
    ("pyproject.toml", "project.requires-python", Python, Floor), ("pyproject.toml", "poetry.dependencies.python", Python, Floor), ("setup.cfg", "options.python-requires", Python, Floor),
    ("{mise,.mise}.toml", "tools.go", Go, Pin), ("{mise,.mise}.toml", "tools.rust", Rust, Pin), ("{mise,.mise}.toml", "tools.node", Node, Pin), ("{mise,.mise}.toml", "tools.python", Python, Pin), ("{mise,.mise}.toml", "tools.ruby", Ruby, Pin),
    (WORKFLOWS, "go-version", Go, Pin), (WORKFLOWS, "node-version", Node, Pin), (WORKFLOWS, "python-version", Python, Pin), (WORKFLOWS, "ruby-version", Ruby, Pin), (WORKFLOWS, "rust-version", Rust, Pin),
    (WORKFLOWS, "toolchain", Rust, Pin), (WORKFLOWS, "msrv", Rust, Pin),
    (WORKFLOWS, "matrix.go", Go, Pin), (WORKFLOWS, "matrix.node", Node, Pin), (WORKFLOWS, "matrix.python", Python, Pin), (WORKFLOWS, "matrix.ruby", Ruby, Pin), (WORKFLOWS, "matrix.rust", Rust, Pin),
];

/// Files with lines, as a glob, and what stands before the version in one of them.
#[rustfmt::skip]
const LINES: &[(&str, &str, Tool, Role)] = &[
    ("go.mod", "go ", Go, Floor), ("*.gemspec", "spec.required_ruby_version = ", Ruby, Floor), ("*.gemspec", "s.required_ruby_version = ", Ruby, Floor),
    ("*Dockerfile*", "FROM golang:", Go, Pin), ("*Dockerfile*", "FROM rust:", Rust, Pin), ("*Dockerfile*", "FROM node:", Node, Pin), ("*Dockerfile*", "FROM python:", Python, Pin), ("*Dockerfile*", "FROM ruby:", Ruby, Pin),
    (".tool-versions", "golang ", Go, Pin), (".tool-versions", "rust ", Rust, Pin), (".tool-versions", "nodejs ", Node, Pin), (".tool-versions", "python ", Python, Pin), (".tool-versions", "ruby ", Ruby, Pin),
    (".go-version", "", Go, Pin), ("rust-toolchain", "", Rust, Pin), (".nvmrc", "", Node, Pin), (".node-version", "", Node, Pin), (".python-version", "", Python, Pin), (".ruby-version", "", Ruby, Pin),
];

/// A version of a toolchain that a file states.
#[derive(Debug, Clone, PartialEq)]
struct Stated {
    tool: Tool,
    role: Role,
    version: String,
    line: u32,
}

/// None: the change moves no version of a toolchain.
pub fn find(change: &Change, held: &Settings) -> Option<Vec<Finding>> {
    let globs: Vec<&str> = KEYS.iter().chain(LINES).map(|(glob, ..)| *glob).collect();
    let read = Globs::new(&globs).ok()?;
    let same = |old: &Stated, new: &Stated| (old.tool, old.role, &old.version) == (new.tool, new.role, &new.version);
    let moves = |file: &crate::Edited| {
        let (old, new) = (stated(file.old_path, &file.before), stated(file.path, &file.after));
        let at = old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| same(old, new));
        if at { None } else { Some(file.path.to_owned()) }
    };
    let moved: Vec<String> = edited(change, held, |path| read.matches(path)).iter().filter_map(moves).collect();
    if moved.is_empty() {
        return None;
    }
    let (before, after) = (change.repo(Side::Before), change.repo(Side::After));
    let all = |repo: &Repo| -> Vec<(String, Stated)> {
        let paths = repo.find(&globs, 1_000).into_iter().filter(|path| held.hold(path));
        let of = |path: String| {
            let text = repo.text(&path).unwrap_or_default();
            stated(&path, &text).into_iter().map(move |one| (path.clone(), one))
        };
        paths.flat_map(of).collect()
    };
    let (old, new) = (all(&before), all(&after));
    Some(Tool::ALL.iter().filter_map(|tool| judge(*tool, &old, &new, &moved)).collect())
}

/// The floor of the root, or, without one, the least of all: what is pinned may build any package.
fn floor(tool: Tool, all: &[(String, Stated)]) -> Option<&(String, Stated)> {
    let floors = || all.iter().filter(|(_, one)| one.tool == tool && one.role == Floor);
    let of_root = floors().filter(|(path, _)| !path.contains('/')).min_by_key(|(_, one)| numbers(&one.version));
    of_root.or_else(|| floors().min_by_key(|(_, one)| numbers(&one.version)))
}

/// Pins below the floor.
fn below<'a>(tool: Tool, all: &'a [(String, Stated)], floor: &Stated) -> Vec<&'a (String, Stated)> {
    let short = |version: &str| -> Vec<u32> { numbers(version).into_iter().take(tool.telling()).collect() };
    let is_below = |version: &str| {
        let (pin, floor) = (short(version), short(&floor.version));
        let least = pin.len().min(floor.len());
        least > 0 && pin[..least] < floor[..least]
    };
    all.iter().filter(|(_, one)| one.tool == tool && one.role == Pin && is_below(&one.version)).collect()
}

fn judge(tool: Tool, old: &[(String, Stated)], new: &[(String, Stated)], moved: &[String]) -> Option<Finding> {
    let ((_, was), (manifest, floor)) = (floor(tool, old)?, floor(tool, new)?);
    let stood = below(tool, old, was);
    let stood = |pin: &(String, Stated)| stood.iter().any(|(path, one)| *path == pin.0 && one.version == pin.1.version);
    let pins: Vec<&(String, Stated)> = below(tool, new, floor).into_iter().filter(|pin| !stood(pin)).collect();
    let (first, pin) = pins.first()?;
    let (name, Stated { version, line, .. }) = (tool.name(), floor);
    let message = format!("{manifest} asks for {name} {version}, and {first} installs {}", pin.version);
    // Where the change is: at the floor if that moved, else at the pin.
    let (path, line) = if moved.contains(manifest) { (manifest, *line) } else { (first, pin.line) };
    let finding = Finding::error("toolchain-below-floor", message).at(path, line).help(format!(
        "Install {name} {version} or newer in line {} of {first}, or ask for no more than is installed.",
        pin.line
    ));
    let with = |finding: Finding, (path, one): &&(String, Stated)| {
        finding.related(path, one.line..=one.line, format!("{name} {} is installed", one.version))
    };
    Some(pins.iter().fold(finding, with))
}

fn stated(path: &str, text: &str) -> Vec<Stated> {
    let is = |glob: &str| Globs::new(&[glob]).is_ok_and(|globs| globs.matches(path));
    let mut found = Vec::new();
    let keys: Vec<_> = KEYS.iter().filter(|(glob, ..)| is(glob)).collect();
    if !keys.is_empty() {
        // A file of the old form of `rust-toolchain` holds nothing but a name.
        let format = if path.ends_with("rust-toolchain") { Format::Toml } else { Format::from_path(path) };
        // Of an INI file every value is also an item of what may be a list.
        let all = settings(text, format).unwrap_or_default().into_iter();
        for one in all.filter(|one| !one.is_item || format != Format::Ini) {
            let Some((.., tool, role)) = keys.iter().find(|(_, key, ..)| ends_as(&one.keys, key)) else { continue };
            let version = version(&one.value, *role);
            found.extend(version.map(|version| Stated { tool: *tool, role: *role, version, line: one.line }));
        }
    }
    for (_, start, tool, role) in LINES.iter().filter(|(glob, ..)| is(glob)) {
        // A file that holds nothing else says it in its first line.
        let lines = (1..).zip(text.lines()).take(if start.is_empty() { 1 } else { usize::MAX });
        let said = lines.filter_map(|(line, text)| Some((line, version(text.trim().strip_prefix(start)?, *role)?)));
        found.extend(said.map(|(line, version)| Stated { tool: *tool, role: *role, version, line }));
    }
    found
}

/// Of a floor the least version that it takes; of a pin the version, unless it is a range or a name.
fn version(text: &str, role: Role) -> Option<String> {
    let plain = |text: &str| {
        let text = text.trim().trim_matches(['"', '\'']).trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let version = text[..end].trim_end_matches('.');
        (!version.is_empty() && version.starts_with(|c: char| c.is_ascii_digit())).then(|| version.to_owned())
    };
    match role {
        Pin => plain(text),
        Floor => {
            let least = |part: &str| {
                let part = part.trim().trim_matches(['"', '\'', '[', ']']).trim();
                let bare = [">=", "~>", "^", "~", "=="].iter().find_map(|sign| part.strip_prefix(sign)).unwrap_or(part);
                plain(bare)
            };
            let choices = text.split("||").map(|choice| {
                least(choice.split([',', ' ']).next().unwrap_or_default().trim()).or_else(|| least(choice))
            });
            let choices: Option<Vec<String>> = choices.collect();
            choices?.into_iter().min_by_key(|version| numbers(version))
        }
    }
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_files_state() {
        for (path, text, said) in [
            ("go.mod", "module a\n\ngo 1.22.3\n", "Go Floor 1.22.3 3"),
            ("Cargo.toml", "[package]\nrust-version = \"1.83\"\n", "Rust Floor 1.83 2"),
            ("Cargo.toml", "[workspace.package]\nrust-version = \"1.83\"\n", "Rust Floor 1.83 2"),
            ("rust-toolchain.toml", "[toolchain]\nchannel = \"1.80.1\"\n", "Rust Pin 1.80.1 2"),
            ("rust-toolchain.toml", "[toolchain]\nchannel = \"stable\"\n", ""),
            ("rust-toolchain", "1.80\n", "Rust Pin 1.80 1"),
            ("package.json", "{\"engines\":\n{\"node\": \">=18.2\"}}", "Node Floor 18.2 2"),
            ("package.json", "{\"engines\":\n{\"node\": \"^20 || >= 18.3\"}}", "Node Floor 18.3 2"),
            ("package.json", "{\"engines\": {\"node\": \"*\"}}", ""),
            ("pyproject.toml", "[project]\nrequires-python = \">=3.10,<4\"\n", "Python Floor 3.10 2"),
            ("pyproject.toml", "[tool.poetry.dependencies]\npython = \"^3.9\"\n", "Python Floor 3.9 2"),
            ("setup.cfg", "[options]\npython_requires = >=3.8\n", "Python Floor 3.8 2"),
            ("a.gemspec", "  spec.required_ruby_version = \">= 3.1\"\n", "Ruby Floor 3.1 1"),
            ("Dockerfile", "FROM golang:1.22-alpine AS build\n", "Go Pin 1.22 1"),
            ("docker/Dockerfile.dev", "FROM python:3.11\n", "Python Pin 3.11 1"),
            ("Dockerfile", "FROM node:lts\n", ""),
            (".tool-versions", "erlang 27\nnodejs 20.1.0\n", "Node Pin 20.1.0 2"),
            (".nvmrc", "v20\n", "Node Pin 20 1"),
            (".nvmrc", "lts/iron\n", ""),
            (".python-version", "3.12\n", "Python Pin 3.12 1"),
            ("mise.toml", "[tools]\ngo = \"1.22\"\n", "Go Pin 1.22 2"),
            (".github/workflows/a.yml", "env:\n  GO_VERSION: \"1.22\"\n", "Go Pin 1.22 2"),
            (".github/workflows/a.yml", "a:\n  with:\n    python-version: 3.10\n", "Python Pin 3.10 3"),
            (".github/workflows/a.yml", "a:\n  with:\n    python-version: ${{ matrix.python }}\n", ""),
            (".github/workflows/a.yml", "a:\n  with:\n    go-version: '>=1.20'\n", ""),
            ("docs/a.yml", "go-version: 1.22\n", ""),
        ] {
            let one = |one: Stated| format!("{:?} {:?} {} {}", one.tool, one.role, one.version, one.line);
            assert_eq!(stated(path, text).into_iter().map(one).collect::<Vec<_>>().join(", "), said, "{path}: {text}");
        }
        let list = "strategy:\n  matrix:\n    python: [\"3.9\", \"3.10\"]\n";
        let versions: Vec<String> =
            stated(".github/workflows/a.yaml", list).into_iter().map(|one| one.version).collect();
        assert_eq!(versions, ["3.9", "3.10"]);
    }
}
