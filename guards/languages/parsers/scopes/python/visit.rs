//! The walk over a file.

use ruff_python_ast::visitor::{Visitor, walk_annotation, walk_except_handler, walk_expr, walk_pattern, walk_stmt};
use ruff_python_ast::{
    Alias, Comprehension, ExceptHandler, Expr, ExprContext, Parameters, Pattern, Stmt, StmtClassDef, StmtFunctionDef,
    StmtTry, TypeParam, TypeParams,
};
use ruff_text_size::Ranged;

use super::bind::Walk;
use super::names::{BindingKind, Names, ScopeKind};
use super::{dynamic, quoted};

/// Expressions in expressions: a chain of ten thousand calls would overflow the stack.
const DEEPEST: usize = 300;

pub fn names<'a>(text: &'a str, body: &'a [Stmt]) -> Option<Names<'a>> {
    let mut walk = Walk::new(text);
    walk.visit_body(body);
    (!walk.is_too_deep).then_some(walk.names)
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => self.function(function),
            Stmt::ClassDef(class) => self.class(class),
            Stmt::TypeAlias(alias) => {
                self.visit_expr(&alias.name);
                self.with_type_params(alias.type_params.as_deref(), |walk| walk.visit_expr(&alias.value));
            }
            Stmt::Import(import) => import.names.iter().for_each(|alias| self.import(alias, true)),
            Stmt::ImportFrom(import) => import.names.iter().for_each(|alias| self.import(alias, false)),
            Stmt::Global(global) => {
                global.names.iter().for_each(|name| self.bind_global(name.as_str(), name.range()));
            }
            Stmt::Try(statement) => self.try_statement(statement),
            _ => {
                dynamic::visit_statement(self, stmt);
                walk_stmt(self, stmt);
            }
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.is_too_deep = true;
        } else {
            self.expression(expr);
        }
        self.depth -= 1;
    }

    fn visit_annotation(&mut self, expr: &'a Expr) {
        quoted::visit_annotation(self, expr);
        walk_annotation(self, expr);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(named) = handler;
        if let Some(name) = &named.name {
            self.bind(name.as_str(), BindingKind::Value, name.range());
        }
        walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let name = match pattern {
            Pattern::MatchAs(capture) => capture.name.as_ref(),
            Pattern::MatchStar(capture) => capture.name.as_ref(),
            Pattern::MatchMapping(capture) => capture.rest.as_ref(),
            _ => None,
        };
        if let Some(name) = name {
            self.bind(name.as_str(), BindingKind::Value, name.range());
        }
        walk_pattern(self, pattern);
    }
}

