//! Names of JavaScript and TypeScript.

mod global;
mod origins;

use guard_sdk::language::{Binding, BindingKind, NameRole, Names, UnboundName};
use oxc_ast::AstKind;
use oxc_semantic::{NodeId, Semantic};
use oxc_span::GetSpan;
use oxc_syntax::symbol::SymbolFlags;

use super::{Misspellings, sorted};
use crate::scopes::Lines;
use crate::scopes::javascript::{Source, comments};

pub fn names(source: &Source) -> Names {
    let lines = Lines::new(source.text);
    let said = comments::read(source.program, source.text, &lines);
    let scoping = source.semantic.scoping();
    let mut names = Names {
        declared: said.globals.into_iter().collect(),
        is_silenced: said.is_silenced,
        is_module: source.is_module,
        bound: bound(source, &lines),
        origins: origins::all(),
        ..Names::empty()
    };
    let mut misspellings = Misspellings::default();
    let mut has_eval = false;
    for (name, references) in scoping.root_unresolved_references() {
        let name = name.as_str();
        // In a script, code that is made of a string may bind any name.
        has_eval |= name == "eval";
        // A module of Node.
        names.is_module |= matches!(name, "require" | "module" | "exports");
        let nodes: Vec<(NodeId, bool)> = references
            .iter()
            .map(|id| scoping.get_reference(*id))
            .map(|reference| {
                let flags = reference.flags();
                (reference.node_id(), flags.is_type() && !flags.is_value() && !flags.is_value_as_type())
            })
            .collect();
        if nodes.iter().any(|(node, _)| is_asked_for(source.semantic, *node)) {
            names.unsettled.push(name.to_owned());
            continue;
        }
        for (node, is_type) in nodes {
            if is_in_open_scope(source.semantic, node) || is_known(name, is_type, true) {
                continue;
            }
            let line = lines.at(source.semantic.nodes().kind(node).span().start as usize);
            names.unbound.push(UnboundName {
                name: name.to_owned(),
                line,
                scope: String::new(),
                role: if is_type { NameRole::AType } else { NameRole::Value },
                // Which types the environment has is known of those that the file imported or defined before.
                is_certain: !is_type && !is_known(name, is_type, false),
                nearest: misspellings.nearest(name, visible(source.semantic, node)),
                silenced_by: said.silenced.get(&line).copied(),
            });
        }
    }
    names.is_open = has_eval && !names.is_module;
    let names = sorted(names);
    Names { bindings: names.bound.len() as u32, ..names }
}

fn bound(source: &Source, lines: &Lines) -> Vec<Binding> {
    let scoping = source.semantic.scoping();
    let binding = |symbol| {
        let flags = scoping.symbol_flags(symbol);
        let is_import = flags.contains(SymbolFlags::Import) || flags.contains(SymbolFlags::TypeImport);
        Binding {
            name: scoping.symbol_name(symbol).to_owned(),
            scope: String::new(),
            kind: if is_import { BindingKind::Imported } else { BindingKind::Defined },
            line: lines.at(scoping.symbol_span(symbol).start as usize),
        }
    };
    scoping.symbol_ids().map(binding).collect()
}

/// Whether the environment binds it. `known_before`: even if the file itself did before.
fn is_known(name: &str, is_type: bool, known_before: bool) -> bool {
    // `__DEV__` and the like are written in by a bundler.
    let is_constant = name.starts_with("__") && name.ends_with("__");
    // What a theme of manuals gives to their scripts.
    let is_stream = matches!(name, "document$" | "location$" | "target$" | "keyboard$" | "viewport$");
    is_constant || is_stream || global::is_global(name, known_before) || (is_type && global::is_global_type(name))
}

fn visible<'s>(semantic: &'s Semantic, node: NodeId) -> impl Iterator<Item = &'s str> {
    let scoping = semantic.scoping();
    let scopes = scoping.scope_ancestors(semantic.nodes().get_node(node).scope_id());
    scopes.flat_map(|scope| scoping.iter_bindings_in(scope)).map(|symbol| scoping.symbol_name(symbol))
}

/// `typeof name`: the code can do without it.
fn is_asked_for(semantic: &Semantic, node: NodeId) -> bool {
    matches!(semantic.nodes().parent_kind(node), AstKind::UnaryExpression(unary) if unary.operator.is_typeof())
}

/// Whether other files or objects may bring names into a scope around it: merged namespaces and enums, `with`.
fn is_in_open_scope(semantic: &Semantic, node: NodeId) -> bool {
    semantic.nodes().ancestor_kinds(node).any(|kind| {
        matches!(
            kind,
            AstKind::TSNamespaceDeclaration(_)
                | AstKind::TSGlobalDeclaration(_)
                | AstKind::TSEnumDeclaration(_)
                | AstKind::WithStatement(_)
        )
    })
}
