//! Which keys of which files name something of the tree.

/// What a value names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// A file that a program loads from the package; a build may make it.
    Loaded,
    /// A file.
    File,
    /// A file or folder.
    Path,
    /// The same, as a glob may name several.
    Glob,
    /// A folder, from the root of the repository.
    FromRoot,
    /// A folder that holds that manifest. Tools that take a glob do not mind when it names nothing.
    Member(&'static str),
    /// A function of a module, `package.module:function`.
    Entry,
    /// Commands of a shell.
    Commands,
    /// Where a Dockerfile copies from; from which folder, whoever builds it says.
    Context,
}

/// The name of the file, the keys that lead to the value (`*` is any key, `**` any keys at the end), and what the value names. Keys are in
/// lower case, with hyphens for underscores.
///
/// From the references of the tools: <https://docs.npmjs.com/cli/configuring-npm/package-json>,
/// <https://packaging.python.org/en/latest/specifications/pyproject-toml/>, <https://setuptools.pypa.io/en/latest/userguide/declarative_config.html>,
/// <https://doc.rust-lang.org/cargo/reference/manifest.html>, <https://getcomposer.org/doc/04-schema.md>, <https://www.typescriptlang.org/tsconfig>.
#[rustfmt::skip]
pub const ROWS: &[(&str, &[&str], Names)] = &[
    ("package.json", &["main"], Names::Loaded), ("package.json", &["module"], Names::Loaded), ("package.json", &["types"], Names::Loaded), ("package.json", &["typings"], Names::Loaded),
    ("package.json", &["browser"], Names::Loaded), ("package.json", &["bin"], Names::Loaded), ("package.json", &["bin", "*"], Names::Loaded), ("package.json", &["exports", "**"], Names::Loaded),
    ("package.json", &["source"], Names::Loaded), ("package.json", &["style"], Names::Loaded), ("package.json", &["files"], Names::Glob),
    ("package.json", &["workspaces"], Names::Member("package.json")), ("package.json", &["workspaces", "packages"], Names::Member("package.json")), ("pnpm-workspace.yaml", &["packages"], Names::Member("package.json")),
    ("package.json", &["scripts", "*"], Names::Commands), (".pre-commit-config.yaml", &["repos", "hooks", "entry"], Names::Commands),
    ("pyproject.toml", &["project", "scripts", "*"], Names::Entry), ("pyproject.toml", &["project", "gui-scripts", "*"], Names::Entry), ("pyproject.toml", &["project", "entry-points", "*", "*"], Names::Entry),
    ("pyproject.toml", &["tool", "poetry", "scripts", "*"], Names::Entry), ("pyproject.toml", &["tool", "poetry", "plugins", "*", "*"], Names::Entry),
    ("setup.cfg", &["options.entry-points", "*"], Names::Entry), ("setup.py", &["entry-points"], Names::Entry),
    ("pyproject.toml", &["project", "readme"], Names::File), ("pyproject.toml", &["project", "readme", "file"], Names::File), ("pyproject.toml", &["project", "license", "file"], Names::File),
    ("pyproject.toml", &["project", "license-files"], Names::Glob), ("pyproject.toml", &["tool", "poetry", "readme"], Names::File), ("pyproject.toml", &["tool", "setuptools", "dynamic", "*", "file"], Names::File),
    ("pyproject.toml", &["tool", "pytest", "ini-options", "testpaths"], Names::Path), ("pytest.ini", &["pytest", "testpaths"], Names::Path), ("setup.cfg", &["tool:pytest", "testpaths"], Names::Path), ("tox.ini", &["pytest", "testpaths"], Names::Path),
    ("pyproject.toml", &["tool", "setuptools", "packages", "find", "where"], Names::Path), ("setup.cfg", &["options.packages.find", "where"], Names::Path), ("pyproject.toml", &["tool", "hatch", "build", "targets", "*", "packages"], Names::Path),
    ("pyproject.toml", &["tool", "hatch", "version", "path"], Names::File), ("pyproject.toml", &["tool", "mypy", "files"], Names::Glob), ("pyproject.toml", &["tool", "uv", "workspace", "members"], Names::Member("pyproject.toml")),
    ("pyproject.toml", &["tool", "uv", "sources", "*", "path"], Names::Path), ("pyproject.toml", &["tool", "poetry", "dependencies", "*", "path"], Names::Path),
    ("Cargo.toml", &["bin", "path"], Names::File), ("Cargo.toml", &["lib", "path"], Names::File), ("Cargo.toml", &["test", "path"], Names::File), ("Cargo.toml", &["bench", "path"], Names::File),
    ("Cargo.toml", &["example", "path"], Names::File), ("Cargo.toml", &["package", "build"], Names::File), ("Cargo.toml", &["package", "readme"], Names::File), ("Cargo.toml", &["package", "license-file"], Names::File),
    ("Cargo.toml", &["workspace", "members"], Names::Member("Cargo.toml")), ("Cargo.toml", &["dependencies", "*", "path"], Names::Member("Cargo.toml")), ("Cargo.toml", &["dev-dependencies", "*", "path"], Names::Member("Cargo.toml")),
    ("Cargo.toml", &["build-dependencies", "*", "path"], Names::Member("Cargo.toml")), ("Cargo.toml", &["workspace", "dependencies", "*", "path"], Names::Member("Cargo.toml")),
    ("composer.json", &["bin"], Names::File), ("composer.json", &["autoload", "files"], Names::File), ("composer.json", &["autoload", "classmap"], Names::Path), ("composer.json", &["autoload", "psr-4", "*"], Names::Path),
    ("composer.json", &["autoload-dev", "psr-4", "*"], Names::Path), ("composer.json", &["autoload-dev", "files"], Names::File),
    ("tsconfig*.json", &["extends"], Names::Loaded), ("tsconfig*.json", &["references", "path"], Names::Path), ("tsconfig*.json", &["files"], Names::File), ("tsconfig*.json", &["include"], Names::Glob),
    ("dependabot.yml", &["updates", "directory"], Names::FromRoot),
];

/// Globs of all files that may name something, for a search of the tree.
pub fn globs() -> Vec<String> {
    let mut names: Vec<String> = ROWS.iter().map(|(name, ..)| format!("**/{name}")).collect();
    names.extend(["**/Dockerfile*", "**/*.Dockerfile"].map(str::to_owned));
    names.dedup();
    names
}

pub fn is_like(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
        None => name == pattern,
    }
}

/// Whether keys are those of a row.
pub fn leads_to(keys: &[String], row: &[&str]) -> bool {
    match row.split_last() {
        Some((&"**", begins)) => keys.len() >= begins.len() && leads_to(&keys[..begins.len()], begins),
        _ => keys.len() == row.len() && keys.iter().zip(row).all(|(key, part)| *part == "*" || key == part),
    }
}

pub fn is_dockerfile(name: &str) -> bool {
    name == "Dockerfile" || name.starts_with("Dockerfile.") || name.ends_with(".Dockerfile")
}
