//! What a function's body amounts to.

use oxc_ast::ast::{ArrowFunctionBody, Expression, Function, FunctionBody, Statement};

use crate::outline::unfinished::says_so;
use guard_sdk::language::Body;

pub fn from_function(function: &Function) -> Body {
    function.body.as_deref().map_or(Body::Declared, from_statements)
}

/// A value that is a function; None when it is something else.
pub fn from_value(value: &Expression) -> Option<Body> {
    match value {
        Expression::FunctionExpression(function) => Some(from_function(function)),
        Expression::ArrowFunctionExpression(arrow) => match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => Some(from_statements(body)),
            _ => Some(Body::Real),
        },
        _ => None,
    }
}

fn from_statements(body: &FunctionBody) -> Body {
    match body.statements.as_slice() {
        [] => Body::Empty,
        [Statement::ThrowStatement(throw)] if is_unfinished(&throw.argument) => Body::Stub,
        _ => Body::Real,
    }
}

/// `new Error("not implemented")`, whatever the error is called.
fn is_unfinished(thrown: &Expression) -> bool {
    let arguments = match thrown {
        Expression::NewExpression(new) => &new.arguments,
        Expression::CallExpression(call) => &call.arguments,
        Expression::StringLiteral(text) => return says_so(&text.value),
        _ => return false,
    };
    arguments.iter().filter_map(|argument| argument.as_expression()).any(|argument| match argument {
        Expression::StringLiteral(text) => says_so(&text.value),
        Expression::TemplateLiteral(text) => text.quasis.iter().any(|part| says_so(&part.value.raw)),
        _ => false,
    })
}
