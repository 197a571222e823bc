//! What the name of a file says.

use crate::{Kind, Language};

/// Endings of files from which others are made.
#[rustfmt::skip]
const TEMPLATES: &[&str] = &[
    "cookiecutter", "ejs", "erb", "handlebars", "hbs", "j2", "jinja", "jinja2", "liquid", "mako", "mustache", "njk",
    "templ", "template", "tera", "tmpl", "tpl",
];

#[rustfmt::skip]
const LOCKS: &[&str] = &[
    "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "gradle.lockfile", "packages.lock.json",
    ".terraform.lock.hcl", "bun.lockb", "package.resolved",
];

/// Whether a runner of tests takes the file for one, by its name.
pub fn runs_as_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let is_code = Language::from_path(name).is_some_and(Language::is_code);
    // `prove` of Perl runs these, and others that are driven as it is.
    let is_proved = name.ends_with(".t") && !stem.is_empty();
    is_proved
        || is_code
            && (stem.starts_with("test_")
                || ["_test", "_tests", "-test", "_spec"].iter().any(|end| stem.ends_with(end))
                || matches!(stem, "test" | "tests" | "conftest")
                || [".test.", ".spec.", ".test-d."].iter().any(|part| name.contains(part)))
}

/// `invalid.jsx`, `validGlobal.js`: what the tests of a linter are fed with. `name` is in lower case, `path` is not.
pub fn is_specimen(name: &str, path: &str) -> bool {
    let written = path.rsplit('/').next().unwrap_or(path);
    ["valid", "invalid"]
        .iter()
        .any(|start| name.starts_with(start) && !written[start.len()..].starts_with(|c: char| c.is_ascii_lowercase()))
}

pub fn tells_about_its_folder(name: &str) -> bool {
    name.starts_with("readme") || name.starts_with("contributing")
}

/// Templates and what programs wrote.
pub fn made(name: &str) -> Option<Kind> {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_generated = name.contains(".min.")
        || ["_pb2", "_pb2_grpc", ".pb", "_generated", ".generated", ".gen"].iter().any(|end| stem.ends_with(end))
        || ending == "map" && matches!(stem.rsplit('.').next(), Some("js" | "css" | "mjs" | "cjs"));
    match () {
        () if TEMPLATES.contains(&ending) => Some(Kind::Template),
        () if is_generated => Some(Kind::Generated),
        () => None,
    }
}

/// Where no folder decides. The path is in lower case.
pub fn kind(path: &str) -> Kind {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    if LOCKS.contains(&name) || ending == "lock" {
        return Kind::Lock;
    }
    // Lists for programs, though they end as prose does.
    let is_list = name.starts_with("requirements") || name.starts_with("constraints") || stem == "cmakelists";
    if is_list && ending == "txt" {
        return Kind::Configuration;
    }
    // `eslint.config.mjs`, `.prettierrc.cjs`: programs by which a tool is configured.
    let is_set = stem.ends_with(".config") || (stem.starts_with('.') && stem.ends_with("rc"));
    match Language::from_path(name) {
        Some(language) if language.is_document() => Kind::Document,
        Some(language) if language.is_code() => {
            if is_set {
                Kind::Configuration
            } else {
                Kind::Code
            }
        }
        Some(_) => Kind::Configuration,
        None if ["readme", "license", "licence", "changelog", "contributing", "authors", "notice"].contains(&stem) => {
            Kind::Document
        }
        None if name.starts_with('.') && stem.is_empty() => Kind::Configuration,
        None => Kind::Other,
    }
}
