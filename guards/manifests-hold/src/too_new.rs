//! Code that needs a newer version of its language than the package asks of its users.

use guard_sdk::files::{Kind, Language, is_tooling, kind_of};
use guard_sdk::{File, Finding};
use lexing::masked;
use resolution::{Need, Resolver, language_of};

use crate::features::{self, Feature, Sign};
use crate::minimum::{self, Minimum};
use crate::published;

/// Files of the base that are asked whether they have it too.
const ASKED: u32 = 60;

pub fn findings(before: &Resolver, after: &Resolver, file: &File) -> Vec<Finding> {
    let path = file.path();
    // Who runs a tool of the repository has what the developers have.
    let is_program = kind_of(path) == Kind::Code && !is_tooling(path) && !path.ends_with("setup.py");
    let Some(language) = language_of(path).filter(|_| is_program) else { return Vec::new() };
    // A compiler makes of TypeScript what the target wants, and of JavaScript that is not in the package as it stands.
    let is_compiled = language == Language::JavaScript && !published::is_as_it_stands(after.tree(), path);
    let Some(minimum) = minimum::of(after.tree(), language, path).filter(|_| !is_compiled) else { return Vec::new() };
    let Some(text) = after.tree().text(path) else { return Vec::new() };
    // It asks for the version itself, while it runs or in the block of a script that runners read.
    if ["requires-python", "version_info", "sys.version", "process.version", "rustversion"]
        .iter()
        .any(|word| text.contains(word))
    {
        return Vec::new();
    }
    let old = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    let newer = features::of(language).iter().filter(|feature| feature.since > minimum.version);
    let mut findings = Vec::new();
    for feature in newer {
        let Some(line) = line_of(after, file, &text, feature) else { continue };
        if !shows(path, &old, feature) && !is_practice(before, language, path, feature) {
            findings.push(finding(path, line, feature, &minimum));
        }
    }
    findings
}

/// The first line of the change that has it.
fn line_of(after: &Resolver, file: &File, text: &str, feature: &Feature) -> Option<u32> {
    let added: Vec<u32> = file.added_lines().ok()?.into_iter().map(|line| line.number).collect();
    if let Sign::Imported(module, name) = feature.sign {
        let imports = after.imports(file.path());
        let is_it = |import: &&resolution::Import| {
            import.need == Need::Required
                && added.contains(&import.line)
                && match name {
                    "" => import.module == module,
                    name => {
                        import.module == module && import.name.as_deref() == Some(name)
                            || import.module == format!("{module}.{name}")
                    }
                }
        };
        if let Some(import) = imports.iter().flat_map(|all| all.iter()).find(is_it) {
            return Some(import.line);
        }
        // The name may be that of something else.
        if !imports.iter().flat_map(|all| all.iter()).any(|import| import.module == module && import.name.is_none()) {
            return None;
        }
    }
    let lines = masked(text, Language::from_path(file.path())?)?;
    lines.iter().find(|line| added.contains(&line.number) && feature.sign.stands_in(&line.code)).map(|line| line.number)
}

/// Whether a text of the base has it.
fn shows(path: &str, text: &str, feature: &Feature) -> bool {
    let imports = |line: &str| match feature.sign {
        Sign::Imported(module, name) => {
            let line = line.trim_start();
            (line.starts_with("from ") || line.starts_with("import ")) && line.contains(module) && line.contains(name)
        }
        Sign::Written(_) | Sign::Form(_) => false,
    };
    let lines = Language::from_path(path).and_then(|language| masked(text, language));
    text.lines().any(imports) || lines.is_some_and(|lines| lines.iter().any(|line| feature.sign.stands_in(&line.code)))
}

/// Whether other code of the base beside it has it too: then the manifest is behind, and not the change ahead.
fn is_practice(before: &Resolver, language: Language, path: &str, feature: &Feature) -> bool {
    let top = path.split_once('/').map_or(String::new(), |(top, _)| format!("/{top}"));
    let globs: Vec<String> =
        language.globs().iter().map(|glob| format!("{top}/**/{}", glob.trim_start_matches("**/"))).collect();
    let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
    let tree = before.tree();
    let others = tree.find(&globs, ASKED);
    let mut others = others.iter().filter(|other| *other != path && kind_of(other) == Kind::Code);
    others.any(|other| tree.text(other).is_some_and(|text| shows(other, &text, feature)))
}

fn finding(path: &str, line: u32, feature: &Feature, minimum: &Minimum) -> Finding {
    let ((major, minor), name) = (feature.since, feature.sign.name());
    let Minimum { written, manifest, .. } = minimum;
    let message = format!("{name} needs version {major}.{minor}, and {manifest} takes {written}");
    let help = "Write it as the oldest version takes it, or ask for what it needs; raise the minimum only if the task says so.";
    Finding::error("newer-than-declared", message).at(path, line).help(help)
}
