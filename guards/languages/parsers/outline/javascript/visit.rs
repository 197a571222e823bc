//! Every node of a program, once.

use std::cell::Cell;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::{ScopeFlags, ScopeId};

use super::scope::{Frame, Scope, dotted};
use super::skip::Mark;
use super::{body, commonjs, tests};
use guard_sdk::language::{Body, DefinitionKind, Lines, Skip, SkipKind, SwallowedError, says_expected};

impl<'a> Visit<'a> for Scope<'_> {
    fn enter_scope(&mut self, flags: ScopeFlags, _: &Cell<Option<ScopeId>>) {
        self.frames.push(Frame { function: flags.is_function() || self.frames.len() == 1, ..Frame::default() });
    }

    fn leave_scope(&mut self) {
        let Some(mut frame) = self.frames.pop() else { return };
        let Frame { bound, uses, .. } = &mut frame;
        uses.retain(|name, _| !bound.contains(name));
        match self.frames.as_mut_slice() {
            // Of the program, whose bindings are those of the file.
            [file] => *file = frame,
            [.., around] => {
                for (name, line) in frame.uses {
                    around.uses.entry(name).or_insert(line);
                }
            }
            [] => {}
        }
    }

    fn visit_statement(&mut self, it: &Statement<'a>) {
        self.deeper(|scope| walk::walk_statement(scope, it));
    }

    fn visit_expression(&mut self, it: &Expression<'a>) {
        self.deeper(|scope| walk::walk_expression(scope, it));
    }

    fn visit_ts_type(&mut self, it: &TSType<'a>) {
        self.deeper(|scope| walk::walk_ts_type(scope, it));
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.bind(&it.name);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        let line = self.line(it.span);
        if let Some(frame) = self.frames.last_mut() {
            frame.uses.entry(it.name.to_string()).or_insert(line);
        }
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        if let (Some(id), FunctionType::FunctionDeclaration | FunctionType::TSDeclareFunction) = (&it.id, it.r#type) {
            self.bind_in_function(&id.name);
            self.define(&id.name, DefinitionKind::Function, it.span, body::from_function(it), Vec::new());
        }
        walk::walk_function(self, it, flags);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        let name = it.id.as_ref().map(|id| id.name.to_string());
        let bases = match &it.heritage {
            _ if !it.decorators.is_empty() => vec!["?".to_owned()],
            Some(heritage) => vec![dotted(&heritage.expression).unwrap_or_else(|| "?".to_owned())],
            None => Vec::new(),
        };
        if let (Some(name), ClassType::ClassDeclaration) = (&name, it.r#type) {
            self.define(name, DefinitionKind::Class, it.span, Body::Real, bases);
        }
        self.classes.push(name.unwrap_or_default());
        walk::walk_class(self, it);
        self.classes.pop();
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        if let (Some(owner), Some(name)) = (self.class(), it.key.name()) {
            self.item(&name, Some(owner), DefinitionKind::Method, it.span, body::from_function(&it.value), Vec::new());
        }
        walk::walk_method_definition(self, it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        if let (Some(owner), Some(name)) = (self.class(), it.key.name()) {
            let body = it.value.as_ref().and_then(body::from_value);
            let kind = if body.is_some() { DefinitionKind::Method } else { DefinitionKind::Value };
            self.item(&name, Some(owner), kind, it.span, body.unwrap_or(Body::Real), Vec::new());
        }
        walk::walk_property_definition(self, it);
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        for declarator in &it.declarations {
            let names = declarator.id.get_binding_identifiers();
            for id in &names {
                if it.kind.is_var() {
                    self.bind_in_function(&id.name);
                }
                let body = declarator.init.as_ref().and_then(body::from_value).filter(|_| names.len() == 1);
                let kind = if body.is_some() { DefinitionKind::Function } else { DefinitionKind::Value };
                self.define(&id.name, kind, it.span, body.unwrap_or(Body::Real), Vec::new());
            }
        }
        walk::walk_variable_declaration(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let Some(module) = it.init.as_ref().and_then(commonjs::required) {
            for (name, local) in commonjs::taken(&it.id) {
                self.take(module, name.as_deref(), &local, it.span);
            }
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_ts_type_alias_declaration(&mut self, it: &TSTypeAliasDeclaration<'a>) {
        self.define(&it.id.name, DefinitionKind::Value, it.span, Body::Real, Vec::new());
        self.called(&it.id.name, "type");
        walk::walk_ts_type_alias_declaration(self, it);
    }

    fn visit_ts_interface_declaration(&mut self, it: &TSInterfaceDeclaration<'a>) {
        self.define(&it.id.name, DefinitionKind::Class, it.span, Body::Real, Vec::new());
        self.called(&it.id.name, "interface");
        walk::walk_ts_interface_declaration(self, it);
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        self.define(&it.id.name, DefinitionKind::Class, it.span, Body::Real, Vec::new());
        self.called(&it.id.name, "enum");
        walk::walk_ts_enum_declaration(self, it);
    }

    fn visit_ts_global_declaration(&mut self, it: &TSGlobalDeclaration<'a>) {
        // What stands in it every file has.
        self.outline.is_open = true;
        walk::walk_ts_global_declaration(self, it);
    }

    fn visit_try_statement(&mut self, it: &TryStatement<'a>) {
        self.guarded += 1;
        walk::walk_try_statement(self, it);
        self.guarded -= 1;
    }

    fn visit_catch_clause(&mut self, it: &CatchClause<'a>) {
        if it.body.body.is_empty() {
            let names = it.param.iter().flat_map(|param| param.pattern.get_binding_identifiers());
            let names: Vec<&str> = names.map(|id| id.name.as_str()).collect();
            let (first, last) = self.lines(it.span);
            // A name is needed only to say what the error is: `_` says nothing that its absence would not.
            let is_meant = names.iter().any(|name| *name != "_" && says_expected(name));
            let caught = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
            let form = format!("catch{caught} {{}}");
            self.outline.swallowed.push(SwallowedError { lines: Lines { first, last }, form, is_meant });
        }
        walk::walk_catch_clause(self, it);
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.import(it);
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.exporting = self.at_top();
        walk::walk_export_declaration(self, it);
        self.exporting = false;
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        self.outline.offered.extend(it.specifiers.iter().map(|one| one.exported.name().to_string()));
        walk::walk_export_named_declaration(self, it);
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.export_from(it);
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.outline.offered.insert("default".to_owned());
        walk::walk_export_default_declaration(self, it);
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.export_all(it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.assignment(it);
        walk::walk_assignment_expression(self, it);
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        self.member(it);
        walk::walk_static_member_expression(self, it);
    }

    fn visit_private_field_expression(&mut self, it: &PrivateFieldExpression<'a>) {
        if let (Expression::ThisExpression(_), Some(class)) = (&it.object, self.class()) {
            let line = self.line(it.span);
            self.outline.member_at(&class, &it.field.name, line);
        }
        walk::walk_private_field_expression(self, it);
    }

    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        if let Expression::TemplateLiteral(text) = &it.expression {
            self.outline.dead.push(text.span.start as usize..text.span.end as usize);
        }
        walk::walk_expression_statement(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let around = self.skip.clone();
        let mut grouped = false;
        match self.tests.then(|| tests::from_call(it)).flatten() {
            Some(tests::Call::Test { title, body, mark }) => {
                let skip = self.marked(&title, mark).or_else(|| around.clone());
                let owner = (!self.groups.is_empty()).then(|| self.groups.join(" > "));
                self.item(&title, owner, DefinitionKind::Test, it.span, body, Vec::new());
                if let Some(test) = self.outline.definitions.last_mut() {
                    test.skip = skip;
                }
            }
            Some(tests::Call::Group { title, mark }) => {
                self.skip = self.marked(&title, mark).or_else(|| around.clone());
                self.groups.push(title);
                grouped = true;
            }
            None => {}
        }
        walk::walk_call_expression(self, it);
        if grouped {
            self.groups.pop();
            self.skip = around;
        }
    }
}

impl Scope<'_> {
    /// Why a test or a group does not run; a mark by which it alone runs is noted for the file.
    fn marked(&mut self, title: &str, mark: Option<Mark>) -> Option<Skip> {
        let (how, span, name) = mark?;
        let skip = Skip::new(how, self.line(span), name);
        if how == SkipKind::Focused {
            self.outline.focused.push((title.to_owned(), skip));
            return None;
        }
        Some(skip)
    }
}
