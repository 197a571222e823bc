//! What a Python file imports and offers, by ruff's parser.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, ExprContext, Pattern, Stmt};
use ruff_text_size::Ranged;

use crate::scopes::Lines;
use guard_sdk::language::Surface;
use guard_sdk::modules::{Lines as Span, Need};

use crate::modules::{Module, imported};

/// Expressions and statements, one in another. What lies deeper is not looked at.
const DEEPEST: usize = 300;

pub fn read(text: &str, body: &[Stmt]) -> Surface {
    let mut reader = Reader {
        module: Module::default(),
        lines: Lines::new(text),
        depth: 0,
        scopes: 0,
        optional: 0,
        typing: 0,
        skipped: Vec::new(),
    };
    reader.visit_body(body);
    let Reader { mut module, skipped, .. } = reader;
    for import in &mut module.imports {
        let top = import.module.split('.').next().unwrap_or_default();
        if skipped.iter().any(|skipped| skipped == top || *skipped == import.module) {
            import.need = Need::Optional;
        }
    }
    module.into_surface()
}

struct Reader {
    module: Module,
    lines: Lines,
    depth: usize,
    /// Functions and classes around.
    scopes: usize,
    /// Around: `try` that goes on without a module, `with suppress(ImportError)`.
    optional: usize,
    /// Around: `if TYPE_CHECKING`.
    typing: usize,
    /// Modules of `pytest.importorskip`.
    skipped: Vec<String>,
}

impl Reader {
    fn bind(&mut self, name: &str) {
        if self.scopes == 0 {
            match name {
                "__getattr__" => self.module.is_open = true,
                "__path__" => self.module.moves_path = true,
                _ => {}
            }
            self.module.names.insert(name.to_owned());
        }
    }

    /// What it offers, and where its submodules are looked for, is made while it runs.
    fn moves(&mut self) {
        self.module.is_open = true;
        self.module.moves_path = true;
    }

    fn need(&self) -> Need {
        match (self.optional, self.typing) {
            (0, 0) => Need::Required,
            (0, _) => Need::ForTypes,
            _ => Need::Optional,
        }
    }

    fn take(&mut self, stmt: &Stmt, module: &str, name: Option<&str>, local: &str, at: usize) {
        let mut import = imported(module, name, local, self.lines.at(at), self.need());
        let range = stmt.range();
        let (first, last) = (self.lines.at(range.start().to_usize()), self.lines.at(range.end().to_usize()));
        import.statement = Span { first, last };
        import.is_local = self.scopes > 0;
        self.module.imports.push(import);
    }

    fn scope(&mut self, inside: impl FnOnce(&mut Self)) {
        self.scopes += 1;
        inside(self);
        self.scopes -= 1;
    }
}

