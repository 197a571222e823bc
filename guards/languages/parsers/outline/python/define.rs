//! Definitions: functions, classes, values.

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{Decorator, Expr, StmtClassDef, StmtFunctionDef};
use ruff_text_size::TextRange;

use super::scope::{FrameKind, Scope, dotted};
use super::{body, fixture, skip};
use guard_sdk::language::{Body, DefinitionKind};

impl<'a> Scope<'_, 'a> {
    pub(super) fn function(&mut self, function: &'a StmtFunctionDef) {
        self.bind(&function.name);
        let class = self.classes.last().copied();
        let in_class = self.place() == FrameKind::Class;
        let fixture = fixture::name(function);
        let is_test = self.tests && function.name.starts_with("test") && fixture.is_none();
        let kind = match () {
            _ if is_test => DefinitionKind::Test,
            _ if fixture.is_some() => DefinitionKind::Fixture,
            _ if in_class => DefinitionKind::Method,
            _ => DefinitionKind::Function,
        };
        let body = body::from_function(function, class.filter(|_| in_class));
        let name = fixture.unwrap_or(&function.name);
        self.item(name, kind, self.lines(function.range), body, Vec::new());
        if is_test && let Some(skip) = skip::from_function(self, function) {
            self.put_skip(skip);
        }
        if matches!(kind, DefinitionKind::Test | DefinitionKind::Fixture) {
            for parameter in function.parameters.iter_non_variadic_params().filter(|one| one.default.is_none()) {
                let line = self.line(&parameter.parameter.name);
                self.outline.fixtures_wanted.entry(parameter.parameter.name.to_string()).or_insert(line);
            }
        }
        for decorator in &function.decorator_list {
            self.visit_expr(&decorator.expression);
        }
        if let Some(returns) = &function.returns {
            self.visit_annotation(returns);
        }
        self.within(FrameKind::Function, |scope| {
            if let Some(parameters) = &function.type_params {
                scope.visit_type_params(parameters);
            }
            scope.visit_parameters(&function.parameters);
            scope.visit_body(&function.body);
        });
    }

    pub(super) fn class(&mut self, class: &'a StmtClassDef) {
        self.bind(&class.name);
        let mut bases: Vec<String> = class.bases().iter().filter_map(base).collect();
        let adds_members = |decorator: &Decorator| !HARMLESS.contains(&body::last_name(decorator));
        if !class.keywords().is_empty() || class.decorator_list.iter().any(adds_members) {
            bases.push("?".to_owned());
        }
        self.item(&class.name, DefinitionKind::Class, self.lines(class.range), Body::Real, bases);
        for decorator in &class.decorator_list {
            self.visit_expr(&decorator.expression);
        }
        let skip = skip::from_class(self, class);
        let around = self.skip.clone();
        self.skip = around.clone().or(skip);
        self.within(FrameKind::Class, |scope| {
            if let Some(parameters) = &class.type_params {
                scope.visit_type_params(parameters);
            }
            if let Some(arguments) = &class.arguments {
                scope.visit_arguments(arguments);
            }
            scope.classes.push(class);
            scope.visit_body(&class.body);
            scope.classes.pop();
        });
        self.skip = around;
    }

    pub(super) fn assigned(&mut self, target: &Expr, range: TextRange) {
        match target {
            Expr::Name(name) => self.item(&name.id, DefinitionKind::Value, self.lines(range), Body::Real, Vec::new()),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|one| {
                if let Expr::Name(name) = one {
                    self.item(&name.id, DefinitionKind::Value, self.lines(range), Body::Real, Vec::new());
                }
            }),
            _ => {}
        }
    }
}

/// Decorators of a class that give it no members which a program would call by name.
const HARMLESS: [&str; 8] =
    ["dataclass", "final", "total_ordering", "define", "frozen", "mutable", "attrs", "runtime_checkable"];

/// None for a base that has no members to give.
fn base(expr: &Expr) -> Option<String> {
    let expr = match expr {
        Expr::Subscript(generic) => &generic.value,
        other => other,
    };
    let name = dotted(expr).unwrap_or_else(|| "?".to_owned());
    let bare = ["object", "Generic", "Protocol", "ABC", "Exception", "Enum", "IntEnum", "NamedTuple"];
    (!bare.contains(&name.rsplit('.').next().unwrap_or_default())).then_some(name)
}