impl<'a> Walk<'a> {
    fn expression(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => match name.ctx {
                ExprContext::Store => self.bind(name.id.as_str(), BindingKind::Value, name.range()),
                ExprContext::Load | ExprContext::Del | ExprContext::Invalid => {
                    self.use_of(name.id.as_str(), name.range(), false);
                }
            },
            Expr::Named(named) => {
                if let Expr::Name(name) = &*named.target {
                    self.bind_outside_comprehensions(name.id.as_str(), name.range());
                }
                self.visit_expr(&named.value);
            }
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    self.defaults(parameters);
                }
                self.within(ScopeKind::Function, |walk| {
                    if let Some(parameters) = &lambda.parameters {
                        walk.parameters(parameters);
                    }
                    walk.visit_expr(&lambda.body);
                });
            }
            Expr::ListComp(comp) => self.comprehension(&comp.generators, &[&comp.elt]),
            Expr::SetComp(comp) => self.comprehension(&comp.generators, &[&comp.elt]),
            Expr::Generator(comp) => self.comprehension(&comp.generators, &[&comp.elt]),
            Expr::DictComp(comp) => {
                let parts: Vec<&Expr> = comp.key.iter().map(|key| &**key).chain([&*comp.value]).collect();
                self.comprehension(&comp.generators, &parts);
            }
            Expr::Call(call) => {
                dynamic::visit_call(self, call);
                quoted::visit_call(self, call);
                walk_expr(self, expr);
            }
            _ => walk_expr(self, expr),
        }
    }

    fn function(&mut self, function: &'a StmtFunctionDef) {
        function.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
        self.defaults(&function.parameters);
        self.bind(function.name.as_str(), BindingKind::Function, function.name.range());
        self.with_type_params(function.type_params.as_deref(), |walk| {
            for parameter in function.parameters.iter() {
                parameter.annotation().into_iter().for_each(|annotation| walk.visit_annotation(annotation));
            }
            function.returns.iter().for_each(|returns| walk.visit_annotation(returns));
            walk.within(ScopeKind::Function, |walk| {
                walk.parameters(&function.parameters);
                walk.visit_body(&function.body);
            });
        });
    }

    fn class(&mut self, class: &'a StmtClassDef) {
        class.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
        self.bind(class.name.as_str(), BindingKind::Class, class.name.range());
        self.with_type_params(class.type_params.as_deref(), |walk| {
            class.arguments.iter().for_each(|arguments| walk.visit_arguments(arguments));
            walk.within(ScopeKind::Class, |walk| {
                walk.names.scopes[walk.scope].has_metaclass = has_metaclass(class);
                walk.visit_body(&class.body);
            });
        });
    }

    fn with_type_params(&mut self, params: Option<&'a TypeParams>, inside: impl FnOnce(&mut Self)) {
        let Some(params) = params else { return inside(self) };
        self.within(ScopeKind::TypeParams, |walk| {
            for param in &params.type_params {
                let name = match param {
                    TypeParam::TypeVar(param) => &param.name,
                    TypeParam::ParamSpec(param) => &param.name,
                    TypeParam::TypeVarTuple(param) => &param.name,
                };
                walk.bind(name.as_str(), BindingKind::TypeParam, name.range());
            }
            walk.visit_type_params(params);
            inside(walk);
        });
    }

    fn defaults(&mut self, parameters: &'a Parameters) {
        parameters.iter().filter_map(|parameter| parameter.default()).for_each(|default| self.visit_expr(default));
    }

    fn parameters(&mut self, parameters: &'a Parameters) {
        for parameter in parameters.iter() {
            let name = parameter.name();
            self.bind(name.as_str(), BindingKind::Parameter, name.range());
        }
    }

    /// What the first loop runs over is evaluated outside.
    fn comprehension(&mut self, generators: &'a [Comprehension], parts: &[&'a Expr]) {
        generators.iter().take(1).for_each(|first| self.visit_expr(&first.iter));
        self.within(ScopeKind::Comprehension, |walk| {
            for (index, generator) in generators.iter().enumerate() {
                if index > 0 {
                    walk.visit_expr(&generator.iter);
                }
                walk.visit_expr(&generator.target);
                generator.ifs.iter().for_each(|test| walk.visit_expr(test));
            }
            parts.iter().for_each(|part| walk.visit_expr(part));
        });
    }

    fn import(&mut self, alias: &'a Alias, whole: bool) {
        let name = alias.name.as_str();
        if name == "*" {
            self.names.has_star = true;
            return;
        }
        let bound = match &alias.asname {
            Some(asname) => asname.as_str(),
            None if whole => name.split('.').next().unwrap_or(name),
            None => name,
        };
        self.bind(bound, BindingKind::Import, alias.range());
    }

    fn try_statement(&mut self, statement: &'a StmtTry) {
        let catches = statement.handlers.iter().any(|handler| {
            let ExceptHandler::ExceptHandler(handler) = handler;
            handler.type_.as_deref().is_none_or(takes_name_error)
        });
        self.guards += usize::from(catches);
        self.visit_body(&statement.body);
        self.guards -= usize::from(catches);
        statement.handlers.iter().for_each(|handler| self.visit_except_handler(handler));
        self.visit_body(&statement.orelse);
        self.visit_body(&statement.finalbody);
    }
}

fn takes_name_error(expr: &Expr) -> bool {
    match expr {
        Expr::Name(name) => name.id.as_str() == "NameError",
        Expr::Tuple(tuple) => tuple.elts.iter().any(takes_name_error),
        _ => false,
    }
}

/// Also the parser generators that are used as base classes.
fn has_metaclass(class: &StmtClassDef) -> bool {
    let names = |expr: &Expr| matches!(expr, Expr::Name(name) if matches!(name.id.as_str(), "Lexer" | "Parser"));
    class.keywords().iter().any(|keyword| keyword.arg.as_deref() == Some("metaclass"))
        || class.bases().iter().any(names)
}
