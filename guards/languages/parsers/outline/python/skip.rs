//! Tests of pytest and unittest that do not run.

use ruff_python_ast::{Arguments, Decorator, Expr, Number, Stmt, StmtClassDef, StmtFunctionDef, UnaryOp};
use ruff_text_size::Ranged;

use super::scope::{Scope, dotted};
use guard_sdk::language::{Skip, SkipKind};

pub fn from_function(scope: &Scope, function: &StmtFunctionDef) -> Option<Skip> {
    by_decorators(scope, &function.decorator_list).or_else(|| by_body(scope, &function.body, SkipKind::Cut))
}

pub fn from_class(scope: &Scope, class: &StmtClassDef) -> Option<Skip> {
    by_decorators(scope, &class.decorator_list).or_else(|| class.body.iter().find_map(|stmt| marked(scope, stmt)))
}

pub fn from_module(scope: &Scope, body: &[Stmt]) -> Option<Skip> {
    let marks = body.iter().find_map(|stmt| marked(scope, stmt));
    marks.or_else(|| body.iter().find_map(|stmt| ends(scope, stmt)))
}

fn by_decorators(scope: &Scope, decorators: &[Decorator]) -> Option<Skip> {
    decorators.iter().find_map(|decorator| mark(scope, &decorator.expression, "@"))
}

/// `pytestmark = pytest.mark.skip`, `__test__ = False`.
fn marked(scope: &Scope, stmt: &Stmt) -> Option<Skip> {
    let Stmt::Assign(assign) = stmt else { return None };
    let [Expr::Name(name)] = assign.targets.as_slice() else { return None };
    match (name.id.as_str(), &*assign.value) {
        ("pytestmark", Expr::List(list)) => list.elts.iter().find_map(|one| mark(scope, one, "")),
        ("pytestmark", one) => mark(scope, one, ""),
        ("__test__", value) if truth(value) == Some(false) => {
            Some(Skip::new(SkipKind::Skipped, scope.line(stmt), "__test__ = False"))
        }
        _ => None,
    }
}

/// A mark without a condition, or with one that is a constant.
fn mark(scope: &Scope, expr: &Expr, sign: &str) -> Option<Skip> {
    let (callee, arguments) = match expr {
        Expr::Call(call) => (&*call.func, Some(&call.arguments)),
        other => (other, None),
    };
    let name = dotted(callee)?;
    let (owner, last) = name.rsplit_once('.').unwrap_or(("", &name));
    if !matches!(owner, "" | "pytest.mark" | "mark" | "unittest" | "unittest.case" | "testing" | "pytest") {
        return None;
    }
    let holds = |wanted: bool| condition(arguments).is_some_and(|test| truth(test) == Some(wanted));
    let how = match last {
        "skip" => SkipKind::Skipped,
        "skipif" | "skipIf" if holds(true) => SkipKind::Skipped,
        "skipUnless" if holds(false) => SkipKind::Skipped,
        "expectedFailure" => SkipKind::MayFail,
        "xfail" if condition(arguments).is_none_or(|test| truth(test) == Some(true)) => SkipKind::MayFail,
        _ => return None,
    };
    Some(Skip::new(how, scope.line(expr), format!("{sign}{name}")).because(reason(arguments)))
}

/// The text under `reason`, or the first that is given.
fn reason(arguments: Option<&Arguments>) -> &str {
    let given = arguments.and_then(|arguments| {
        let named = arguments.find_keyword("reason").map(|keyword| &keyword.value);
        named.or_else(|| arguments.args.iter().find(|argument| argument.is_string_literal_expr()))
    });
    given.and_then(Expr::as_string_literal_expr).map_or("", |text| text.value.to_str())
}

fn condition(arguments: Option<&Arguments>) -> Option<&Expr> {
    let arguments = arguments?;
    arguments.find_keyword("condition").map(|keyword| &keyword.value).or_else(|| arguments.args.first())
}

/// Of a constant; None of what depends on anything.
fn truth(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::BooleanLiteral(literal) => Some(literal.value),
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(number) => number.as_u64().map(|number| number != 0),
            _ => None,
        },
        // pytest evaluates it.
        Expr::StringLiteral(text) => match text.value.to_str() {
            "True" | "1" => Some(true),
            "False" | "0" => Some(false),
            _ => None,
        },
        Expr::UnaryOp(not) if not.op == UnaryOp::Not => truth(&not.operand).map(|value| !value),
        _ => None,
    }
}

/// A statement that ends the test, whatever happens, in its body or under a constant condition. `how`: what a plain `return` is.
fn by_body(scope: &Scope, body: &[Stmt], how: SkipKind) -> Option<Skip> {
    let last = body.len().saturating_sub(1);
    body.iter().enumerate().find_map(|(at, stmt)| match stmt {
        Stmt::Return(_) if at < last => Some(Skip::new(how, scope.line(stmt), "return")),
        Stmt::If(branch) if truth(&branch.test) == Some(true) => match branch.body.last() {
            Some(Stmt::Return(end)) if at < last => Some(Skip::new(how, scope.line(end), "return")),
            _ => branch.body.iter().find_map(|stmt| ends(scope, stmt)),
        },
        _ => ends(scope, stmt),
    })
}

/// `pytest.skip("…")`, `self.skipTest("…")`, `raise unittest.SkipTest`.
fn ends(scope: &Scope, stmt: &Stmt) -> Option<Skip> {
    let (callee, arguments) = match stmt {
        Stmt::Expr(expr) => match &*expr.value {
            Expr::Call(call) => (&*call.func, Some(&call.arguments)),
            _ => return None,
        },
        Stmt::Raise(raise) => match raise.exc.as_deref()? {
            Expr::Call(call) => (&*call.func, Some(&call.arguments)),
            other => (other, None),
        },
        _ => return None,
    };
    let name = dotted(callee)?;
    let how = match name.as_str() {
        "pytest.skip" | "self.skipTest" | "SkipTest" | "unittest.SkipTest" | "pytest.skip.Exception" => {
            SkipKind::Skipped
        }
        "skip" if stmt.is_expr_stmt() => SkipKind::Skipped,
        "pytest.xfail" | "xfail" if stmt.is_expr_stmt() => SkipKind::MayFail,
        _ => return None,
    };
    Some(Skip::new(how, scope.lines(stmt.range()).0, name).because(reason(arguments)))
}
