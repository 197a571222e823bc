//! pytest's fixtures.

use ruff_python_ast::{Expr, StmtFunctionDef};

use super::body::last_name;

/// Under which name a function is a fixture; None when it is none.
pub fn name(function: &StmtFunctionDef) -> Option<&str> {
    let decorator = function.decorator_list.iter().find(|one| matches!(last_name(one), "fixture" | "yield_fixture"))?;
    let given = match &decorator.expression {
        Expr::Call(call) => call.arguments.find_keyword("name").map(|keyword| &keyword.value),
        _ => None,
    };
    Some(given.and_then(Expr::as_string_literal_expr).map_or(function.name.as_str(), |text| text.value.to_str()))
}

/// Names in `"a, b"`, `["a", "b"]`, `("a", "b")`.
pub fn strings(expr: &Expr) -> Vec<String> {
    let parts: &[Expr] = match expr {
        Expr::List(list) => &list.elts,
        Expr::Tuple(tuple) => &tuple.elts,
        other => std::slice::from_ref(other),
    };
    let texts = parts.iter().filter_map(Expr::as_string_literal_expr);
    texts.flat_map(|text| text.value.to_str().split(',').map(|name| name.trim().to_owned())).collect()
}
