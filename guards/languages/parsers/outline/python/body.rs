//! What a function's body amounts to.

use ruff_python_ast::{Decorator, Expr, Stmt, StmtClassDef, StmtFunctionDef};

use guard_sdk::language::Body;

pub fn from_function(function: &StmtFunctionDef, owner: Option<&StmtClassDef>) -> Body {
    let said: Vec<&Stmt> = function.body.iter().filter(|stmt| !is_text(stmt)).collect();
    let body = match said.as_slice() {
        [] => Body::Empty,
        all if all.iter().all(|stmt| stmt.is_pass_stmt()) => Body::Empty,
        all if all.iter().all(|stmt| stmt.is_pass_stmt() || is_ellipsis(stmt)) => Body::Stub,
        [Stmt::Raise(raise)] if raise.exc.as_deref().is_some_and(is_not_implemented) => Body::Stub,
        _ => Body::Real,
    };
    match body {
        Body::Real => Body::Real,
        _ if by_design(function, owner) => Body::Declared,
        other => other,
    }
}

fn is_text(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Expr(expr) if expr.value.is_string_literal_expr())
}

pub fn is_ellipsis(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Expr(expr) if expr.value.is_ellipsis_literal_expr())
}

fn is_not_implemented(expr: &Expr) -> bool {
    let (callee, said) = match expr {
        Expr::Call(call) => (&*call.func, call.arguments.args.first()),
        other => (other, None),
    };
    let refuses = said.is_some_and(|said| match said {
        Expr::StringLiteral(text) => refuses(text.value.to_str()),
        _ => false,
    });
    matches!(callee, Expr::Name(name) if name.id == "NotImplementedError") && !refuses
}

/// Whether a message tells a caller what to do instead, rather than that somebody has yet to write the body.
fn refuses(message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    let instead = ["cannot be", "can't be", "instead", "no longer", "is not supported", "not allowed"];
    instead.iter().any(|words| lower.contains(words))
        && lower.split_whitespace().count() >= 6
        && !crate::outline::unfinished::says_so(message)
}

fn by_design(function: &StmtFunctionDef, owner: Option<&StmtClassDef>) -> bool {
    let marks =
        ["overload", "abstractmethod", "abstractproperty", "abstractclassmethod", "hookspec", "group", "callback"];
    function.decorator_list.iter().any(|decorator| marks.contains(&last_name(decorator)))
        || owner.is_some_and(|class| class.bases().iter().chain(keywords(class)).any(is_interface))
}

fn keywords(class: &StmtClassDef) -> impl Iterator<Item = &Expr> {
    class.keywords().iter().map(|keyword| &keyword.value)
}

fn is_interface(base: &Expr) -> bool {
    let base = match base {
        Expr::Subscript(generic) => &generic.value,
        other => other,
    };
    ["Protocol", "ABC", "ABCMeta", "Interface", "TypedDict"].contains(&last(base))
}

/// Of `a.b.c` and `a.b.c(…)`: `c`.
pub fn last_name(decorator: &Decorator) -> &str {
    last(&decorator.expression)
}

pub fn last(expr: &Expr) -> &str {
    match expr {
        Expr::Call(call) => match &*call.func {
            Expr::Name(name) => &name.id,
            Expr::Attribute(attribute) => &attribute.attr,
            _ => "",
        },
        Expr::Name(name) => &name.id,
        Expr::Attribute(attribute) => &attribute.attr,
        _ => "",
    }
}
