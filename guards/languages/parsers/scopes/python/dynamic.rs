//! Code that binds names in a manner that no scope analysis sees, and `__all__`.

use ruff_python_ast::{Expr, ExprCall, Stmt};
use ruff_text_size::Ranged;

use super::bind::Walk;

/// `globals()[name] = value`, `__all__ = [...]`, `builtins.name = value`.
pub fn visit_statement<'a>(walk: &mut Walk<'a>, stmt: &'a Stmt) {
    let (targets, value) = match stmt {
        Stmt::Assign(assign) => (assign.targets.as_slice(), Some(&*assign.value)),
        Stmt::AugAssign(assign) => (std::slice::from_ref(&*assign.target), Some(&*assign.value)),
        Stmt::AnnAssign(assign) => (std::slice::from_ref(&*assign.target), assign.value.as_deref()),
        _ => return,
    };
    for target in targets {
        match target {
            Expr::Subscript(subscript) if is_namespace(&subscript.value) => walk.names.is_dynamic = true,
            Expr::Attribute(attribute) if is_name(&attribute.value, &["builtins", "__builtins__", "__builtin__"]) => {
                walk.names.is_dynamic = true;
            }
            Expr::Name(name) if name.id.as_str() == "__all__" && walk.scope == 0 => {
                value.into_iter().for_each(|value| exports(walk, value));
            }
            _ => {}
        }
    }
}

/// `exec(code)`, `globals().update(...)`, `inject(globals())`, `__all__.extend([...])`.
pub fn visit_call<'a>(walk: &mut Walk<'a>, call: &'a ExprCall) {
    let arguments = &call.arguments;
    match &*call.func {
        // With a namespace of its own it binds nothing here.
        Expr::Name(name) if matches!(name.id.as_str(), "exec" | "execfile") => {
            let own = arguments.args.get(1).is_some_and(|namespace| !is_namespace(namespace));
            walk.names.is_dynamic |= !own;
        }
        Expr::Attribute(attribute) if is_namespace(&attribute.value) => {
            walk.names.is_dynamic |= !matches!(attribute.attr.as_str(), "get" | "keys" | "values" | "items" | "copy");
        }
        Expr::Attribute(attribute)
            if is_name(&attribute.value, &["__all__"]) && matches!(attribute.attr.as_str(), "extend" | "append") =>
        {
            arguments.args.iter().for_each(|value| exports(walk, value));
        }
        Expr::Name(name) if matches!(name.id.as_str(), "list" | "dict" | "sorted" | "len" | "eval") => {}
        _ => {
            let values = arguments.args.iter().chain(arguments.keywords.iter().map(|keyword| &keyword.value));
            walk.names.is_dynamic |= values.into_iter().any(is_globals);
        }
    }
}

fn exports<'a>(walk: &mut Walk<'a>, value: &'a Expr) {
    let elements = match value {
        Expr::List(list) => &list.elts[..],
        Expr::Tuple(tuple) => &tuple.elts[..],
        Expr::StringLiteral(_) => std::slice::from_ref(value),
        Expr::BinOp(sum) => {
            exports(walk, &sum.left);
            return exports(walk, &sum.right);
        }
        _ => return,
    };
    for element in elements {
        // Concatenated literals are no name that could be pointed at.
        if let Some(single) = element.as_string_literal_expr().and_then(|literal| literal.as_single_part_string()) {
            walk.names.exports.push((&single.value, element.range()));
        }
    }
}

/// `globals()`, `locals()`, `vars()`: the names of here, as a dictionary.
fn is_namespace(expr: &Expr) -> bool {
    call_of(expr, &["globals", "locals", "vars"])
        || matches!(expr, Expr::Attribute(attribute) if attribute.attr.as_str() == "__dict__")
}

fn is_globals(expr: &Expr) -> bool {
    call_of(expr, &["globals"])
}

fn call_of(expr: &Expr, names: &[&str]) -> bool {
    matches!(expr, Expr::Call(call) if call.arguments.is_empty() && is_name(&call.func, names))
}

fn is_name(expr: &Expr, names: &[&str]) -> bool {
    matches!(expr, Expr::Name(name) if names.contains(&name.id.as_str()))
}
