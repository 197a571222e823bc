//! What one module says of itself, as clients ask for it: exports, symbols, and what changed between two of its versions.

use std::collections::{BTreeMap, BTreeSet};

use guardhost_engine::outlines::{Function, Import, Outline, TextOutline};
use guardhost_observer::wire::{
    ChangedDefinition, DefinitionDelta, Definitions, ExportedName, FileExports, ImportedName, Symbol, SymbolCallee,
    SymbolCaller, SymbolParameter,
};
use guardhost_service::answers::{Answer, NoAnswer};

/// Top-level definitions by name: the kind, and the text.
pub type Defined = BTreeMap<String, (&'static str, String)>;

pub fn defined(outline: &TextOutline, bytes: &[u8]) -> Defined {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    let top = outline.definitions.iter().filter(|definition| definition.is_top);
    top.map(|definition| {
        let (first, last) = (definition.first.saturating_sub(1) as usize, definition.last as usize);
        let body = lines.get(first..last.min(lines.len())).unwrap_or_default().join("\n");
        (definition.name.clone(), (definition.kind, body))
    })
    .collect()
}

/// What changed in a file; it is added to what changed in `all` of them.
pub fn delta(path: &str, old: &Defined, new: &Defined, all: &mut DefinitionDelta) -> Definitions {
    let mut file = Definitions { added: Vec::new(), removed: Vec::new(), modified: Vec::new() };
    let changed = |name: &String, kind: &str| ChangedDefinition {
        file: path.to_owned(),
        name: name.clone(),
        kind: kind.to_owned(),
    };
    for (name, (kind, text)) in new {
        match old.get(name) {
            None => {
                file.added.push(name.clone());
                all.added.push(changed(name, kind));
            }
            Some((_, before)) if before != text => {
                file.modified.push(name.clone());
                all.modified.push(changed(name, kind));
            }
            Some(_) => {}
        }
    }
    for (name, (kind, _)) in old.iter().filter(|(name, _)| !new.contains_key(*name)) {
        file.removed.push(name.clone());
        all.removed.push(changed(name, kind));
    }
    file
}

pub fn imported(import: Import) -> ImportedName {
    let own = import.name.as_deref().unwrap_or(&import.module);
    let alias = Some(import.local.clone()).filter(|local| !local.is_empty() && local != own);
    // `import a.b` binds `a`, which is no other name for it.
    let alias = alias.filter(|local| !own.starts_with(&format!("{local}.")));
    ImportedName { alias, module: import.module, symbol_imported: import.name, line: import.line }
}

/// Names that the file defines itself. Those of Python that begin with `_` are private, and what it imports is not its own.
pub fn exports(path: &str, outline: Outline) -> Answer<FileExports> {
    let offers = outline.offers.map_err(NoAnswer::Unknown)?;
    let is_python = path.ends_with(".py") || path.ends_with(".pyi");
    let imports = outline.imports.unwrap_or_default();
    let imported: BTreeSet<&str> = imports.iter().map(|import| import.local.as_str()).collect();
    let definitions = outline.text.unwrap_or_default().definitions;
    let export = |name: String| {
        let defined = definitions.iter().find(|definition| definition.is_top && definition.name == name);
        if is_python && (name.starts_with('_') || defined.is_none() && imported.contains(name.as_str())) {
            return None;
        }
        let kind = defined.map_or("variable", |definition| definition.kind).to_owned();
        Some(ExportedName { name, kind, lineno: defined.map(|definition| definition.first), public: true })
    };
    let is_open = offers.is_open || !offers.all_of.is_empty();
    let mut exports: Vec<ExportedName> = offers.names.into_iter().filter_map(export).collect();
    exports.sort_by_key(|export| export.lineno.unwrap_or(u32::MAX));
    Ok(FileExports { exports, is_open })
}

pub fn symbol(path: &str, name: &str, outline: &Outline, text: &str) -> Answer<Symbol> {
    let read = outline.text.as_ref().map_err(|why| NoAnswer::Unknown(why.clone()))?;
    let found = read.definitions.iter().find(|definition| definition.name == name);
    let found = found.ok_or_else(|| NoAnswer::Unknown(format!("{path} defines no {name}")))?;
    let function = outline.functions.iter().flatten().find(|function| function.name == name);
    let calls = calls(text, read);
    let is_inside = |line: u32| (found.first..=found.last).contains(&line);
    let callers: BTreeSet<u32> = match function {
        Some(function) => function.callers.iter().copied().collect(),
        None => {
            calls.iter().filter(|(line, callee)| callee == name && !is_inside(*line)).map(|(line, _)| *line).collect()
        }
    };
    let callees: BTreeSet<&str> =
        calls.iter().filter(|(line, callee)| is_inside(*line) && callee != name).map(|(_, callee)| &**callee).collect();
    let parameters = function.iter().flat_map(|function| function.positional.iter().chain(&function.keyword_only));
    let caller = |line: u32| SymbolCaller { path: path.to_owned(), file: path.to_owned(), line };
    let line = function.map_or(found.first, |function| function.line);
    let written = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    Ok(Symbol {
        path: path.to_owned(),
        name: name.to_owned(),
        kind: found.kind.to_owned(),
        line,
        lineno: line,
        signature: function.map_or_else(|| written.trim().trim_end_matches([':', '{', ' ']).to_owned(), parameters_of),
        parameters: parameters
            .map(|(name, is_required)| SymbolParameter { name: name.clone(), is_required: *is_required })
            .collect(),
        callers: callers.into_iter().map(caller).collect(),
        callees: callees.into_iter().map(|name| SymbolCallee { name: name.to_owned() }).collect(),
    })
}

/// A function as one would call it: `name(a, b=…)`.
pub fn parameters_of(function: &Function) -> String {
    let mut parts: Vec<String> = Vec::new();
    let written = |(name, is_required): &(String, bool)| match is_required {
        true => name.clone(),
        false => format!("{name}=…"),
    };
    parts.extend(function.positional.iter().map(written));
    if function.takes_more {
        parts.push("*".to_owned());
    }
    parts.extend(function.keyword_only.iter().map(written));
    if function.takes_keywords {
        parts.push("**".to_owned());
    }
    format!("{}({})", function.name, parts.join(", "))
}

/// Names before an opening parenthesis, with their lines: only those that the parser saw being read, so that neither keywords nor
/// definitions are among them.
fn calls(text: &str, outline: &TextOutline) -> Vec<(u32, String)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut found = Vec::new();
    for (at, _) in text.match_indices('(') {
        if outline.dead.iter().any(|dead| dead.contains(&at)) {
            continue;
        }
        let before = &text[..at];
        let name = &before[before.trim_end_matches(is_part).len()..];
        if outline.read.contains(name) {
            let line = before.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
            found.push((line, name.to_owned()));
        }
    }
    found
}
