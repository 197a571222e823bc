//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("file-missing", "a manifest, a configuration or a Dockerfile names a file or folder that is not in the tree, that git does not ignore, and that no build is known to make"),
    Rule::new("entry-missing", "an entry point of a Python package names a module that the tree does not have, or a function that its module lacks"),
    Rule::new("script-missing", "a script of `package.json` runs another script that the same manifest does not have"),
    Rule::new("development-only", "code that is installed with a package of Python or npm imports a package that its manifest declares only for development: the change adds the import, or moves the package there"),
    Rule::new("newer-than-declared", "code needs a newer version of Python, Node or Rust than the manifest of its package asks for, by its syntax or by a name of the standard library"),
    Rule::new("feature-missing", "code of Rust asks by `cfg` for a feature that the manifest of its package does not have"),
    Rule::new("name-misplaced", "a class of PHP or Java is not in the namespace or package of its folder, as `autoload` of `composer.json` or the folders of Java have it"),
    Rule::new("source-ignored", "a new pattern of a `.gitignore` covers code, tests or documents that are tracked"),
    Rule::new("version-unbound", "a dependency that had a version or a range has any now: `*`, `latest`"),
    Rule::new("dependency-outside", "`go.mod` or a `Gemfile` names a folder outside of the repository"),
    Rule::new("target-shadowed", "a new target of a Makefile has the name of a folder, and is not declared `.PHONY`"),
];
