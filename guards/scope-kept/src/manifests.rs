//! Which files say what a project is made of: build manifests, and the lock files that go with them. Files that list
//! sources (makefiles, CMakeLists.txt, meson.build) are not among them: a task that adds a source file must touch those.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Manifest,
    Lock,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Manifest => "build manifest",
            Kind::Lock => "lock file",
        })
    }
}

/// At any depth, in any case of letters: some file systems take `Package.JSON` for `package.json`.
pub fn kind(path: &str) -> Option<Kind> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is = |known: &&str| name.eq_ignore_ascii_case(known);
    let ends = |known: &&str| name.len() > known.len() && ends_with(name, known);
    if LOCKS.iter().any(is) || LOCK_ENDS.iter().any(ends) {
        Some(Kind::Lock)
    } else if MANIFESTS.iter().any(is)
        || MANIFEST_ENDS.iter().any(ends)
        || requirements(path, name)
        || PLACES.iter().any(|place| at(path, place))
    {
        Some(Kind::Manifest)
    } else {
        None
    }
}

/// pip's files have a convention, not a name: `requirements-dev.txt`, `dev-requirements.in`, `requirements/base.txt`.
fn requirements(path: &str, name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let Some(stem) = lower.strip_suffix(".txt").or_else(|| lower.strip_suffix(".in")) else { return false };
    let parent = path.rsplit('/').nth(1).unwrap_or_default();
    let words = |text: &str| text.split(['-', '_', '.']).any(|word| matches!(word, "requirements" | "constraints"));
    words(stem) || parent.eq_ignore_ascii_case("requirements")
}

/// Names that mean a manifest only in their folder.
fn at(path: &str, place: &str) -> bool {
    path.eq_ignore_ascii_case(place)
        || (ends_with(path, place) && path.as_bytes()[path.len() - place.len() - 1] == b'/')
}

