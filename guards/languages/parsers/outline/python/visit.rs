//! Every node of a module, once.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, ExprContext, Parameter, Pattern, Stmt, TypeParam};
use ruff_text_size::Ranged;

use super::scope::{DEEPEST, Scope};
use super::{body, swallowed};

impl<'a> Visitor<'a> for Scope<'_, 'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if self.depth >= DEEPEST {
            return;
        }
        self.depth += 1;
        match stmt {
            Stmt::FunctionDef(function) => self.function(function),
            Stmt::ClassDef(class) => self.class(class),
            Stmt::Import(import) => import.names.iter().for_each(|alias| self.import(alias)),
            Stmt::ImportFrom(from) => self.import_from(from),
            Stmt::Global(global) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.global.extend(global.names.iter().map(ToString::to_string));
                }
            }
            Stmt::Try(attempt) => {
                // A handler that raises does not go on without what it tried.
                let goes_on = attempt.handlers.iter().any(|handler| {
                    let ExceptHandler::ExceptHandler(caught) = handler;
                    !caught.body.last().is_some_and(Stmt::is_raise_stmt)
                });
                self.guarded += usize::from(goes_on);
                visitor::walk_stmt(self, stmt);
                self.guarded -= usize::from(goes_on);
            }
            // A name that only a type checker would miss breaks nothing that runs.
            Stmt::If(branch) if body::last(&branch.test) == "TYPE_CHECKING" => {
                self.guarded += 1;
                visitor::walk_stmt(self, stmt);
                self.guarded -= 1;
            }
            Stmt::Expr(expr) if expr.value.is_string_literal_expr() => {
                self.outline.dead.push(expr.range().to_std_range());
            }
            Stmt::Assign(assign) => {
                for target in &assign.targets {
                    self.assigned(target, stmt.range());
                }
                visitor::walk_stmt(self, stmt);
            }
            Stmt::AnnAssign(assign) => {
                self.assigned(&assign.target, stmt.range());
                visitor::walk_stmt(self, stmt);
            }
            Stmt::TypeAlias(alias) => {
                self.assigned(&alias.name, stmt.range());
                visitor::walk_stmt(self, stmt);
            }
            _ => visitor::walk_stmt(self, stmt),
        }
        self.depth -= 1;
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if self.depth >= DEEPEST {
            return;
        }
        self.depth += 1;
        match expr {
            Expr::Name(name) if name.ctx == ExprContext::Load => self.reads(&name.id, self.line(name)),
            Expr::Name(name) if name.ctx == ExprContext::Store => self.bind(&name.id),
            Expr::Attribute(attribute) => self.attribute(attribute),
            Expr::Call(call) => self.call(call),
            _ => {}
        }
        visitor::walk_expr(self, expr);
        self.depth -= 1;
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        self.bind(&parameter.name);
        visitor::walk_parameter(self, parameter);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(caught) = handler;
        if let Some(name) = &caught.name {
            self.bind(name);
        }
        let hidden = swallowed::from_handler(self, caught);
        self.outline.swallowed.extend(hidden);
        visitor::walk_except_handler(self, handler);
    }

    fn visit_type_param(&mut self, parameter: &'a TypeParam) {
        self.bind(parameter.name());
        visitor::walk_type_param(self, parameter);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let name = match pattern {
            Pattern::MatchAs(one) => one.name.as_ref(),
            Pattern::MatchStar(one) => one.name.as_ref(),
            Pattern::MatchMapping(one) => one.rest.as_ref(),
            _ => None,
        };
        if let Some(name) = name {
            self.bind(name);
        }
        visitor::walk_pattern(self, pattern);
    }
}
