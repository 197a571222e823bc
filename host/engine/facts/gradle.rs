//! `build.gradle`, `build.gradle.kts` and the version catalog. The scripts are programs; only literal declarations are read
//! (<https://docs.gradle.org/current/userguide/declaring_dependencies.html>).

use toml::{Table, Value};

use super::DependencyKind;
use super::declared::{Declared, problem};

pub fn parse(text: &str) -> Declared {
    let mut declared = Declared::default();
    for line in text.lines() {
        let line = line.trim();
        let end = line.find(|c: char| !c.is_alphanumeric()).unwrap_or(line.len());
        let (word, rest) = (&line[..end], &line[end..]);
        if word == "id" {
            // A plugin's marker artifact contains the plugin's id twice; scripts name the id alone.
            let version = rest.split_once("version").and_then(|(_, version)| literal(version)).unwrap_or_default();
            if let Some(plugin) = literal(rest) {
                declared.add(plugin, version, DependencyKind::Build);
            }
        } else if let Some(kind) = kind(word) {
            add(&mut declared, rest, kind);
        }
    }
    declared
}

/// By the end of a configuration's name, such as `testImplementation`; `kapt` is one too.
fn kind(configuration: &str) -> Option<DependencyKind> {
    let lower = configuration.to_ascii_lowercase();
    let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| lower.ends_with(suffix));
    if !ends(&[
        "implementation",
        "api",
        "compileonly",
        "runtimeonly",
        "compile",
        "classpath",
        "processor",
        "kapt",
        "ksp",
    ]) {
        return None;
    }
    Some(match lower.as_str() {
        _ if lower.contains("test") => DependencyKind::Dev,
        "classpath" | "kapt" | "ksp" | "annotationprocessor" => DependencyKind::Build,
        _ if lower.starts_with("debug") => DependencyKind::Dev,
        _ => DependencyKind::Normal,
    })
}

/// `'group:name:version'` in any wrapping (`platform("…")`), or `group: 'g', name: 'n', version: 'v'`.
fn add(declared: &mut Declared, rest: &str, kind: DependencyKind) {
    let field =
        |key: &str| ["{}:", "{} ="].iter().find_map(|form| literal(rest.split_once(&form.replace("{}", key))?.1));
    if let (Some(group), Some(name)) = (field("group"), field("name")) {
        declared.add(&format!("{group}:{name}"), field("version").unwrap_or_default(), kind);
    } else if let Some(coordinates) = literal(rest) {
        let mut parts = coordinates.splitn(3, ':');
        if let (Some(group), Some(name)) = (parts.next(), parts.next()) {
            declared.add(&format!("{group}:{name}"), parts.next().unwrap_or_default(), kind);
        }
    }
}

/// The first quoted string.
fn literal(text: &str) -> Option<&str> {
    let open = text.find(['"', '\''])?;
    let quote = &text[open..=open];
    text[open + 1..].split_once(quote).map(|(literal, _)| literal)
}

/// `gradle/libs.versions.toml`: libraries and plugins that the build's scripts refer to by alias.
pub fn parse_catalog(text: &str) -> Result<Declared, String> {
    let table: Table = text.parse().map_err(problem)?;
    let section = |name: &str| table.get(name).and_then(Value::as_table).into_iter().flatten();
    let versions = table.get("versions").and_then(Value::as_table);
    let version = |value: &Value| -> String {
        let version = value.get("version");
        let reference = version.and_then(|version| version.get("ref")?.as_str());
        let version = reference.and_then(|name| versions?.get(name)).or(version);
        version.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut declared = Declared::default();
    for (_, library) in section("libraries") {
        let module =
            text(library, "module").or_else(|| Some(format!("{}:{}", text(library, "group")?, text(library, "name")?)));
        match (library.as_str(), module) {
            (Some(coordinates), _) => add(&mut declared, &format!("\"{coordinates}\""), DependencyKind::Normal),
            (None, Some(module)) => declared.add(&module, &version(library), DependencyKind::Normal),
            (None, None) => declared.add_problem("a library has neither `module` nor `group` and `name`"),
        }
    }
    for (_, plugin) in section("plugins") {
        let (id, inline) = plugin.as_str().and_then(|plugin| plugin.split_once(':')).unzip();
        if let Some(id) = id.map(str::to_owned).or_else(|| text(plugin, "id")) {
            declared.add(&id, inline.unwrap_or(&version(plugin)), DependencyKind::Build);
        }
    }
    Ok(declared)
}
