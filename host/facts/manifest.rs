//! Which files are manifests, and who reads each.

use std::collections::HashSet;

use crate::change::{Oid, RepoPath};
use crate::error::Result;

use super::files::{Files, dir, join};
use super::{Dependency, DependencyKind, Ecosystem, Manifest, cargo, composer, go, gradle, maven, npm, python, ruby};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Cargo,
    Composer,
    Gemfile,
    Gemspec,
    GoMod,
    Gradle,
    GradleCatalog,
    Npm,
    Pipfile,
    Pom,
    Pyproject,
    Requirements,
    SetupCfg,
    SetupPy,
}

impl Format {
    fn ecosystem(self) -> Ecosystem {
        match self {
            Format::Cargo => Ecosystem::Cargo,
            Format::Composer => Ecosystem::Php,
            Format::Gemfile | Format::Gemspec => Ecosystem::Ruby,
            Format::GoMod => Ecosystem::Go,
            Format::Gradle | Format::GradleCatalog => Ecosystem::Gradle,
            Format::Npm => Ecosystem::Npm,
            Format::Pom => Ecosystem::Maven,
            Format::Pipfile | Format::Pyproject | Format::Requirements | Format::SetupCfg | Format::SetupPy => {
                Ecosystem::Python
            }
        }
    }
}

/// By name, and for requirements files by the folder's name.
pub fn format(path: &RepoPath, name: &str) -> Option<Format> {
    Some(match name {
        "Cargo.toml" => Format::Cargo,
        "composer.json" => Format::Composer,
        "Gemfile" | "gems.rb" => Format::Gemfile,
        "go.mod" => Format::GoMod,
        "build.gradle" | "build.gradle.kts" => Format::Gradle,
        "libs.versions.toml" => Format::GradleCatalog,
        "package.json" => Format::Npm,
        "Pipfile" => Format::Pipfile,
        "pom.xml" => Format::Pom,
        "pyproject.toml" => Format::Pyproject,
        "setup.cfg" => Format::SetupCfg,
        "setup.py" => Format::SetupPy,
        _ if name.ends_with(".gemspec") => Format::Gemspec,
        _ => {
            let stem = name.strip_suffix(".txt").or_else(|| name.strip_suffix(".in"))?;
            let folder = path.parts().rev().nth(1);
            let named = stem.starts_with("requirements") || stem.ends_with("requirements");
            (named || folder == Some(b"requirements")).then_some(Format::Requirements)?
        }
    })
}

/// What one file declares.
#[derive(Debug, Default)]
pub struct Declared {
    pub name: Option<String>,
    pub dependencies: Vec<Dependency>,
    pub problem: Option<String>,
    /// Files that it names as the program's first, relative to itself; they need not exist.
    pub starts: Vec<String>,
}

impl Declared {
    pub fn add(&mut self, name: &str, requirement: &str, kind: DependencyKind) {
        let (name, requirement) = (name.trim().to_owned(), requirement.trim().to_owned());
        if !name.is_empty() {
            self.dependencies.push(Dependency { name, requirement, kind });
        }
    }

    /// The first problem stays.
    pub fn trouble(&mut self, problem: impl Into<String>) {
        self.problem.get_or_insert_with(|| problem.into());
    }
}

/// A manifest under its reader: its text, and the files beside it.
pub struct Source<'a> {
    pub path: &'a RepoPath,
    pub text: &'a str,
    files: &'a Files<'a>,
}

impl<'a> Source<'a> {
    /// The path that this file means by `relative`; None when it leads out of the repository.
    pub fn beside(&self, relative: &str) -> Option<RepoPath> {
        join(dir(self.path), relative)
    }

    pub fn exists(&self, relative: &str) -> Result<bool> {
        self.beside(relative).map_or(Ok(false), |path| Ok(self.files.find(&path)?.is_some()))
    }

    /// The text at a path of the repository; the inner result says why there is none.
    pub fn read(&self, path: &RepoPath) -> Result<Result<String, String>> {
        match self.files.find(path)? {
            Some(oid) => self.files.text(oid),
            None => Ok(Err("no such file".to_owned())),
        }
    }

    /// The same surroundings, another file.
    pub fn other<'b>(&'b self, path: &'b RepoPath, text: &'b str) -> Source<'b> {
        Source { path, text, files: self.files }
    }
}

/// The manifests, and the paths that they name as programs' first files.
pub fn read(files: &Files, found: &[(RepoPath, Format, Oid)]) -> Result<(Vec<Manifest>, Vec<RepoPath>)> {
    let mut manifests = Vec::with_capacity(found.len());
    let mut starts = Vec::new();
    let mut workspaces = cargo::Workspaces::default();
    for (path, format, oid) in found {
        let declared = match files.text(*oid)? {
            Ok(text) => declared(&Source { path, text: &text, files }, *format, &mut workspaces)?,
            Err(problem) => Some(Declared { problem: Some(problem), ..Declared::default() }),
        };
        let Some(declared) = declared else { continue };
        starts.extend(declared.starts.iter().filter_map(|start| join(dir(path), start)));
        let Declared { name, dependencies, problem, starts: _ } = declared;
        manifests.push(Manifest { path: path.clone(), ecosystem: format.ecosystem(), name, dependencies, problem });
    }
    workspaces.inherit(&mut manifests);
    for manifest in &mut manifests {
        let mut seen = HashSet::new();
        manifest.dependencies.retain(|dependency| seen.insert(dependency.clone()));
    }
    Ok((manifests, starts))
}

/// None for a file that turns out to be no manifest. What cannot be parsed declares a problem and nothing else.
fn declared(source: &Source, format: Format, workspaces: &mut cargo::Workspaces) -> Result<Option<Declared>> {
    let text = source.text;
    let parsed = match format {
        Format::Cargo => workspaces.parse(source.path, text),
        Format::Composer => composer::parse(text),
        Format::Gemfile | Format::Gemspec => Ok(ruby::parse(text)),
        Format::GoMod => go::parse(text),
        Format::Gradle => Ok(gradle::parse(text)),
        Format::GradleCatalog => gradle::parse_catalog(text),
        Format::Npm => npm::parse(text),
        Format::Pipfile => python::pipfile(text),
        Format::Pom => maven::parse(text),
        Format::Pyproject => python::pyproject(source)?,
        Format::Requirements => Ok(python::requirements(source)?),
        Format::SetupCfg => match python::setup_cfg(source)? {
            Some(declared) => Ok(declared),
            None => return Ok(None),
        },
        Format::SetupPy => Ok(python::setup_py(text)),
    };
    Ok(Some(parsed.unwrap_or_else(|problem| Declared { problem: Some(problem), ..Declared::default() })))
}

/// A parser's error on one line: the place, which stands first, and the reason, which stands last.
pub fn problem(error: impl std::fmt::Display) -> String {
    let text = error.to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("cannot be parsed").to_owned();
    lines.next_back().map_or(first.clone(), |last| format!("{first}: {last}"))
}
