//! What a text imports.

use guard_sdk::language::ImportStatement;
use tree_sitter::Node;

use super::nodes::{first_string, last_name};
use crate::Parsed;
use crate::parsed::line;
use crate::table::ImportForm;

pub enum Imported {
    One(ImportStatement),
    /// All names of a module.
    All(String),
}

pub fn from_node(parsed: &Parsed, node: Node, form: ImportForm, is_optional: bool) -> Option<Imported> {
    let text = parsed.text_of(node).trim().trim_end_matches(';').trim();
    let one = |module: &str, name: Option<&str>, local: &str| {
        let (module, name, local) = (module.trim().to_owned(), name.map(str::to_owned), local.trim().to_owned());
        Some(Imported::One(ImportStatement { module, name, local, line: line(node), is_optional }))
    };
    match form {
        ImportForm::Dotted => {
            let text = text.strip_prefix("import")?.trim();
            let text = text.strip_prefix("static ").unwrap_or(text).trim();
            if let Some(module) = text.strip_suffix(".*") {
                return Some(Imported::All(module.trim().to_owned()));
            }
            let (path, alias) = text.split_once(" as ").unwrap_or((text, ""));
            let (module, name) = path.trim().rsplit_once('.')?;
            one(module, Some(name), if alias.is_empty() { name } else { alias })
        }
        ImportForm::Using => {
            let text = text.trim_start_matches("global ").trim().strip_prefix("using")?.trim();
            match text.split_once('=') {
                Some((local, path)) => {
                    let (module, name) = path.trim().rsplit_once('.').unwrap_or(("", path.trim()));
                    one(module, Some(name), local)
                }
                None => Some(Imported::All(text.trim_start_matches("static ").trim().to_owned())),
            }
        }
        ImportForm::Include => {
            let path = node.child_by_field_name("path")?;
            one(parsed.text_of(path).trim_matches('"'), None, "")
        }
        ImportForm::Module => {
            let path = text.rsplit_once(char::is_whitespace).map_or("", |(_, path)| path);
            match path.rsplit_once('.') {
                Some((module, name)) => one(module, Some(name), name),
                None => Some(Imported::All(path.to_owned())),
            }
        }
        ImportForm::Path => {
            let path = node.child_by_field_name("path")?;
            let path = parsed.text_of(path).trim_matches(['"', '`']);
            match node.child_by_field_name("name").map(|name| parsed.text_of(name)) {
                Some(".") => Some(Imported::All(path.to_owned())),
                Some("_") => one(path, None, ""),
                Some(name) => one(path, None, name),
                None => one(path, None, package(path)),
            }
        }
        ImportForm::Use => {
            let group =
                node.parent().filter(|parent| parent.kind() == "namespace_use_group").and_then(|group| group.parent());
            let prefix = group.and_then(|group| {
                let mut cursor = group.walk();
                group.named_children(&mut cursor).find(|child| child.kind() == "namespace_name")
            });
            let (path, alias) = text.split_once(" as ").unwrap_or((text, ""));
            let path =
                path.trim().trim_start_matches("function ").trim_start_matches("const ").trim_start_matches('\\');
            let path = match prefix {
                Some(prefix) => format!("{}\\{path}", parsed.text_of(prefix).trim_start_matches('\\')),
                None => path.to_owned(),
            };
            let (module, name) = path.rsplit_once('\\').unwrap_or(("", &path));
            one(module, Some(name), if alias.is_empty() { name } else { alias })
        }
    }
}

/// Of Ruby: `require "a"`, `require_relative "a"`, which are calls like any other.
pub fn from_call(parsed: &Parsed, node: Node, callee: &str, is_optional: bool) -> Option<ImportStatement> {
    if !matches!(callee, "require" | "require_relative" | "load") {
        return None;
    }
    let path = first_string(parsed, node.child_by_field_name("arguments")?)?;
    let is_relative = callee == "require_relative" && !path.starts_with('.');
    let module = if is_relative { format!("./{path}") } else { path.to_owned() };
    Some(ImportStatement { module, name: None, local: String::new(), line: line(node), is_optional })
}

/// The name by which Go calls a package, as far as its path tells: `a/go-b/v2` is most often `b`.
fn package(path: &str) -> &str {
    let is_version =
        |part: &str| part.strip_prefix('v').is_some_and(|digits| digits.chars().all(|c| c.is_ascii_digit()));
    let last = path.rsplit('/').find(|part| !is_version(part)).unwrap_or(path);
    let last = last.split_once(".v").map_or(last, |(name, _)| name);
    last_name(last.strip_prefix("go-").or_else(|| last.strip_suffix("-go")).unwrap_or(last))
}
