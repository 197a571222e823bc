//! The digest of a manifest that Poetry keeps in its lock file.

use sha2::{Digest, Sha256};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys of `[tool.poetry]`: of the first four the digest also tells that they are not there, unless standard tables have the dependencies.
const POETRY: [&str; 5] = ["dependencies", "source", "extras", "dev-dependencies", "group"];
const PROJECT: [&str; 3] = ["requires-python", "dependencies", "optional-dependencies"];

/// Whether `content` is the digest of a `pyproject.toml`. Poetry 2.2 began to count `[dependency-groups]`, if there are any.
pub fn fits(manifest: &str, content: &str) -> bool {
    let Ok(table) = DeTable::parse(manifest) else { return false };
    [false, true].into_iter().filter_map(|with_groups| digest(table.get_ref(), with_groups)).any(|one| one == content)
}

/// None where a value is of a kind that no dependency has.
fn digest(manifest: &DeTable, with_groups: bool) -> Option<String> {
    let (tool, project) = (below(manifest, "tool"), below(manifest, "project"));
    let poetry = tool.and_then(|tool| below(tool, "poetry"));
    let groups = below(manifest, "dependency-groups").filter(|groups| with_groups && !groups.is_empty());
    let project = members(project, &PROJECT, 0)?;
    let is_standard = !project.is_empty() || groups.is_some();
    let of_poetry = members(poetry, &POETRY, if is_standard { 0 } else { 4 })?;
    let text = if is_standard {
        let mut all = vec![("tool", object(vec![("poetry", object(of_poetry))]))];
        if !project.is_empty() {
            all.push(("project", object(project)));
        }
        if let Some(groups) = groups {
            all.push(("dependency-groups", table(groups)?));
        }
        object(all)
    } else {
        object(of_poetry)
    };
    Some(Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect())
}

fn below<'t>(table: &'t DeTable<'t>, key: &str) -> Option<&'t DeTable<'t>> {
    table.get(key)?.get_ref().as_table()
}

/// Those of the keys that are there, and of the first `told` also those that are not. None as of [`digest`].
fn members<'k>(of: Option<&DeTable>, keys: &[&'k str], told: usize) -> Option<Vec<(&'k str, String)>> {
    let mut found = Vec::new();
    for (at, key) in keys.iter().enumerate() {
        match of.and_then(|table| table.get(*key)) {
            Some(value) => found.push((*key, json(value)?)),
            None if at < told => found.push((*key, "null".to_owned())),
            None => {}
        }
    }
    Some(found)
}

/// As Python's `json.dumps(…, sort_keys=True)` writes it.
fn json(value: &Spanned<DeValue>) -> Option<String> {
    Some(match value.get_ref() {
        DeValue::String(text) => string(text),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(json).collect();
            format!("[{}]", items?.join(", "))
        }
        DeValue::Table(inner) => table(inner)?,
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::Datetime(_) => return None,
    })
}

fn table(table: &DeTable) -> Option<String> {
    let members: Option<Vec<(&str, String)>> =
        table.iter().map(|(key, value)| Some((key.get_ref().as_ref(), json(value)?))).collect();
    Some(object(members?))
}

fn object(mut members: Vec<(&str, String)>) -> String {
    members.sort_unstable();
    let members: Vec<String> = members.iter().map(|(key, value)| format!("{}: {value}", string(key))).collect();
    format!("{{{}}}", members.join(", "))
}

fn string(text: &str) -> String {
    let mut written = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            '\u{8}' => written.push_str("\\b"),
            '\u{c}' => written.push_str("\\f"),
            ' '..='~' => written.push(c),
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| written.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    written + "\""
}

#[cfg(test)]
mod tests {
    use super::fits;

    /// With the digests that Poetry 2.5.1 computes for them; the last as Poetry 2.1, which did not count groups.
    #[test]
    fn digests_of_manifests() {
        let of_poetry = r#"[tool.poetry.dependencies]
python = ">=3.10,<4"
web = { version = "^2.0", extras = ["async", "é😀"], optional = true }

[tool.poetry.group.dev.dependencies]
lint = "*"

[tool.poetry.extras]
all = ["web"]

[[tool.poetry.source]]
name = "own"
url = "https://example.org/simple"
priority = "explicit"
"#;
        let standard = r#"[project]
requires-python = ">=3.10"
dependencies = ["web >= 2", "left == 1.0; python_version < '3.12'"]

[tool.poetry.group.dev.dependencies]
lint = "*"

[dependency-groups]
test = ["check >= 1", { include-group = "lint" }]
"#;
        for (manifest, content) in [
            (of_poetry, "923b8eb32af8d89bc9813dfece04a735154c390bb00def1801d07fc96b941fb5"),
            (standard, "71f8d44e7e2f5a05e898c04fc76fc2d733606be23ae8e84d47c8a0f7b9866d79"),
            (standard, "0fe8254e8452898c96af2b296d4db9177bcd325a365c2a055f9c4c99f08e381d"),
        ] {
            assert!(fits(manifest, content), "{content}");
            assert!(!fits(&manifest.replace("web", "other"), content));
        }
    }
}
