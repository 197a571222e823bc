//! What a JavaScript or TypeScript file imports and exports, by oxc's parser.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;

use crate::scopes::Lines;
use guard_sdk::language::Surface;
use guard_sdk::modules::{Lines as Rows, Need};

use crate::modules::{Module, imported};

/// How far expressions, statements and types are followed.
const DEEPEST: usize = 300;

pub fn read(text: &str, program: &Program, declares: bool) -> Surface {
    let makes_require = text.contains("createRequire(") && !text.contains("createRequire(import.meta.url)");
    let mut reader = Reader {
        module: Module::default(),
        lines: Lines::new(text),
        depth: 0,
        optional: 0,
        functions: 0,
        statement: None,
        is_module: false,
        makes_require,
    };
    reader.visit_program(program);
    let mut module = reader.module;
    // Of a script, and of CommonJS, the text does not tell what it offers; a declaration file exports what it declares.
    module.is_open |= !reader.is_module || declares;
    module.into_surface()
}

struct Reader {
    module: Module,
    lines: Lines,
    depth: usize,
    /// Around: `try`, and calls whose failure is caught.
    optional: usize,
    functions: usize,
    /// The import or export that is being read.
    statement: Option<Span>,
    /// It has an `import` or an `export`.
    is_module: bool,
    /// `require` looks from somewhere else.
    makes_require: bool,
}

impl Reader {
    fn take(&mut self, source: &StringLiteral, name: Option<&str>, local: &str, at: u32, is_type: bool) {
        let need = match (self.optional, is_type) {
            (0, false) => Need::Required,
            (0, true) => Need::ForTypes,
            _ => Need::Optional,
        };
        let mut import = imported(&source.value, name, local, self.lines.at(at as usize), need);
        let statement = self.statement.unwrap_or(source.span);
        let (first, last) = (self.lines.at(statement.start as usize), self.lines.at(statement.end as usize));
        import.statement = Rows { first, last };
        import.is_local = self.functions > 0;
        self.module.imports.push(import);
    }

    fn offer(&mut self, name: &str) {
        self.is_module = true;
        self.module.names.insert(name.to_owned());
    }

    fn deeper(&mut self, walk: impl FnOnce(&mut Self)) {
        if self.depth < DEEPEST {
            self.depth += 1;
            walk(self);
            self.depth -= 1;
        }
    }

    fn guarded(&mut self, walk: impl FnOnce(&mut Self)) {
        self.optional += 1;
        walk(self);
        self.optional -= 1;
    }
}

impl<'a> Visit<'a> for Reader {
    fn visit_statement(&mut self, it: &Statement<'a>) {
        self.deeper(|reader| walk::walk_statement(reader, it));
    }

    fn visit_expression(&mut self, it: &Expression<'a>) {
        self.deeper(|reader| walk::walk_expression(reader, it));
    }

    fn visit_ts_type(&mut self, it: &TSType<'a>) {
        self.deeper(|reader| walk::walk_ts_type(reader, it));
    }

    fn visit_function_body(&mut self, it: &FunctionBody<'a>) {
        self.functions += 1;
        walk::walk_function_body(self, it);
        self.functions -= 1;
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.is_module = true;
        self.statement = Some(it.span);
        let of_type = it.import_kind.is_type();
        let specifiers = it.specifiers.as_ref().filter(|all| !all.is_empty());
        let Some(specifiers) = specifiers else {
            self.take(&it.source, None, "", it.source.span.start, of_type);
            self.statement = None;
            return;
        };
        for specifier in specifiers {
            let local = specifier.name();
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    let is_type = of_type || one.import_kind.is_type();
                    self.take(&it.source, Some(&one.imported.name()), &local, one.span.start, is_type);
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                    self.take(&it.source, Some("default"), &local, one.span.start, of_type);
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => {
                    self.take(&it.source, None, &local, one.span.start, of_type);
                }
            }
        }
        self.statement = None;
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.is_module = true;
        self.statement = Some(it.span);
        for one in &it.specifiers {
            self.offer(&one.exported.name());
            let is_type = it.export_kind.is_type() || one.export_kind.is_type();
            self.take(&it.source, Some(&one.local.name()), "", one.span.start, is_type);
        }
        self.statement = None;
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.is_module = true;
        match &it.exported {
            Some(name) => self.offer(&name.name()),
            None => {
                self.module.all_of.insert(it.source.value.to_string());
            }
        }
        self.take(&it.source, None, "", it.source.span.start, it.export_kind.is_type());
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        self.is_module = true;
        for one in &it.specifiers {
            self.offer(&one.exported.name());
        }
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.offer("default");
        walk::walk_export_default_declaration(self, it);
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.is_module = true;
        match &it.declaration {
            Declaration::VariableDeclaration(variables) => {
                for declarator in &variables.declarations {
                    for id in declarator.id.get_binding_identifiers() {
                        self.offer(&id.name);
                    }
                }
            }
            Declaration::FunctionDeclaration(it) => it.id.iter().for_each(|id| self.offer(&id.name)),
            Declaration::ClassDeclaration(it) => it.id.iter().for_each(|id| self.offer(&id.name)),
            Declaration::TSTypeAliasDeclaration(it) => self.offer(&it.id.name),
            Declaration::TSInterfaceDeclaration(it) => self.offer(&it.id.name),
            Declaration::TSEnumDeclaration(it) => self.offer(&it.id.name),
            Declaration::TSImportEqualsDeclaration(it) => self.offer(&it.id.name),
            Declaration::TSNamespaceDeclaration(it) => self.offer(&it.id.name),
            // A global belongs to every file.
            Declaration::TSExternalModuleDeclaration(_) | Declaration::TSGlobalDeclaration(_) => {
                self.module.is_open = true
            }
        }
        walk::walk_export_declaration(self, it);
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.module.is_open = true;
        walk::walk_ts_export_assignment(self, it);
    }

    fn visit_ts_external_module_reference(&mut self, it: &TSExternalModuleReference<'a>) {
        self.take(&it.expression, None, "", it.span.start, false);
    }

    fn visit_ts_import_type(&mut self, it: &TSImportType<'a>) {
        self.take(&it.source, None, "", it.span.start, true);
        walk::walk_ts_import_type(self, it);
    }

    /// What stands in `declare module "x"` adds to a package, and imports from where that is.
    fn visit_ts_external_module_declaration(&mut self, _: &TSExternalModuleDeclaration<'a>) {}

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        if let Expression::StringLiteral(source) = &it.source {
            self.take(source, None, "", source.span.start, false);
        }
        walk::walk_import_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let requires = match &it.callee {
            Expression::Identifier(name) => name.name == "require",
            _ => false,
        };
        if let (true, false, Some(Argument::StringLiteral(source))) =
            (requires, self.makes_require, it.arguments.first())
        {
            self.take(source, None, "", source.span.start, false);
        }
        let caught = match &it.callee {
            Expression::StaticMemberExpression(member) => match member.property.name.as_str() {
                "catch" => true,
                // `import("x").then(use, ignore)`.
                "then" => it.arguments.len() > 1,
                _ => false,
            },
            _ => false,
        };
        match caught {
            true => self.guarded(|reader| walk::walk_call_expression(reader, it)),
            false => walk::walk_call_expression(self, it),
        }
    }

    fn visit_try_statement(&mut self, it: &TryStatement<'a>) {
        self.guarded(|reader| walk::walk_try_statement(reader, it));
    }
}
