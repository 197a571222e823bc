//! Configuration with a value of a type that its tool refuses, by the tools' own documentation.

use serde_json::{Value, json};

use super::block::{joined, lines};
use super::verify::{Format, parses};
use super::{Files, Planted, Random, is_own, one};

/// A kind of file, and values that it does not take at a place; `*` is any key.
type Wrong = (&'static str, fn(&str) -> bool, &'static [(&'static str, &'static str)]);

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

const TREES: [Wrong; 6] = [
    (
        "package.json",
        |path| name(path) == "package.json",
        &[
            ("/scripts", r#"["build", "test"]"#),
            ("/dependencies", r#"["react", "redux"]"#),
            ("/devDependencies", r#"["eslint"]"#),
            ("/files", r#"{"dist": true}"#),
            ("/name", "5"),
            ("/version", "1.2"),
            ("/scripts/*", r#"["node", "build.js"]"#),
            ("/dependencies/*", "18"),
            ("/engines", r#""node >= 18""#),
            ("/private", r#""yes""#),
            ("/main", r#"["index.js"]"#),
        ],
    ),
    (
        "tsconfig",
        |path| name(path).starts_with("tsconfig") && path.ends_with(".json"),
        &[
            ("/compilerOptions", r#"["strict"]"#),
            ("/compilerOptions/strict", r#""yes""#),
            ("/compilerOptions/target", "2022"),
            ("/include", r#""src""#),
            ("/compilerOptions/lib", r#""dom""#),
            ("/compilerOptions/paths", r#"["src"]"#),
            ("/compilerOptions/module", "true"),
            ("/exclude", r#"{"dist": true}"#),
        ],
    ),
    (
        "prettier",
        |path| matches!(name(path), ".prettierrc" | ".prettierrc.json"),
        &[
            ("/semi", r#""always""#),
            ("/tabWidth", r#""four""#),
            ("/singleQuote", r#""yes""#),
            ("/printWidth", r#""100""#),
            ("/trailingComma", "true"),
        ],
    ),
    (
        "eslint",
        |path| matches!(name(path), ".eslintrc.json" | ".eslintrc"),
        &[
            ("/parser", r#"{"parser": "@typescript-eslint/parser"}"#),
            ("/env", r#"["browser", "node"]"#),
            ("/rules", r#"["semi"]"#),
            ("/extends", "5"),
            ("/root", r#""yes""#),
            ("/plugins", r#"{"react": true}"#),
        ],
    ),
    (
        "Cargo.toml",
        |path| name(path) == "Cargo.toml",
        &[
            ("/package/name", "5"),
            ("/package/edition", "2021"),
            ("/package/version", "1.0"),
            ("/dependencies", r#"["serde"]"#),
            ("/dependencies/*", "1"),
            ("/features/*", r#""std""#),
            ("/workspace/members", r#""crates""#),
            ("/package/keywords", r#""cli, tool""#),
            ("/dev-dependencies", r#"["insta"]"#),
            ("/package/authors", r#""Somebody""#),
            ("/package/description", r#"["a tool"]"#),
        ],
    ),
    (
        "pyproject.toml",
        |path| name(path) == "pyproject.toml",
        &[
            ("/project/dependencies", r#"{"httpx": "1"}"#),
            ("/project/name", "5"),
            ("/project/authors", r#""Somebody""#),
            ("/project/optional-dependencies", r#"["pytest"]"#),
            ("/build-system/requires", r#""hatchling""#),
            ("/project/scripts", r#"["click"]"#),
            ("/project/keywords", r#""cli""#),
            ("/project/requires-python", "3.8"),
            ("/project/classifiers", r#""License""#),
            ("/tool/ruff/line-length", r#""long""#),
            ("/tool/black/line-length", r#"["88"]"#),
            ("/tool/poetry/dependencies", r#"["pytest"]"#),
        ],
    ),
];

/// YAML is edited as text: the value behind a key.
const TEXTS: [Wrong; 4] = [
    (
        "workflow",
        |path| path.starts_with(".github/workflows/"),
        &[
            ("runs-on", "{ os: ubuntu }"),
            ("uses", "[actions/checkout]"),
            ("run", "{ cargo: test }"),
            ("name", "[build]"),
            ("timeout-minutes", "ten minutes"),
            ("needs", "{ build: true }"),
            ("fail-fast", "[no]"),
            ("branches", "{ main: true }"),
        ],
    ),
    (
        "dependabot",
        |path| path == ".github/dependabot.yml",
        &[
            ("version", "two"),
            ("interval", "sometimes"),
            ("- package-ecosystem", "[npm]"),
            ("open-pull-requests-limit", "five"),
            ("directory", "[\"/\"]"),
        ],
    ),
    (
        "pre-commit",
        |path| name(path) == ".pre-commit-config.yaml",
        &[
            ("rev", "[1, 2]"),
            ("- repo", "[one]"),
            ("- id", "[black]"),
            ("args", "--fix"),
            ("language", "[python]"),
            ("types", "python"),
            ("pass_filenames", "[no]"),
        ],
    ),
    (
        "compose",
        |path| matches!(name(path), "docker-compose.yml" | "compose.yml" | "compose.yaml" | "docker-compose.yaml"),
        &[("image", "[nginx]"), ("restart", "{ always: true }"), ("container_name", "[web]"), ("working_dir", "[a]")],
    ),
];

pub fn wrong_type(files: &Files, random: &mut Random) -> Option<Planted> {
    let nth = random.below(TREES.len() + TEXTS.len());
    // Files of the kind that was drawn, else of any.
    (0..TREES.len() + TEXTS.len()).map(|step| (nth + step) % (TREES.len() + TEXTS.len())).find_map(|nth| {
        match TREES.get(nth) {
            Some(wrong) => in_tree(wrong, files, random),
            None => in_text(&TEXTS[nth - TREES.len()], files, random),
        }
    })
}

fn in_tree((kind, of, wrong): &Wrong, files: &Files, random: &mut Random) -> Option<Planted> {
    let own = |path: &str| is_own(path) && !path.contains("test") && of(path);
    for (path, text) in files.some(random, own) {
        for _ in 0..8 {
            let (pointer, value) = one(wrong, random)?;
            let value: Value = serde_json::from_str(value).ok()?;
            let changed = if path.ends_with(".toml") {
                toml(&text, pointer, &value, random)
            } else {
                json(&text, pointer, &value, random)
            };
            if let Some(after) = changed {
                return Some(Planted::new(&path, after, *kind, format!("{pointer} is {value}")));
            }
        }
    }
    None
}

/// The keys of a pointer, `*` taken from what is there.
fn json(text: &str, pointer: &str, wrong: &Value, random: &mut Random) -> Option<String> {
    let mut whole: Value = serde_json::from_str(text).ok()?;
    let (parent, key) = pointer.rsplit_once('/')?;
    let members = whole.pointer_mut(parent)?.as_object_mut()?;
    let keys: Vec<String> = members.keys().cloned().collect();
    let key = if key == "*" { one(&keys, random)?.clone() } else { key.to_owned() };
    *members.get_mut(&key)? = wrong.clone();
    Some(format!("{whole:#}\n"))
}

fn toml(text: &str, pointer: &str, wrong: &Value, random: &mut Random) -> Option<String> {
    let mut whole: toml_edit::DocumentMut = text.parse().ok()?;
    let mut parts: Vec<&str> = pointer.split('/').skip(1).collect();
    let last = parts.pop()?;
    let mut table: &mut dyn toml_edit::TableLike = whole.as_table_mut();
    for part in parts {
        table = table.get_mut(part)?.as_table_like_mut()?;
    }
    let keys: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    let key = if last == "*" { one(&keys, random)?.clone() } else { last.to_owned() };
    // What a table header opens goes on below: a value in its place would be another mistake.
    let old = table.get(&key)?;
    if old.is_table() || old.is_array_of_tables() {
        if table.iter().any(|(_, item)| {
            item.is_table() && old.as_table().is_some_and(|old| old.iter().any(|(_, item)| item.is_table()))
        }) {
            return None;
        }
        table.remove(&key);
    }
    let value: toml_edit::Value = inline(wrong).parse().ok()?;
    table.insert(&key, toml_edit::Item::Value(value));
    let after = whole.to_string();
    (parses(Format::Toml, &after) == Some(true)).then_some(after)
}

fn inline(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, value)| format!("{} = {}", json!(key), inline(value))).collect();
            format!("{{ {} }}", members.join(", "))
        }
        value => value.to_string(),
    }
}

fn in_text((kind, of, wrong): &Wrong, files: &Files, random: &mut Random) -> Option<Planted> {
    for (path, text) in files.some(random, |path| is_own(path) && of(path)) {
        if parses(Format::Yaml, &text) != Some(true) {
            continue;
        }
        for _ in 0..8 {
            let (key, value) = one(wrong, random)?;
            let all = lines(&text);
            let is_key = |line: &str| {
                let bare =
                    if key.starts_with("- ") { line.trim_start() } else { line.trim_start().trim_start_matches("- ") };
                let rest = bare.strip_prefix(key).and_then(|rest| rest.strip_prefix(": "));
                // Only what is whole in its line, and is no anchor, block or expression.
                rest.is_some_and(|rest| {
                    !rest.trim().is_empty()
                        && !rest.starts_with(['|', '>', '&', '*', '$', '{'])
                        && !rest.contains("${{")
                })
            };
            let places: Vec<usize> = (0..all.len()).filter(|at| is_key(all[*at])).collect();
            let Some(at) = one(&places, random).copied() else { continue };
            let (before, _) = all[at].split_once(": ")?;
            // `[` may go on below.
            if all[at].contains('[') && !all[at].contains(']') {
                continue;
            }
            // What an action or a command takes is its own business.
            if all[..at]
                .iter()
                .rev()
                .find(|line| super::block::depth(line) < super::block::depth(all[at]))
                .is_some_and(|line| line.trim() == "with:")
            {
                continue;
            }
            let line = format!("{before}: {value}");
            let after = joined(&[&all[..at], &[line.as_str()], &all[at + 1..]].concat());
            if parses(Format::Yaml, &after) == Some(true) {
                return Some(Planted::new(&path, after, *kind, format!("{} at line {}", line.trim(), at + 1)));
            }
        }
    }
    None
}
