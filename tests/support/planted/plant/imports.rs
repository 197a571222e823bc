//! Imports of what does not exist: a module, a name of a module, a package.

use super::block::{family, joined, language, lines};
use super::gone::{folder, takes};
use super::verify::{Format, parses};
use super::{Files, Planted, Random, is_own, one};

/// Words that models make module names of.
#[rustfmt::skip]
const INVENTED: [&str; 8] = [
    "settings_loader", "retry_helpers", "payload_codec", "string_toolkit", "cache_bridge", "stream_shims", "event_router_utils", "schema_walker",
];

/// A name that nothing in the tree has.
fn invented<'n>(files: &Files, random: &mut Random) -> Option<&'n str> {
    let name = *one(&INVENTED, random)?;
    let dashed = name.replace('_', "-");
    (!files.paths().any(|path| path.contains(name) || path.contains(&dashed))).then_some(name)
}

fn is_production(path: &str) -> bool {
    let lower = path.to_lowercase();
    is_own(path)
        && !["test", "spec", "example", "doc", "bench", "playground", "script"].iter().any(|word| lower.contains(word))
}

/// The line before which an import goes: the first import at the margin.
fn place(format: Format, all: &[&str]) -> Option<usize> {
    let at = all.iter().position(|line| match format {
        Format::Python => (line.starts_with("import ") || line.starts_with("from ")) && !line.contains("__future__"),
        Format::Rust => line.starts_with("use "),
        _ => line.starts_with("import ") || (line.starts_with("const ") && line.contains("require(")),
    })?;
    // Not inside of a string or a comment, nor behind an attribute.
    let quotes = all[..at].iter().map(|line| line.matches("\"\"\"").count()).sum::<usize>();
    let open = all[..at].iter().any(|line| line.contains("/*")) && !all[..at].iter().any(|line| line.contains("*/"));
    let attribute = at > 0 && all[at - 1].starts_with("#[");
    (quotes % 2 == 0 && !open && !attribute).then_some(at)
}

fn with_line(all: &[&str], at: usize, line: &str) -> String {
    joined(&[&all[..at], &[line], &all[at..]].concat())
}

/// One import more, as `line` writes it.
fn added(
    files: &Files,
    random: &mut Random,
    line: impl Fn(Format, &str, &[&str]) -> Option<String>,
) -> Option<Planted> {
    for (path, text) in files.some(random, |path| language(path).is_some() && is_production(path)) {
        let Some(format) = language(&path) else { continue };
        let all = lines(&text);
        let Some(at) = place(format, &all) else { continue };
        let Some(line) = line(format, &path, &all) else { continue };
        let after = with_line(&all, at, &line);
        if parses(format, &text) != Some(false) && parses(format, &after) != Some(false) {
            return Some(Planted::new(&path, after, family(format), line));
        }
    }
    None
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + &part[..1].to_uppercase() + &part[1..])
}

/// Whether the script imports as modules do, or calls `require`.
fn is_module(all: &[&str]) -> bool {
    all.iter().any(|line| line.starts_with("import ") || line.starts_with("export "))
}

pub fn module(files: &Files, random: &mut Random) -> Option<Planted> {
    let name = invented(files, random)?;
    if random.below(4) == 0
        && let Some(planted) = go(files, random, |module| format!("{module}/internal/{}", name.replace('_', "")))
    {
        return Some(planted);
    }
    added(files, random, |format, path, all| {
        let dashed = name.replace('_', "-");
        Some(match format {
            Format::Python => {
                files.has(&format!("{}__init__.py", folder(path, 0))).then_some(())?;
                format!("from .{name} import load_{name}")
            }
            // The root of another target is another crate.
            Format::Rust => {
                let (_, inner) = path.rsplit_once("src/")?;
                (!inner.starts_with("bin/")).then_some(())?;
                match inner {
                    "lib.rs" | "main.rs" => format!("mod {name};"),
                    _ => format!("use crate::{name}::load;"),
                }
            }
            _ if is_module(all) => format!("import {{ {} }} from './{dashed}.js';", camel(name)),
            _ => format!("const {{ {} }} = require('./{dashed}');", camel(name)),
        })
    })
}

