//! Calls whose function is certain.

use std::collections::HashMap;

use crate::scopes::Lines;
use crate::scopes::python::{BindingKind, Names, ScopeKind};
use guard_sdk::modules::{Call, Lines as Rows, Member, Target};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{ExceptHandler, Expr, ExprCall, Stmt, StmtFunctionDef, StmtTry, StmtWith};
use ruff_text_size::Ranged;

pub fn collect(text: &str, body: &[Stmt], names: &Names, lines: &Lines) -> Vec<Call> {
    let scopes = names.uses.iter().map(|used| (used.range.start().to_u32(), used.scope)).collect();
    let mut walk = Walk { text, names, lines, scopes, calls: Vec::new(), failing: 0, receiver: None, class: None };
    walk.visit_body(body);
    walk.calls
}

struct Walk<'w, 'a> {
    text: &'w str,
    names: &'w Names<'a>,
    lines: &'w Lines,
    /// Of a name, by where it is used.
    scopes: HashMap<u32, usize>,
    calls: Vec<Call>,
    /// Statements around it that expect calls to fail.
    failing: usize,
    /// The class of the module around it.
    class: Option<String>,
    /// Class and first parameter of the method around it.
    receiver: Option<(String, String)>,
}

impl<'a> Visitor<'a> for Walk<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::ClassDef(class) => {
                let is_outer = self.class.is_none() && self.receiver.is_none();
                let outer = (self.class.take(), self.receiver.take());
                self.class = is_outer.then(|| class.name.to_string());
                walk_stmt(self, stmt);
                (self.class, self.receiver) = outer;
            }
            Stmt::FunctionDef(function) => {
                let outer = (self.class.take(), self.receiver.take());
                self.receiver =
                    outer.0.clone().and_then(|class| Some((class, receiver(function)?))).or(outer.1.clone());
                walk_stmt(self, stmt);
                (self.class, self.receiver) = outer;
            }
            Stmt::With(with) if expects_failure(with) => {
                self.failing += 1;
                walk_stmt(self, stmt);
                self.failing -= 1;
            }
            Stmt::Try(statement) if takes_type_error(statement) => {
                self.failing += 1;
                walk_stmt(self, stmt);
                self.failing -= 1;
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(call) = expr
            && self.failing == 0
            && let Some(target) = self.target(&call.func)
        {
            let lines = (self.lines.at(call.start().to_usize()), self.lines.at(call.end().to_usize()));
            let excused_by = (lines.0..=lines.1).find(|line| is_allowed(self.lines.text(self.text, *line)));
            let lines = Rows { first: lines.0, last: lines.1 };
            self.calls.push(Call { excused_by, ..self::call(target, call, lines) });
        }
        walk_expr(self, expr);
    }
}

impl Walk<'_, '_> {
    fn target(&self, called: &Expr) -> Option<Target> {
        match called {
            Expr::Name(name) => match self.module_binding(name)? {
                BindingKind::Function | BindingKind::Class => Some(Target::SameFile(name.id.to_string())),
                BindingKind::Import => Some(Target::Imported(name.id.to_string())),
                BindingKind::Parameter | BindingKind::TypeParam | BindingKind::Value => None,
            },
            Expr::Attribute(attribute) => {
                let object = attribute.value.as_name_expr()?;
                match &self.receiver {
                    Some((class, receiver)) if object.id.as_str() == receiver => {
                        // A nested function may have a parameter of the same name: it is as much a receiver, or none.
                        let scope = self.names.resolve(receiver, *self.scopes.get(&object.start().to_u32())?)?;
                        let bindings = self.names.scopes[scope].bindings.get(receiver.as_str())?;
                        let parent = self.names.scopes[scope].parent.map(|parent| self.names.scopes[parent].kind);
                        let is_receiver = bindings.len() == 1 && parent == Some(ScopeKind::Class);
                        is_receiver.then(|| Target::SameFile(format!("{class}.{}", attribute.attr)))
                    }
                    _ if self.module_binding(object)? == BindingKind::Import => {
                        let (module, name) = (object.id.to_string(), attribute.attr.to_string());
                        Some(Target::Member(Member { module, name }))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What the module binds a name to, if that is what it means here, and the module does so once.
    fn module_binding(&self, name: &ruff_python_ast::ExprName) -> Option<BindingKind> {
        let scope = *self.scopes.get(&name.start().to_u32())?;
        match (self.names.resolve(&name.id, scope)?, self.names.module_bindings(&name.id)) {
            (0, [binding]) => Some(binding.kind),
            _ => None,
        }
    }
}

fn receiver(function: &StmtFunctionDef) -> Option<String> {
    let is_static = function
        .decorator_list
        .iter()
        .any(|decorator| matches!(&decorator.expression, Expr::Name(name) if name.id.as_str() == "staticmethod"));
    let first = function.parameters.posonlyargs.iter().chain(&function.parameters.args).next()?;
    (!is_static).then(|| first.parameter.name.to_string())
}

fn call(target: Target, call: &ExprCall, lines: Rows) -> Call {
    let given = &call.arguments;
    Call {
        target,
        positional: given.args.iter().filter(|argument| !argument.is_starred_expr()).count() as u32,
        keywords: given.keywords.iter().filter_map(|keyword| Some(keyword.arg.as_ref()?.to_string())).collect(),
        spreads: given.args.iter().any(Expr::is_starred_expr),
        spreads_keywords: given.keywords.iter().any(|keyword| keyword.arg.is_none()),
        lines,
        excused_by: None,
    }
}

/// `with pytest.raises(TypeError)`.
fn expects_failure(with: &StmtWith) -> bool {
    const EXPECTING: [&str; 6] =
        ["raises", "assertRaises", "assertRaisesRegex", "suppress", "ExpectedException", "expect_raises"];
    with.items.iter().any(|item| match &item.context_expr {
        Expr::Call(call) => match &*call.func {
            Expr::Name(name) => EXPECTING.contains(&name.id.as_str()),
            Expr::Attribute(attribute) => EXPECTING.contains(&attribute.attr.as_str()),
            _ => false,
        },
        _ => false,
    })
}

fn takes_type_error(statement: &StmtTry) -> bool {
    fn takes(expr: &Expr) -> bool {
        match expr {
            Expr::Name(name) => name.id.as_str() == "TypeError",
            Expr::Tuple(tuple) => tuple.elts.iter().any(takes),
            _ => false,
        }
    }
    statement.handlers.iter().any(|handler| {
        let ExceptHandler::ExceptHandler(handler) = handler;
        handler.type_.as_deref().is_none_or(takes)
    })
}

/// A comment says that the call is wrong on purpose.
fn is_allowed(line: &str) -> bool {
    line.split_once('#').is_some_and(|(_, comment)| {
        ["type: ignore", "type:ignore", "pyright: ignore", "pylint: disable", "noqa"]
            .iter()
            .any(|mark| comment.contains(mark))
    })
}
