//! What a file binds, and what it uses without binding it.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::AstKind;
use oxc_semantic::{NodeId, Semantic};
use oxc_span::GetSpan;
use oxc_syntax::symbol::SymbolFlags;

use super::{Source, comments, global};
use crate::{Lines, nearest};

#[derive(Default)]
pub struct Names {
    pub unbound: Vec<Unbound>,
    pub bound: BTreeMap<String, Bound>,
    /// Names that comments say are global.
    pub declared: BTreeSet<String>,
    /// Names that the code asks for before it uses them.
    pub asked_for: BTreeSet<String>,
    /// Comments, or code that binds names by strings, leave nothing certain.
    pub is_silenced: bool,
    pub is_module: bool,
}

/// A use of a name that no scope of the file binds.
pub struct Unbound {
    pub name: String,
    pub line: u32,
    /// The line of a comment by which linters or the compiler accept it.
    pub silenced: Option<u32>,
    /// It stands where only a type can.
    pub is_type: bool,
    /// A name in scope that differs in a letter or two.
    pub nearest: Option<String>,
}

#[derive(Clone, Copy)]
pub struct Bound {
    pub kind: BoundKind,
    pub line: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BoundKind {
    Import,
    Function,
    Class,
    Value,
}

pub fn of(source: &Source) -> Names {
    let lines = Lines::of(source.text);
    let said = comments::of(source.program, source.text, &lines);
    let scoping = source.semantic.scoping();
    let mut names = Names {
        declared: said.globals,
        is_silenced: said.is_silenced,
        is_module: source.is_module,
        ..Names::default()
    };
    for symbol in scoping.symbol_ids() {
        let flags = scoping.symbol_flags(symbol);
        let kind = match () {
            () if flags.contains(SymbolFlags::Import) || flags.contains(SymbolFlags::TypeImport) => BoundKind::Import,
            () if flags.contains(SymbolFlags::Function) => BoundKind::Function,
            () if flags.contains(SymbolFlags::Class) => BoundKind::Class,
            () => BoundKind::Value,
        };
        let line = lines.at(scoping.symbol_span(symbol).start as usize);
        names.bound.entry(scoping.symbol_name(symbol).to_owned()).or_insert(Bound { kind, line });
    }
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
            names.asked_for.insert(name.to_owned());
            continue;
        }
        for (node, is_type) in nodes {
            let line = lines.at(source.semantic.nodes().kind(node).span().start as usize);
            if is_in_open_scope(source.semantic, node) {
                continue;
            }
            let is_strange = !(global::is_global(name, true) || is_type && global::is_global_type(name));
            let nearest =
                is_strange.then(|| nearest(name, visible(source.semantic, node)).map(str::to_owned)).flatten();
            let silenced = said.silenced.get(&line).copied();
            names.unbound.push(Unbound { name: name.to_owned(), line, silenced, is_type, nearest });
        }
    }
    names.is_silenced |= has_eval && !names.is_module;
    names.unbound.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
    names
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
