//! Functions whose parameters are certain: declared once, with no overload and no type of their own.

use std::collections::{BTreeMap, BTreeSet};

use crate::scopes::Lines;
use crate::scopes::javascript::Source;
use guard_sdk::modules::{Function, Parameter};
use oxc_ast::ast::{
    ArrowFunctionExpression, BindingIdentifier, BindingPattern, Class, ClassElement, Declaration,
    ExportDefaultDeclarationKind, Expression, FormalParameters, Function as Declared, MethodDefinitionKind, Statement,
    TSTypeParameterDeclaration, VariableDeclaration,
};
use oxc_span::{GetSpan, Span};

pub fn collect(source: &Source, lines: &Lines) -> Vec<Function> {
    let mut reader = Reader { source, lines, functions: BTreeMap::new(), exports: BTreeMap::new() };
    for statement in &source.program.body {
        match statement {
            Statement::FunctionDeclaration(function) => reader.function(function),
            Statement::ClassDeclaration(class) => reader.class(class),
            Statement::VariableDeclaration(variables) => reader.variables(variables),
            Statement::ExportDeclaration(export) => {
                let names: Vec<String> = match &export.declaration {
                    Declaration::FunctionDeclaration(function) => {
                        reader.function(function);
                        function.id.iter().map(|id| id.name.to_string()).collect()
                    }
                    Declaration::ClassDeclaration(class) => {
                        reader.class(class);
                        class.id.iter().map(|id| id.name.to_string()).collect()
                    }
                    Declaration::VariableDeclaration(variables) => {
                        reader.variables(variables);
                        let ids = variables.declarations.iter().flat_map(|one| one.id.get_binding_identifiers());
                        ids.map(|id| id.name.to_string()).collect()
                    }
                    _ => Vec::new(),
                };
                names.into_iter().for_each(|name| reader.export(&name, &name));
            }
            Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                    reader.function(function);
                    function.id.iter().for_each(|id| reader.export("default", &id.name));
                }
                ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                    reader.class(class);
                    class.id.iter().for_each(|id| reader.export("default", &id.name));
                }
                ExportDefaultDeclarationKind::Identifier(id) => reader.export("default", &id.name),
                _ => {}
            },
            Statement::ExportNamedDeclaration(export) => {
                export.specifiers.iter().for_each(|one| reader.export(&one.exported.name(), &one.local.name()));
            }
            _ => {}
        }
    }
    reader.functions()
}

struct Reader<'r, 'p, 's> {
    source: &'r Source<'p, 's>,
    lines: &'r Lines,
    /// By key.
    functions: BTreeMap<String, Function>,
    /// Of a name here, those that other files import it as.
    exports: BTreeMap<String, BTreeSet<String>>,
}

/// What a function takes.
struct Taken {
    positional: Vec<Parameter>,
    takes_more: bool,
}

impl Reader<'_, '_, '_> {
    /// With the names by which other files import them, or their classes.
    fn functions(self) -> Vec<Function> {
        let mut functions: Vec<Function> = self.functions.into_values().collect();
        for function in &mut functions {
            let name = function.key.strip_prefix("new ").unwrap_or(&function.key);
            function.exported_as = self.exports.get(name).into_iter().flatten().cloned().collect();
        }
        functions
    }

    fn export(&mut self, exported: &str, local: &str) {
        self.exports.entry(local.to_owned()).or_default().insert(exported.to_owned());
    }

    fn add(&mut self, key: String, at: Span, taken: Option<Taken>) {
        let Some(Taken { positional, takes_more }) = taken else { return };
        let line = self.lines.at(at.start as usize);
        let function = Function {
            key: key.clone(),
            line,
            positional,
            keyword_only: Vec::new(),
            takes_more,
            takes_keywords: false,
            is_open: false,
            exported_as: Vec::new(),
        };
        self.functions.insert(key, function);
    }

    /// Declared in one place, and never assigned.
    fn is_only(&self, id: &BindingIdentifier) -> bool {
        let scoping = self.source.semantic.scoping();
        let symbol = id.symbol_id();
        scoping.symbol_redeclarations(symbol).is_empty() && !scoping.symbol_is_mutated(symbol)
    }

    fn function(&mut self, function: &Declared) {
        if let Some(id) = function.id.as_ref().filter(|id| self.is_only(id))
            && function.body.is_some()
        {
            let signature = self.signature(&function.params, function.type_parameters.as_deref());
            self.add(id.name.to_string(), id.span, signature);
        }
    }

    fn variables(&mut self, variables: &VariableDeclaration) {
        for one in &variables.declarations {
            let (BindingPattern::BindingIdentifier(id), None) = (&one.id, &one.type_annotation) else { continue };
            if !variables.kind.is_const() || !self.is_only(id) {
                continue;
            }
            let signature = match &one.init {
                Some(Expression::ArrowFunctionExpression(arrow)) => self.arrow(arrow),
                Some(Expression::FunctionExpression(function)) => {
                    self.signature(&function.params, function.type_parameters.as_deref())
                }
                _ => None,
            };
            self.add(id.name.to_string(), id.span, signature);
        }
    }

    fn arrow(&self, arrow: &ArrowFunctionExpression) -> Option<Taken> {
        self.signature(&arrow.params, arrow.type_parameters.as_deref())
    }

    fn class(&mut self, class: &Class) {
        let Some(id) = class.id.as_ref().filter(|id| self.is_only(id)) else { return };
        if class.declare || !class.decorators.is_empty() {
            return;
        }
        let methods = || {
            class.body.body.iter().filter_map(|element| match element {
                ClassElement::MethodDefinition(method) if !method.computed => Some((method.key.static_name()?, method)),
                _ => None,
            })
        };
        for (name, method) in methods() {
            let overloads = methods().filter(|(other, _)| *other == name).count();
            if overloads != 1 || method.value.body.is_none() || !method.decorators.is_empty() || method.r#static {
                continue;
            }
            let key = match method.kind {
                MethodDefinitionKind::Constructor => format!("new {}", id.name),
                MethodDefinitionKind::Method => format!("{}.{name}", id.name),
                MethodDefinitionKind::Get | MethodDefinitionKind::Set => continue,
            };
            let signature = self.signature(&method.value.params, method.value.type_parameters.as_deref());
            self.add(key, method.key.span(), signature);
        }
    }

    /// None when a type decides whether an argument may be left out.
    fn signature(&self, params: &FormalParameters, types: Option<&TSTypeParameterDeclaration>) -> Option<Taken> {
        let text = |span: Span| span.source_text(self.source.text);
        let mut positional = Vec::new();
        for item in &params.items {
            let annotation =
                item.type_annotation.as_ref().map(|typed| text(typed.type_annotation.span())).unwrap_or_default();
            // What is `void`, or may be by a type parameter, need not be given.
            let is_generic =
                |name: &str| annotation.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
            let is_void = annotation.contains("void")
                || types.is_some_and(|types| types.params.iter().any(|one| is_generic(&one.name.name)));
            let name = match &item.pattern {
                BindingPattern::BindingIdentifier(id) => id.name.to_string(),
                pattern => text(pattern.span()).split_whitespace().collect::<Vec<_>>().join(" "),
            };
            let is_required = !item.optional && item.initializer.is_none() && !is_void;
            positional.push(Parameter { name, is_required, is_nameless: true });
        }
        // What stands in front of a required one has to be given too.
        let last = positional.iter().rposition(|parameter| parameter.is_required).unwrap_or_default();
        positional.iter_mut().take(last).for_each(|parameter| parameter.is_required = true);
        let takes_more = params.rest.is_some();
        Some(Taken { positional, takes_more })
    }
}