impl<'a> Visitor<'a> for Reader {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if self.depth >= DEEPEST {
            return;
        }
        self.depth += 1;
        match stmt {
            Stmt::FunctionDef(function) if function.name.as_str() == "__getattr__" && self.scopes == 0 => {
                let mut answers = Answers::default();
                answers.visit_body(&function.body);
                match answers.raises && !answers.calls {
                    true => self.module.names.extend(answers.names),
                    false => self.module.is_open = true,
                }
                self.scope(|reader| visitor::walk_stmt(reader, stmt));
            }
            Stmt::FunctionDef(function) => {
                self.bind(&function.name);
                self.scope(|reader| visitor::walk_stmt(reader, stmt));
            }
            Stmt::ClassDef(class) => {
                self.bind(&class.name);
                self.scope(|reader| visitor::walk_stmt(reader, stmt));
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    let module = alias.name.as_str();
                    let local = alias.asname.as_ref().map_or(module, |name| name.as_str());
                    self.bind(local.split('.').next().unwrap_or(local));
                    self.take(stmt, module, None, local, alias.range().start().to_usize());
                }
            }
            Stmt::ImportFrom(from) => {
                let module =
                    format!("{}{}", ".".repeat(from.level as usize), from.module.as_deref().unwrap_or_default());
                for alias in &from.names {
                    let at = alias.range().start().to_usize();
                    if alias.name.as_str() == "*" {
                        if self.scopes == 0 {
                            self.module.all_of.insert(module.clone());
                        }
                        self.take(stmt, &module, None, "", at);
                        continue;
                    }
                    let local = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
                    self.bind(local);
                    self.take(stmt, &module, Some(&alias.name), local, at);
                }
            }
            // A name that a function declares to be the module's, it may give to the module.
            Stmt::Global(global) => self.module.names.extend(global.names.iter().map(ToString::to_string)),
            Stmt::Try(attempt) => {
                let catches = attempt.handlers.iter().any(catches_import);
                self.optional += usize::from(catches);
                visitor::walk_stmt(self, stmt);
                self.optional -= usize::from(catches);
            }
            Stmt::With(with) => {
                let catches = with.items.iter().any(|item| matches!(&item.context_expr, Expr::Call(call) if call.arguments.args.iter().any(is_import_error)));
                self.optional += usize::from(catches);
                visitor::walk_stmt(self, stmt);
                self.optional -= usize::from(catches);
            }
            Stmt::If(branch) if last(&branch.test) == "TYPE_CHECKING" => {
                self.typing += 1;
                visitor::walk_stmt(self, stmt);
                self.typing -= 1;
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
            Expr::Name(name) if name.ctx == ExprContext::Store => self.bind(&name.id),
            // The module's names as a table: it may write to it.
            Expr::Name(name) if matches!(name.id.as_str(), "globals" | "exec" | "vars" | "setattr" | "__dict__") => {
                self.module.is_open |= self.scopes == 0 || name.id.as_str() == "globals";
            }
            Expr::Subscript(part) if part.ctx == ExprContext::Store && is_modules(&part.value) => self.moves(),
            Expr::Attribute(attribute) if is_modules(&attribute.value) => match attribute.attr.as_str() {
                "update" | "setdefault" | "__setitem__" => self.moves(),
                _ => {}
            },
            // `sys.modules[__name__].__class__ = …`.
            Expr::Attribute(attribute) => match (&*attribute.value, attribute.ctx) {
                (Expr::Subscript(part), ExprContext::Store) if is_modules(&part.value) => self.moves(),
                (Expr::Subscript(part), _) if is_modules(&part.value) => {
                    self.module.is_open |= attribute.attr.as_str() == "__dict__"
                }
                _ => {}
            },
            Expr::Call(call) if last(&call.func) == "importorskip" => {
                let modules = call.arguments.args.first().and_then(|arg| arg.as_string_literal_expr());
                self.skipped.extend(
                    modules.map(|module| module.value.to_str().split('.').next().unwrap_or_default().to_owned()),
                );
            }
            Expr::Call(call)
                if matches!(last(&call.func), "extend_path" | "attach" | "attach_stub" | "declare_namespace") =>
            {
                self.moves();
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
        self.depth -= 1;
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(caught) = handler;
        if let Some(name) = &caught.name {
            self.bind(name);
        }
        visitor::walk_except_handler(self, handler);
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

/// What a module's `__getattr__` answers to: the strings it compares the name with, when it only compares, and else raises.
#[derive(Default)]
struct Answers {
    names: Vec<String>,
    raises: bool,
    /// It calls what may know more names.
    calls: bool,
    depth: usize,
}

impl<'a> Visitor<'a> for Answers {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if self.depth >= DEEPEST {
            self.calls = true;
            return;
        }
        self.depth += 1;
        match expr {
            Expr::StringLiteral(text) => self.names.push(text.value.to_str().to_owned()),
            Expr::Call(call) => match last(&call.func) {
                "AttributeError" => self.raises = true,
                "warn" => {}
                _ => self.calls = true,
            },
            // A table of names is looked up somewhere else.
            Expr::Subscript(_) | Expr::Compare(_) if holds_table(expr) => self.calls = true,
            _ => {}
        }
        visitor::walk_expr(self, expr);
        self.depth -= 1;
    }
}

/// `name in TABLE`, `TABLE[name]`.
fn holds_table(expr: &Expr) -> bool {
    match expr {
        Expr::Compare(compare) => {
            compare.ops.iter().any(|op| op.as_str().contains("in"))
                && compare.comparators.iter().any(Expr::is_name_expr)
        }
        Expr::Subscript(_) => true,
        _ => false,
    }
}

/// `sys.modules`.
fn is_modules(expr: &Expr) -> bool {
    matches!(expr, Expr::Attribute(attribute) if attribute.attr.as_str() == "modules" && last(&attribute.value) == "sys")
}

/// The last name of `a.b.c`.
fn last(expr: &Expr) -> &str {
    match expr {
        Expr::Name(name) => &name.id,
        Expr::Attribute(attribute) => &attribute.attr,
        _ => "",
    }
}

fn catches_import(handler: &ExceptHandler) -> bool {
    let ExceptHandler::ExceptHandler(caught) = handler;
    match caught.type_.as_deref() {
        None => true,
        Some(Expr::Tuple(tuple)) => tuple.iter().any(is_import_error),
        Some(expr) => is_import_error(expr),
    }
}

fn is_import_error(expr: &Expr) -> bool {
    matches!(last(expr), "ImportError" | "ModuleNotFoundError" | "Exception" | "BaseException")
}
