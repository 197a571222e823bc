//! Packages that JavaScript, TypeScript and JSON configuration names, by oxc's parser.

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Argument, ArrayExpression, ArrayExpressionElement, CallExpression, ExportAllDeclaration, ExportFromDeclaration,
    Expression, ImportDeclaration, ImportExpression, ObjectProperty, ObjectPropertyKind, StringLiteral, TryStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

use crate::name::{Tool, meanings, package};

use guard_nesting::javascript as depth;

/// The parser recurses, and a guard's stack ends in a trap.
const MAX_DEPTH: usize = 128;

/// How far expressions are followed; what stands deeper names nothing.
const DEEPEST: usize = 300;

/// What a place in a file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// As written.
    pub text: String,
    /// The packages that it may mean: one of them must be there.
    pub packages: Vec<String>,
    /// Byte.
    pub at: usize,
}

/// None when the text cannot be read.
pub fn from_script(path: &str, text: &str, tool: Tool) -> Option<Vec<Named>> {
    let kinds = match path.rsplit('.').next() {
        Some("ts" | "mts" | "cts") => vec![SourceType::ts()],
        _ => [SourceType::unambiguous(), SourceType::script(), SourceType::cjs()]
            .map(|kind| kind.with_jsx(true))
            .to_vec(),
    };
    kinds.into_iter().find_map(|kind| read(text, kind, tool))
}

/// JSON, with comments or without, is an expression.
pub fn from_json(text: &str, tool: Tool) -> Option<Vec<Named>> {
    let mut named = read(&format!("({text}\n)"), SourceType::script(), tool)?;
    named.iter_mut().for_each(|named| named.at = named.at.saturating_sub(1));
    Some(named)
}

fn read(text: &str, kind: SourceType, tool: Tool) -> Option<Vec<Named>> {
    if depth::depth(text) > MAX_DEPTH {
        return None;
    }
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, text, kind).with_options(options).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut reader = Reader { tool, named: Vec::new(), depth: 0 };
    reader.visit_program(&parsed.program);
    Some(reader.named)
}

struct Reader {
    tool: Tool,
    named: Vec<Named>,
    /// Expressions that are open.
    depth: usize,
}

impl Reader {
    fn import(&mut self, literal: &StringLiteral) {
        let text = literal.value.as_str();
        if let Some(package) = package(text) {
            self.named.push(Named {
                text: text.to_string(),
                packages: vec![package.to_string()],
                at: literal.span.start as usize,
            });
        }
    }

    fn setting(&mut self, key: &str, literal: &StringLiteral) {
        let text = literal.value.as_str();
        let packages = meanings(self.tool, key, text);
        if !packages.is_empty() {
            self.named.push(Named { text: text.to_string(), packages, at: literal.span.start as usize });
        }
    }

    /// A string, a list of strings, or a list of lists that begin with one.
    fn settings(&mut self, key: &str, value: &Expression) {
        match value {
            Expression::StringLiteral(literal) => self.setting(key, literal),
            Expression::ArrayExpression(array) => {
                for element in &array.elements {
                    match element {
                        ArrayExpressionElement::StringLiteral(literal) => self.setting(key, literal),
                        ArrayExpressionElement::ArrayExpression(inner) => self.first(key, inner),
                        _ => {}
                    }
                }
            }
            // `transform: { "\\.ts$": "ts-jest" }`; `plugins: { autoprefixer: {} }`.
            Expression::ObjectExpression(object) => {
                for property in &object.properties {
                    let ObjectPropertyKind::ObjectProperty(property) = property else { continue };
                    match (self.tool, &property.value) {
                        (Tool::Jest, Expression::StringLiteral(literal)) => self.setting(key, literal),
                        (Tool::Jest, Expression::ArrayExpression(inner)) => self.first(key, inner),
                        (Tool::Postcss, _) => {
                            if let (Some(name), false) = (property.key.static_name(), property.computed) {
                                let packages = meanings(self.tool, key, &name);
                                let at = property.span.start as usize;
                                self.named.extend((!packages.is_empty()).then(|| Named {
                                    text: name.to_string(),
                                    packages,
                                    at,
                                }));
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn first(&mut self, key: &str, array: &ArrayExpression) {
        if let Some(ArrayExpressionElement::StringLiteral(literal)) = array.elements.first() {
            self.setting(key, literal);
        }
    }
}

impl<'a> Visit<'a> for Reader {
    /// The parser reads `1 + 1 + …` and `a[b][c]…` without recursion, and what it makes of them is as deep as they are long.
    fn visit_expression(&mut self, expression: &Expression<'a>) {
        if self.depth < DEEPEST {
            self.depth += 1;
            walk::walk_expression(self, expression);
            self.depth -= 1;
        }
    }

    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'a>) {
        self.import(&import.source);
    }

    fn visit_export_from_declaration(&mut self, export: &ExportFromDeclaration<'a>) {
        self.import(&export.source);
    }

    fn visit_export_all_declaration(&mut self, export: &ExportAllDeclaration<'a>) {
        self.import(&export.source);
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        if let Expression::StringLiteral(literal) = &import.source {
            self.import(literal);
        }
        walk::walk_import_expression(self, import);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let requires = match &call.callee {
            Expression::Identifier(name) => name.name == "require",
            Expression::StaticMemberExpression(member) => {
                member.property.name == "resolve"
                    && matches!(&member.object, Expression::Identifier(name) if name.name == "require")
            }
            _ => false,
        };
        if let (true, Some(Argument::StringLiteral(literal))) = (requires, call.arguments.first()) {
            self.import(literal);
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if let Some(key) = property.key.static_name() {
            self.settings(&key, &property.value);
        }
        walk::walk_object_property(self, property);
    }

    /// What is tried may be absent.
    fn visit_try_statement(&mut self, _: &TryStatement<'a>) {}
}
