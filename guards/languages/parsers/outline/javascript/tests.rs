//! Tests as node:test, Jest, Vitest and Mocha know them: calls with a title and a function.

use oxc_ast::ast::{Argument, ArrowFunctionBody, CallExpression, Expression, FunctionBody};

use super::body;
use super::skip::{self, Mark};
use guard_sdk::language::{Body, SkipKind};

pub enum Call {
    Test {
        title: String,
        body: Body,
        mark: Option<Mark>,
    },
    /// A group of tests.
    Group {
        title: String,
        mark: Option<Mark>,
    },
}

pub fn from_call(call: &CallExpression) -> Option<Call> {
    let (group, base) = match base(&call.callee)? {
        base @ ("it" | "test" | "specify" | "bench" | "xit" | "xtest" | "xspecify" | "fit") => (false, base),
        base @ ("describe" | "context" | "suite" | "xdescribe" | "xcontext" | "fdescribe") => (true, base),
        _ => return None,
    };
    let [title, rest @ ..] = call.arguments.as_slice() else { return None };
    let title = match title {
        Argument::StringLiteral(text) => text.value.to_string(),
        Argument::TemplateLiteral(text) => {
            text.quasis.iter().map(|part| part.value.raw.as_str()).collect::<Vec<_>>().join("…")
        }
        _ => return None,
    };
    let function = rest.iter().filter_map(Argument::as_expression).find(|value| body::from_value(value).is_some());
    let marked = || skip::from_callee(call).or_else(|| skip::from_options(call));
    match function {
        Some(_) if group => Some(Call::Group { title, mark: marked() }),
        Some(function) => {
            let body = body::from_value(function)?;
            let mark = marked().or_else(|| statements(function).and_then(skip::from_body));
            Some(Call::Test { title, body, mark })
        }
        // `test("…", shared, 1)`: the function has a name.
        None if !group && matches!(rest.first(), Some(Argument::Identifier(_))) => {
            Some(Call::Test { title, body: Body::Real, mark: marked() })
        }
        // Its title alone: `it.todo("…")`, `it("…")`.
        None if !group && rest.is_empty() && !title.is_empty() && is_made(&call.callee) => {
            let mark = marked().or_else(|| Some((SkipKind::Empty, call.span, base.to_owned())));
            Some(Call::Test { title, body: Body::Declared, mark })
        }
        None => None,
    }
}

/// Whether the call makes a test: `it`, `it.todo`, but not `test.step`.
fn is_made(callee: &Expression) -> bool {
    match callee {
        Expression::Identifier(_) => true,
        Expression::StaticMemberExpression(member) => matches!(member.property.name.as_str(), "todo" | "skip"),
        _ => false,
    }
}

fn statements<'e, 'a>(function: &'e Expression<'a>) -> Option<&'e FunctionBody<'a>> {
    match function {
        Expression::FunctionExpression(function) => function.body.as_deref(),
        Expression::ArrowFunctionExpression(arrow) => match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => Some(body),
            _ => None,
        },
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
