//! `Pipfile` (<https://pipenv.pypa.io/en/latest/pipfile.html>).

use toml::{Table, Value};

use super::super::DependencyKind;
use super::super::declared::{Declared, problem};

pub fn pipfile(text: &str) -> Result<Declared, String> {
    let table: Table = text.parse().map_err(problem)?;
    let mut declared = Declared::default();
    for (section, packages) in table.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_table()?))) {
        let kind = match section {
            "packages" => DependencyKind::Normal,
            "source" | "requires" | "scripts" | "pipenv" | "pipfile" => continue,
            // `dev-packages`, and categories that the project defines.
            _ => DependencyKind::Dev,
        };
        for (name, value) in packages {
            declared.note_source(name, value);
            let version = value.as_str().or_else(|| value.get("version")?.as_str());
            declared.add(name, version.unwrap_or_default(), kind);
        }
    }
    // Every Pipfile names the index that is everybody's.
    declared.has_own_index = table.get("source").and_then(Value::as_array).is_some_and(|sources| sources.len() > 1);
    declared.starts = scripts(&table);
    Ok(declared)
}

fn scripts(table: &Table) -> Vec<String> {
    let scripts = table.get("scripts").and_then(Value::as_table).into_iter().flatten();
    scripts
        .filter_map(|(_, script)| script.as_str()?.strip_prefix("python ")?.split(' ').next())
        .map(str::to_owned)
        .collect()
}
