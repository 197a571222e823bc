//! Calls whose function is certain.

use crate::scopes::Lines;
use crate::scopes::javascript::Source;
use guard_sdk::modules::{Call, Lines as Rows, Member, Target};
use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, Expression, IdentifierReference};
use oxc_semantic::NodeId;
use oxc_span::Span;
use oxc_syntax::symbol::SymbolFlags;

pub fn collect(source: &Source, lines: &Lines) -> Vec<Call> {
    let silenced = source.silenced();
    if silenced.everywhere {
        return Vec::new();
    }
    let mut calls = Vec::new();
    for node in source.semantic.nodes().iter() {
        let (target, arguments, span) = match node.kind() {
            AstKind::CallExpression(call) => (called(source, node.id(), &call.callee), &call.arguments, call.span),
            AstKind::NewExpression(call) => {
                let target = called(source, node.id(), &call.callee).and_then(constructed);
                (target, &call.arguments, call.span)
            }
            _ => continue,
        };
        let lines = line_range(lines, span);
        if let Some(target) = target {
            let excused_by = (lines.0..=lines.1).find_map(|line| silenced.lines.get(&line).copied());
            let lines = Rows { first: lines.0, last: lines.1 };
            calls.push(Call { excused_by, ..call(target, arguments, lines) });
        }
    }
    calls
}

fn line_range(lines: &Lines, span: Span) -> (u32, u32) {
    (lines.at(span.start as usize), lines.at(span.end as usize))
}

fn constructed(target: Target) -> Option<Target> {
    match target {
        Target::SameFile(name) if !name.contains('.') => Some(Target::SameFile(format!("new {name}"))),
        Target::Imported(name) => Some(Target::Imported(format!("new {name}"))),
        Target::Member(Member { module, name }) => Some(Target::Member(Member { module, name: format!("new {name}") })),
        Target::SameFile(_) | Target::Other(_) => None,
    }
}

fn called(source: &Source, node: NodeId, callee: &Expression) -> Option<Target> {
    match callee {
        Expression::Identifier(id) => {
            let flags = module_symbol(source, id)?;
            let name = id.name.to_string();
            Some(if flags.contains(SymbolFlags::Import) { Target::Imported(name) } else { Target::SameFile(name) })
        }
        Expression::StaticMemberExpression(member) if !member.optional => match &member.object {
            Expression::ThisExpression(_) => {
                Some(Target::SameFile(format!("{}.{}", class_around(source, node)?, member.property.name)))
            }
            Expression::Identifier(id) => {
                let is_import = module_symbol(source, id)?.contains(SymbolFlags::Import);
                let (module, name) = (id.name.to_string(), member.property.name.to_string());
                is_import.then_some(Target::Member(Member { module, name }))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What a name is, when the module itself binds it.
fn module_symbol(source: &Source, id: &IdentifierReference) -> Option<SymbolFlags> {
    let scoping = source.semantic.scoping();
    let symbol = scoping.get_reference(id.reference_id()).symbol_id()?;
    (scoping.symbol_scope_id(symbol) == scoping.root_scope_id()).then(|| scoping.symbol_flags(symbol))
}

/// The class that `this` belongs to: the nearest function that is no arrow is one of its methods.
fn class_around(source: &Source, node: NodeId) -> Option<String> {
    let mut above =
        source.semantic.nodes().ancestor_kinds(node).skip_while(|kind| !matches!(kind, AstKind::Function(_)));
    above.next()?;
    let AstKind::MethodDefinition(method) = above.next()? else { return None };
    if method.r#static {
        return None;
    }
    above.find_map(|kind| match kind {
        AstKind::Class(class) => Some(class.id.as_ref().map(|id| id.name.to_string())),
        _ => None,
    })?
}

fn call(target: Target, arguments: &[Argument], lines: Rows) -> Call {
    let spreads = arguments.iter().any(|argument| matches!(argument, Argument::SpreadElement(_)));
    let positional = arguments.iter().filter(|argument| !matches!(argument, Argument::SpreadElement(_))).count() as u32;
    Call { target, positional, keywords: Vec::new(), spreads, spreads_keywords: false, lines, excused_by: None }
}
