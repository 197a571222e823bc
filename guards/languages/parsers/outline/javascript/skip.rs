//! Tests of Jest, Vitest, Mocha, node:test, Jasmine, AVA and Playwright that do not run.

use oxc_ast::ast::{Argument, CallExpression, Expression, FunctionBody, ObjectPropertyKind, Statement};
use oxc_span::{GetSpan, Span};

use guard_sdk::language::SkipKind;

/// A mark, where it stands, and what it is called.
pub type Mark = (SkipKind, Span, String);

/// What the name by which a test or a group is made says: `it.skip`, `xit`, `describe.only`.
pub fn from_callee(call: &CallExpression) -> Option<Mark> {
    let (mut callee, mut found) = (&call.callee, None);
    let mut names: Vec<&str> = Vec::new();
    for _ in 0..6 {
        callee = match callee {
            Expression::Identifier(name) => {
                names.push(&name.name);
                found = found.or(from_name(&name.name));
                break;
            }
            Expression::StaticMemberExpression(member) => {
                names.push(&member.property.name);
                found = found.or(from_member(&member.property.name));
                &member.object
            }
            Expression::CallExpression(inner) => {
                found = found.or(from_condition(inner));
                &inner.callee
            }
            Expression::TaggedTemplateExpression(tagged) => &tagged.tag,
            _ => return None,
        };
    }
    names.reverse();
    found.map(|how| (how, call.callee.span(), names.join(".")))
}

fn from_name(name: &str) -> Option<SkipKind> {
    match name {
        "xit" | "xtest" | "xdescribe" | "xspecify" | "xcontext" => Some(SkipKind::Skipped),
        "fit" | "fdescribe" => Some(SkipKind::Focused),
        _ => None,
    }
}

fn from_member(name: &str) -> Option<SkipKind> {
    match name {
        "skip" | "todo" | "fixme" => Some(SkipKind::Skipped),
        "fails" | "failing" | "fail" => Some(SkipKind::MayFail),
        "only" => Some(SkipKind::Focused),
        _ => None,
    }
}

/// `it.skipIf(true)`, `it.runIf(false)`.
fn from_condition(call: &CallExpression) -> Option<SkipKind> {
    let Expression::StaticMemberExpression(member) = &call.callee else { return None };
    let Some(Argument::BooleanLiteral(given)) = call.arguments.first() else { return None };
    match (member.property.name.as_str(), given.value) {
        ("skipIf", true) | ("runIf", false) => Some(SkipKind::Skipped),
        _ => None,
    }
}

/// `{ skip: true }`, `{ todo: "later" }`, `{ only: true }`.
pub fn from_options(call: &CallExpression) -> Option<Mark> {
    let options = call.arguments.iter().skip(1).find_map(|argument| match argument {
        Argument::ObjectExpression(object) => Some(object),
        _ => None,
    })?;
    options.properties.iter().find_map(|property| {
        let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
        let name = property.key.static_name()?;
        let how = from_member(&name)?;
        let says_so = match &property.value {
            Expression::BooleanLiteral(value) => value.value,
            Expression::StringLiteral(why) => !why.value.is_empty(),
            _ => false,
        };
        says_so.then(|| (how, property.span, name.to_string()))
    })
}

/// A statement of a body that ends the test, whatever happens. A function that is declared behind a `return` is hoisted.
pub fn from_body(body: &FunctionBody) -> Option<Mark> {
    let all = body.statements.as_slice();
    all.iter().enumerate().find_map(|(at, stmt)| match stmt {
        Statement::ReturnStatement(end) => {
            let runs =
                |stmt: &Statement| !matches!(stmt, Statement::FunctionDeclaration(_) | Statement::EmptyStatement(_));
            all[at + 1..].iter().any(runs).then(|| (SkipKind::Cut, end.span, "return".to_owned()))
        }
        Statement::ExpressionStatement(expr) => match &expr.expression {
            Expression::CallExpression(call) => from_call(call),
            _ => None,
        },
        _ => None,
    })
}

/// `t.skip("…")`, `this.skip()`, `test.skip()`; with a condition it is none.
fn from_call(call: &CallExpression) -> Option<Mark> {
    let plain = |argument: &Argument| matches!(argument, Argument::StringLiteral(_));
    let condition = match call.arguments.as_slice() {
        [] => true,
        [one] => plain(one) || matches!(one, Argument::BooleanLiteral(given) if given.value),
        [Argument::BooleanLiteral(given), why] => given.value && plain(why),
        _ => false,
    };
    let (object, name) = match &call.callee {
        Expression::Identifier(name) if name.name == "pending" => ("", "pending"),
        Expression::StaticMemberExpression(member) => match &member.object {
            Expression::Identifier(object) => (object.name.as_str(), member.property.name.as_str()),
            Expression::ThisExpression(_) => ("this", member.property.name.as_str()),
            _ => return None,
        },
        _ => return None,
    };
    let skips = matches!(
        (object, name),
        ("", "pending")
            | ("t" | "ctx" | "context" | "this" | "test" | "it", "skip")
            | ("t" | "ctx" | "context", "todo")
            | ("test", "fixme")
    );
    let name = if object.is_empty() { name.to_owned() } else { format!("{object}.{name}") };
    (condition && skips).then_some((SkipKind::Skipped, call.span, name))
}
