//! Handlers that do nothing.

use ruff_python_ast::{ExceptHandlerExceptHandler, Expr, Stmt};

use guard_sdk::language::{Lines, SwallowedError, says_expected};

use super::body;
use super::scope::{Scope, dotted};

/// What catches every error.
const BROAD: [&str; 3] = ["Exception", "BaseException", "object"];

pub fn from_handler(scope: &Scope, caught: &ExceptHandlerExceptHandler) -> Option<SwallowedError> {
    let (first, last) = scope.lines(caught.range);
    let nothing = match caught.body.as_slice() {
        [Stmt::Pass(_)] => "pass",
        [one] if body::is_ellipsis(one) => "...",
        // In lines of its own it says more than what stands behind a colon.
        [Stmt::Continue(_)] if first == last => "continue",
        _ => return None,
    };
    let kinds = match caught.type_.as_deref() {
        Some(Expr::Tuple(kinds)) => kinds.elts.as_slice(),
        Some(kind) => std::slice::from_ref(kind),
        None => &[],
    };
    let is_narrow = !kinds.is_empty() && !kinds.iter().any(|kind| BROAD.contains(&body::last(kind)));
    let named = caught.name.as_ref().map(|name| name.as_str());
    let is_meant = is_narrow || named.is_some_and(says_expected);
    let kind = match kinds {
        [] => String::new(),
        [one] => format!(" {}", dotted(one).unwrap_or_else(|| "…".to_owned())),
        [first, ..] => format!(" ({}, …)", dotted(first).unwrap_or_else(|| "…".to_owned())),
    };
    let named = named.map_or_else(String::new, |name| format!(" as {name}"));
    let form = format!("except{kind}{named}: {nothing}");
    Some(SwallowedError { lines: Lines { first, last }, form, is_meant })
}
