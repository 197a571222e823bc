//! Recognises manifests by name, and chooses their parsers.

use std::collections::HashSet;

use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::Result;

use super::declared::{Declared, ManifestSource};
use super::files::{FactsFiles, dir, join};
use super::{Ecosystem, Manifest, cargo, composer, go, gradle, maven, npm, python, ruby};

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

impl Format {
    /// Whether a requirement names a folder, a repository, an address or another package instead of versions.
    fn is_elsewhere(self, requirement: &str) -> bool {
        match self {
            // Versions have no colon and no slash: `file:../a`, `git+ssh://…`, `owner/name`, `npm:other@1`. A catalog holds versions.
            Format::Npm => requirement.contains([':', '/']) && !requirement.starts_with("catalog:"),
            Format::Pipfile | Format::Pyproject | Format::Requirements | Format::SetupCfg | Format::SetupPy => {
                requirement.contains('/')
            }
            // Their tables say it, or nothing does.
            Format::Cargo
            | Format::Composer
            | Format::Gemfile
            | Format::Gemspec
            | Format::GoMod
            | Format::Gradle
            | Format::GradleCatalog
            | Format::Pom => false,
        }
    }
}

/// By the file's name, and for requirements files also by the folder's.
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

/// The manifests, and the entry points that they name.
pub fn read(files: &FactsFiles, found: &[(RepoPath, Format, Oid)]) -> Result<(Vec<Manifest>, Vec<RepoPath>)> {
    let mut manifests = Vec::with_capacity(found.len());
    let mut starts = Vec::new();
    let mut workspaces = cargo::Workspaces::default();
    for (path, format, oid) in found {
        let declared = match files.text(*oid)? {
            Ok(text) => declared(&ManifestSource { path, text: &text, files }, *format, &mut workspaces)?,
            Err(problem) => Some(Declared { problem: Some(problem), ..Declared::default() }),
        };
        let Some(declared) = declared else { continue };
        starts.extend(declared.starts.iter().filter_map(|start| join(dir(path), start)));
        let elsewhere = declared.those_from_elsewhere(|requirement| format.is_elsewhere(requirement));
        let Declared { name, dependencies, problem, .. } = declared;
        let ecosystem = format.ecosystem();
        manifests.push(Manifest { path: path.clone(), ecosystem, name, dependencies, elsewhere, problem });
    }
    workspaces.inherit(&mut manifests);
    for manifest in &mut manifests {
        let mut seen = HashSet::new();
        manifest.dependencies.retain(|dependency| seen.insert(dependency.clone()));
    }
    Ok((manifests, starts))
}

/// None for a file that has a manifest's name and no declarations. A file that cannot be parsed declares only a problem.
fn declared(source: &ManifestSource, format: Format, workspaces: &mut cargo::Workspaces) -> Result<Option<Declared>> {
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
