//! Tests as node:test, Jest, Vitest and Mocha know them: calls with a title and a function.

use oxc_ast::ast::{Argument, CallExpression, Expression};

use super::body;
use crate::outline::Body;

pub enum Call {
    Test(String, Body),
    /// A group of tests.
    Group(String),
}

pub fn of(call: &CallExpression) -> Option<Call> {
    let [title, rest @ ..] = call.arguments.as_slice() else { return None };
    let body = rest.iter().filter_map(Argument::as_expression).find_map(body::of_value)?;
    let title = match title {
        Argument::StringLiteral(text) => text.value.to_string(),
        Argument::TemplateLiteral(text) => {
            text.quasis.iter().map(|part| part.value.raw.as_str()).collect::<Vec<_>>().join("…")
        }
        _ => return None,
    };
    match base(&call.callee)? {
        "it" | "test" | "specify" | "bench" => Some(Call::Test(title, body)),
        "describe" | "context" | "suite" => Some(Call::Group(title)),
        _ => None,
    }
}

/// Of `it.skip.each(…)`: `it`.
fn base<'a>(mut callee: &Expression<'a>) -> Option<&'a str> {
    for _ in 0..6 {
        callee = match callee {
            Expression::Identifier(name) => return Some(name.name.as_str()),
            Expression::StaticMemberExpression(member) => &member.object,
            Expression::CallExpression(call) => &call.callee,
            Expression::TaggedTemplateExpression(tagged) => &tagged.tag,
            _ => return None,
        };
    }
    None
}