fn ends_with(text: &str, end: &str) -> bool {
    text.len() > end.len() && text.as_bytes()[text.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
}

#[rustfmt::skip]
const MANIFESTS: &[&str] = &[
    // Rust
    "Cargo.toml", "rust-toolchain", "rust-toolchain.toml",
    // JavaScript and TypeScript
    "package.json", "pnpm-workspace.yaml", "lerna.json", "rush.json", "bower.json", "deno.json", "deno.jsonc", "jsr.json", "rescript.json", "bsconfig.json",
    // Python
    "pyproject.toml", "setup.py", "setup.cfg", "MANIFEST.in", "Pipfile", "environment.yml", "environment.yaml", "pixi.toml", "uv.toml", "poetry.toml",
    "hatch.toml", "buildout.cfg",
    // Go
    "go.mod", "go.work", "Gopkg.toml", "glide.yaml",
    // Ruby
    "Gemfile", "gems.rb",
    // PHP
    "composer.json",
    // Java, Kotlin, Scala, Clojure
    "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties", "libs.versions.toml", "gradle-wrapper.properties",
    "maven-wrapper.properties", "ivy.xml", "build.xml", "build.sbt", "plugins.sbt", "build.sc", "build.mill", "deps.edn", "project.clj", "shadow-cljs.edn",
    // .NET
    "packages.config", "Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props", "global.json", "nuget.config", "paket.dependencies",
    "paket.references",
    // Swift and Objective-C
    "Package.swift", "Podfile", "Cartfile", "Cartfile.private",
    // Dart
    "pubspec.yaml",
    // Elixir, Erlang, Gleam
    "mix.exs", "rebar.config", "gleam.toml",
    // Haskell, PureScript, Elm, OCaml
    "cabal.project", "stack.yaml", "package.yaml", "spago.yaml", "spago.dhall", "packages.dhall", "elm.json", "dune-project", "esy.json",
    // Julia and R
    "Project.toml", "JuliaProject.toml", "DESCRIPTION",
    // Perl
    "cpanfile", "Makefile.PL", "Build.PL", "dist.ini",
    // C and C++
    "conanfile.txt", "conanfile.py", "vcpkg.json", "vcpkg-configuration.json", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel",
    // Zig, Nim, Crystal, D, V, Haxe, Lisp
    "build.zig.zon", "nimble.cfg", "shard.yml", "dub.json", "dub.sdl", "v.mod", "haxelib.json", "qlfile",
    // Contracts on chains
    "foundry.toml", "Move.toml", "Scarb.toml",
    // Nix, containers and infrastructure
    "flake.nix", "Chart.yaml", "galaxy.yml", "devbox.json", "buf.yaml", "buf.gen.yaml", "typst.toml",
    // Pins of tools
    ".tool-versions", "mise.toml", ".mise.toml",
];

const MANIFEST_ENDS: &[&str] = &[
    ".gemspec",
    ".csproj",
    ".fsproj",
    ".vbproj",
    ".sln",
    ".slnx",
    ".podspec",
    ".podspec.json",
    ".cabal",
    ".opam",
    ".nimble",
    ".rockspec",
    ".asd",
    ".versions.toml",
];

const PLACES: &[&str] = &[
    ".cargo/config.toml",
    ".cargo/config",
    ".mvn/extensions.xml",
    "gradle/wrapper/gradle-wrapper.properties",
    "project/build.properties",
    "Packages/manifest.json",
];

#[rustfmt::skip]
const LOCKS: &[&str] = &[
    "Cargo.lock",
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock",
    "Pipfile.lock", "poetry.lock", "uv.lock", "pdm.lock", "pylock.toml", "conda-lock.yml", "pixi.lock",
    "go.sum", "go.work.sum", "Gopkg.lock", "glide.lock",
    "Gemfile.lock", "gems.locked",
    "composer.lock", "symfony.lock",
    "gradle.lockfile", "buildscript-gradle.lockfile",
    "packages.lock.json", "packages-lock.json", "paket.lock",
    "Package.resolved", "Podfile.lock", "Cartfile.resolved",
    "pubspec.lock",
    "mix.lock", "rebar.lock", "manifest.toml",
    "cabal.project.freeze", "stack.yaml.lock", "spago.lock", "esy.lock",
    "JuliaManifest.toml", "renv.lock", "cpanfile.snapshot",
    "conan.lock", "MODULE.bazel.lock",
    "nimble.lock", "shard.lock", "dub.selections.json", "qlfile.lock",
    "soldeer.lock", "Move.lock", "Scarb.lock",
    "flake.lock", "Chart.lock", ".terraform.lock.hcl", "devbox.lock", "buf.lock", "mise.lock",
];

const LOCK_ENDS: &[&str] = &[".opam.locked", ".gemfile.lock"];

#[cfg(test)]
mod tests {
    use super::{Kind, kind};

    #[test]
    fn known_by_name_ending_convention_and_place() {
        let manifests = [
            "pyproject.toml",
            "crates/a/Cargo.toml",
            "web/Package.JSON",
            "requirements.txt",
            "requirements-dev.txt",
            "dev_requirements.in",
            "requirements/base.txt",
            "src/App/App.csproj",
            "gradle/tools.versions.toml",
            "a/.cargo/config.toml",
            ".cargo/config.toml",
        ];
        for path in manifests {
            assert_eq!(kind(path), Some(Kind::Manifest), "{path}");
        }
        for path in ["Cargo.lock", "a/b/go.sum", "Manifest.toml", "x.opam.locked", "bun.lockb"] {
            assert_eq!(kind(path), Some(Kind::Lock), "{path}");
        }
        let neither = [
            "src/main.rs",
            "config.toml",
            "src/config.toml",
            "my-package.json",
            "docs/requirements.md",
            "notes.txt",
            "src/requirements.py",
            ".csproj",
            "x.cargo/config.toml",
            "",
        ];
        for path in neither {
            assert_eq!(kind(path), None, "{path}");
        }
    }
}
