//! `pyproject.toml`: PEP 621 and its build system, dependency groups (PEP 735), and the tables of poetry, uv, pdm, rye, flit and hatch.

use toml::{Table, Value};

use guardhost_core::error;

use super::super::DependencyKind;
use super::super::declared::{Declared, ManifestSource, problem};
use super::requirements::include;

pub fn pyproject(source: &ManifestSource) -> error::Result<Result<Declared, String>> {
    let root: Table = match source.text.parse() {
        Ok(root) => root,
        Err(error) => return Ok(Err(problem(error))),
    };
    let root = Value::Table(root);
    let mut declared = Declared::default();
    let name = at(&root, &["project", "name"]).or_else(|| at(&root, &["tool", "poetry", "name"]));
    declared.name = name.and_then(Value::as_str).map(str::to_owned);

    list(&mut declared, at(&root, &["project", "dependencies"]), DependencyKind::Normal);
    each(&mut declared, at(&root, &["project", "optional-dependencies"]), DependencyKind::Optional);
    each(&mut declared, root.get("dependency-groups"), DependencyKind::Dev);
    list(&mut declared, at(&root, &["build-system", "requires"]), DependencyKind::Build);
    list(&mut declared, at(&root, &["tool", "uv", "dev-dependencies"]), DependencyKind::Dev);
    list(&mut declared, at(&root, &["tool", "rye", "dev-dependencies"]), DependencyKind::Dev);
    each(&mut declared, at(&root, &["tool", "pdm", "dev-dependencies"]), DependencyKind::Dev);
    list(&mut declared, at(&root, &["tool", "flit", "metadata", "requires"]), DependencyKind::Normal);
    each(&mut declared, at(&root, &["tool", "flit", "metadata", "requires-extra"]), DependencyKind::Optional);
    for (_, env) in table(at(&root, &["tool", "hatch", "envs"])) {
        list(&mut declared, env.get("dependencies"), DependencyKind::Dev);
        list(&mut declared, env.get("extra-dependencies"), DependencyKind::Dev);
    }
    if let Some(poetry) = at(&root, &["tool", "poetry"]) {
        poetry_table(&mut declared, poetry.get("dependencies"), DependencyKind::Normal);
        poetry_table(&mut declared, poetry.get("dev-dependencies"), DependencyKind::Dev);
        for (_, group) in table(poetry.get("group")) {
            poetry_table(&mut declared, group.get("dependencies"), DependencyKind::Dev);
        }
    }
    for (name, sources) in table(at(&root, &["tool", "uv", "sources"])) {
        // One table, or a list of tables for several platforms.
        declared.elsewhere.extend((sources.is_table() || sources.is_array()).then(|| name.clone()));
    }
    declared.has_own_index = OWN_INDEXES.iter().any(|path| at(&root, path).is_some());
    dynamic(source, &root, &mut declared)?;
    for path in [&["project", "scripts"][..], &["project", "gui-scripts"], &["tool", "poetry", "scripts"]] {
        for (_, script) in table(at(&root, path)) {
            declared.starts.extend(script.as_str().into_iter().flat_map(module_files));
        }
    }
    Ok(Ok(declared))
}

/// Where tools name indexes of the project's own.
const OWN_INDEXES: [&[&str]; 6] = [
    &["tool", "uv", "index"],
    &["tool", "uv", "index-url"],
    &["tool", "uv", "extra-index-url"],
    &["tool", "uv", "find-links"],
    &["tool", "poetry", "source"],
    &["tool", "pdm", "source"],
];

fn at<'v>(root: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(root, |value, key| value.get(key))
}

fn table(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_table).into_iter().flatten()
}

/// A list of requirements. A table in it includes another group, which is read as a group of its own.
fn list(declared: &mut Declared, value: Option<&Value>, kind: DependencyKind) {
    match value {
        None => {}
        Some(Value::Array(requirements)) => {
            requirements.iter().filter_map(Value::as_str).for_each(|text| declared.require(text, kind));
        }
        Some(other) => declared.add_problem(format!("requirements: expected a list, found {}", other.type_str())),
    }
}

fn each(declared: &mut Declared, value: Option<&Value>, kind: DependencyKind) {
    for (_, requirements) in table(value) {
        list(declared, Some(requirements), kind);
    }
}

fn poetry_table(declared: &mut Declared, value: Option<&Value>, kind: DependencyKind) {
    if let Some(value) = value.filter(|value| !value.is_table()) {
        declared.add_problem(format!("poetry's dependencies: expected a table, found {}", value.type_str()));
    }
    // `python` is the interpreter.
    for (name, value) in table(value).filter(|(name, _)| *name != "python") {
        let optional = value.get("optional").and_then(Value::as_bool) == Some(true);
        // Several constraints for several platforms: the first is taken.
        let first = value.as_array().and_then(|choices| choices.first()).unwrap_or(value);
        std::slice::from_ref(value).iter().chain(value.as_array().into_iter().flatten()).for_each(|choice| {
            declared.note_source(name, choice);
        });
        let requirement = first.as_str().or_else(|| first.get("version")?.as_str()).unwrap_or_default();
        declared.add(name, requirement, if optional { DependencyKind::Optional } else { kind });
    }
}

/// Dynamic dependencies: setuptools reads them from files, other backends compute them.
fn dynamic(source: &ManifestSource, root: &Value, declared: &mut Declared) -> error::Result<()> {
    let fields = at(root, &["project", "dynamic"]).and_then(Value::as_array).into_iter().flatten();
    let fields: Vec<&str> = fields.filter_map(Value::as_str).collect();
    let setuptools = at(root, &["tool", "setuptools", "dynamic"]);
    if fields.contains(&"optional-dependencies") {
        for (_, extra) in table(setuptools.and_then(|dynamic| dynamic.get("optional-dependencies"))) {
            for file in files(extra) {
                include(source, declared, file, DependencyKind::Optional)?;
            }
        }
    }
    if !fields.contains(&"dependencies") {
        return Ok(());
    }
    let files: Vec<&str> =
        setuptools.and_then(|dynamic| dynamic.get("dependencies")).into_iter().flat_map(files).collect();
    for file in &files {
        include(source, declared, file, DependencyKind::Normal)?;
    }
    let elsewhere = !files.is_empty()
        || at(root, &["tool", "poetry", "dependencies"]).is_some()
        || source.exists("setup.py")?
        || source.exists("setup.cfg")?;
    if !elsewhere {
        declared.add_problem("the dependencies are dynamic: the build backend computes them");
    }
    Ok(())
}

/// `{ file = "a.txt" }` or `{ file = ["a.txt", "b.txt"] }`.
fn files(field: &Value) -> Vec<&str> {
    match field.get("file") {
        Some(Value::Array(files)) => files.iter().filter_map(Value::as_str).collect(),
        Some(file) => file.as_str().into_iter().collect(),
        None => Vec::new(),
    }
}

/// The files in which `package.module:function` may be.
fn module_files(target: &str) -> Vec<String> {
    let module = target.split([':', '[']).next().unwrap_or_default().trim().replace('.', "/");
    let forms = [".py", "/__init__.py"].map(|end| ["", "src/"].map(|base| format!("{base}{module}{end}")));
    forms.into_iter().flatten().collect()
}