/// Every package that the tree could bring, by another name as well.
pub fn package(files: &Files, random: &mut Random) -> Option<Planted> {
    let name = invented(files, random)?;
    if random.below(4) == 0
        && let Some(planted) = go(files, random, |_| format!("github.com/fastkit/{}", name.replace('_', "-")))
    {
        return Some(planted);
    }
    let near = |path: &str, manifests: &[&str]| {
        (0..8).any(|up| manifests.iter().any(|manifest| files.has(&format!("{}{manifest}", folder(path, up)))))
    };
    added(files, random, |format, path, all| {
        let dashed = format!("fast-{}", name.replace('_', "-"));
        Some(match format {
            Format::Python => {
                near(path, &["pyproject.toml", "setup.cfg", "requirements.txt", "setup.py"]).then_some(())?;
                format!("import fast_{name}")
            }
            Format::Rust => {
                (path.contains("src/") && near(path, &["Cargo.toml"])).then_some(())?;
                format!("use fast_{name}::load;")
            }
            _ => {
                near(path, &["package.json"]).then_some(())?;
                match is_module(all) {
                    true => format!("import {} from '{dashed}';", camel(name)),
                    false => format!("const {} = require('{dashed}');", camel(name)),
                }
            }
        })
    })
}

/// An import in the block of a Go file; what it imports is made of the module's path.
fn go(files: &Files, random: &mut Random, import: impl Fn(&str) -> String) -> Option<Planted> {
    let is_go = |path: &str| path.ends_with(".go") && !path.ends_with("_test.go") && is_production(path);
    files.some(random, is_go).into_iter().find_map(|(path, text)| {
        let manifest = (0..8).map(|up| format!("{}go.mod", folder(&path, up))).find(|path| files.has(path))?;
        let manifest = files.text(&manifest)?;
        let module = manifest.lines().find_map(|line| line.strip_prefix("module "))?.trim();
        let all = lines(&text);
        let at = all.iter().position(|line| *line == "import (")?;
        let line = format!("\t\"{}\"", import(module));
        Some(Planted::new(&path, with_line(&all, at + 1, &line), "go", line.trim()))
    })
}

/// What can give a module names that its text does not show.
#[rustfmt::skip]
const DYNAMIC: [&str; 14] = [
    "import *", "__getattr__", "globals()", "sys.modules", "export *", "module.exports", "exports.", "::*", "include!", "macro_rules!", "! {", "#[macro_use]", "export =", "setattr(",
];

/// An import from a file of the tree takes one name more, which the file does not have.
pub fn name(files: &Files, random: &mut Random) -> Option<Planted> {
    for (path, text) in files.some(random, |path| language(path).is_some()) {
        let Some(format) = language(&path) else { continue };
        let taken = takes(format, &path, &text, files);
        let Some((source, first)) = one(&taken, random) else { continue };
        let Some(held) = files.text(source).filter(|_| is_own(source)) else { continue };
        let wanted = match format {
            Format::Python => format!("load_{first}_settings"),
            Format::Rust => format!("load_{}_settings", first.to_lowercase()),
            _ => format!("load{first}Settings"),
        };
        if DYNAMIC.iter().any(|word| held.contains(word)) || held.contains(&wanted) {
            continue;
        }
        let all = lines(&text);
        let imports = |line: &&str| match format {
            Format::Python => line.starts_with("from ") && !line.contains('\\') && !line.ends_with('('),
            Format::Rust => line.starts_with("use crate::"),
            _ => line.starts_with("import {"),
        };
        let here =
            |line: &&str| imports(line) && takes(format, &path, line, files).contains(&(source.clone(), first.clone()));
        let Some(at) = all.iter().position(here) else { continue };
        let line = match format {
            Format::Rust if !all[at].contains('{') => {
                let Some((module, _)) = all[at].rsplit_once("::") else { continue };
                format!("{module}::{{{first}, {wanted}}};")
            }
            Format::Python => {
                let (code, note) = all[at]
                    .split_once("  #")
                    .map_or((all[at], String::new()), |(code, note)| (code, format!("  #{note}")));
                let code = code.trim_end();
                match code.strip_suffix(')') {
                    Some(inner) => format!("{inner}, {wanted}){note}"),
                    None => format!("{code}, {wanted}{note}"),
                }
            }
            _ => all[at].replacen(first.as_str(), &format!("{first}, {wanted}"), 1),
        };
        let after = joined(&[&all[..at], &[line.as_str()], &all[at + 1..]].concat());
        if parses(format, &text) != Some(false) && parses(format, &after) != Some(false) {
            return Some(Planted::new(&path, after, family(format), format!("{} from {source}", line.trim())));
        }
    }
    None
}
