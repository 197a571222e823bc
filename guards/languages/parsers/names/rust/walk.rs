//! Walks the row of steps.

use guard_sdk::language::BindingKind;
use ra_ap_parser::SyntaxKind::{self, *};

use super::modules::{Bound, Module, Modules, Position, Use};
use super::tokens::{self, Token};
use super::{imports, known};
use crate::scopes::Lines;

pub struct Walk<'l> {
    names: Modules,
    lines: &'l Lines,
    open: Vec<Node>,
    /// Modules around the step, as indices.
    modules: Vec<usize>,
    /// Functions and blocks around it.
    functions: usize,
    macros: usize,
    attributes: usize,
    uses: usize,
    at: usize,
}

struct Node {
    kind: SyntaxKind,
    /// The first name in it: of an item, a macro or an attribute.
    name: String,
    tokens: Vec<Token>,
    /// A path with something in front of its last part; a `use` in a function.
    is_continued: bool,
}

impl<'l> Walk<'l> {
    pub fn new(lines: &'l Lines) -> Self {
        let names = Modules { modules: vec![Module::default()], ..Modules::default() };
        let (modules, open) = (vec![0], Vec::new());
        Walk { names, lines, open, modules, functions: 0, macros: 0, attributes: 0, uses: 0, at: 0 }
    }

    pub fn finish(self) -> Modules {
        self.names
    }

    fn module(&mut self) -> &mut Module {
        let at = self.modules.last().copied().unwrap_or_default();
        &mut self.names.modules[at]
    }

    pub fn enter(&mut self, kind: SyntaxKind) {
        match kind {
            FN | BLOCK_EXPR => self.functions += 1,
            MACRO_CALL | MACRO_RULES | MACRO_DEF => self.macros += 1,
            ATTR => self.attributes += 1,
            USE => self.uses += 1,
            ITEM_LIST if self.parent(0).is_some_and(|node| node.kind == MODULE) => self.enter_module(),
            _ => {}
        }
        self.open.push(Node { kind, name: String::new(), tokens: Vec::new(), is_continued: false });
    }

    /// The node `above` levels over the one that is open last.
    fn parent(&self, above: usize) -> Option<&Node> {
        self.open.len().checked_sub(above + 1).map(|at| &self.open[at])
    }

    fn enter_module(&mut self) {
        let mut path = self.module().path.clone();
        let (name, is_rewritten) =
            self.parent(0).map_or(Default::default(), |node| (node.name.clone(), node.is_continued));
        path.push(name);
        self.modules.push(self.names.modules.len());
        self.names.modules.push(Module { path, is_rewritten, ..Module::default() });
    }

    pub fn exit(&mut self) {
        let Some(node) = self.open.pop() else { return };
        match node.kind {
            FN | BLOCK_EXPR => self.functions -= 1,
            MACRO_CALL | MACRO_RULES | MACRO_DEF => {
                self.macros -= 1;
                if self.macros == 0 {
                    self.macro_call(&node);
                }
            }
            ATTR => {
                self.attributes -= 1;
                self.attribute(&node);
            }
            USE => {
                self.uses -= 1;
                self.import(&node);
            }
            ITEM_LIST if self.parent(0).is_some_and(|node| node.kind == MODULE) => {
                self.modules.pop();
            }
            // What follows it in the outer path does not start that.
            PATH => {
                if let Some(outer) = self.open.last_mut().filter(|outer| outer.kind == PATH) {
                    outer.is_continued = true;
                }
            }
            _ => {}
        }
    }

    pub fn token(&mut self, kind: SyntaxKind, text: &str) {
        let at = self.at;
        self.at += text.len();
        if kind.is_trivia() {
            return;
        }
        let token = || Token { text: text.to_owned(), line: self.lines.at(at), is_name: kind == IDENT };
        if self.uses > 0 {
            let token = token();
            if let Some(node) = self.open.iter_mut().rev().find(|node| node.kind == USE) {
                node.tokens.push(token);
            }
            return;
        }
        if self.attributes > 0 || self.macros > 0 {
            let token = token();
            let outermost = |node: &&mut Node| matches!(node.kind, ATTR | MACRO_CALL | MACRO_RULES | MACRO_DEF);
            if let Some(node) = self.open.iter_mut().find(outermost) {
                node.tokens.push(token);
            }
            return;
        }
        // `::name` starts at the crates.
        if kind == COLON2 && self.parent(0).is_some_and(|node| node.kind == PATH_SEGMENT) {
            self.open.iter_mut().rev().take(2).for_each(|node| node.is_continued = true);
        }
        if kind != IDENT {
            return;
        }
        match self.parent(0).map(|node| node.kind) {
            Some(NAME) => self.define(text, at),
            Some(NAME_REF) => self.refer(text, at),
            _ => {}
        }
    }

    fn define(&mut self, text: &str, at: usize) {
        let name = text.trim_start_matches("r#").to_owned();
        let line = self.lines.at(at);
        let Some(kind) = self.parent(1).map(|node| node.kind) else { return };
        if let Some(above) = self.open.len().checked_sub(2) {
            self.open[above].name = name.clone();
        }
        if kind == RECORD_FIELD {
            return;
        }
        let is_item = matches!(
            kind,
            FN | STRUCT | ENUM | UNION | TRAIT | TYPE_ALIAS | CONST | STATIC | MODULE | EXTERN_CRATE | RENAME
        );
        let in_body = self.open.iter().rev().skip(2).take_while(|node| node.kind != MODULE).any(|node| {
            matches!(node.kind, ASSOC_ITEM_LIST | BLOCK_EXPR | VARIANT_LIST | PARAM_LIST | GENERIC_PARAM_LIST | FN)
        });
        if is_item && !in_body {
            self.module().bound.entry(name.clone()).or_insert(Bound { kind: BindingKind::Defined, line });
        }
        self.names.bound.insert(name);
    }

    fn refer(&mut self, text: &str, at: usize) {
        // `extern crate name;`
        if self.parent(1).is_some_and(|node| node.kind == EXTERN_CRATE) {
            self.names.bound.insert(text.to_owned());
            return;
        }
        let is_segment = self.parent(1).is_some_and(|node| node.kind == PATH_SEGMENT && !node.is_continued);
        let starts = self.parent(2).is_some_and(|node| node.kind == PATH && !node.is_continued);
        if !is_segment || !starts || self.open.iter().rev().take(8).any(|node| node.kind == VISIBILITY) {
            return;
        }
        let position = match (self.parent(3).map(|node| node.kind), self.parent(4).map(|node| node.kind)) {
            (Some(PATH), _) => Position::Head,
            (Some(PATH_EXPR), Some(CALL_EXPR)) => Position::Callee,
            (Some(PATH_EXPR), Some(METHOD_CALL_EXPR | FIELD_EXPR | INDEX_EXPR | BIN_EXPR | TRY_EXPR | AWAIT_EXPR)) => {
                Position::Operand
            }
            (Some(PATH_EXPR), _) => Position::Value,
            _ => Position::Type,
        };
        let (name, line) = (text.trim_start_matches("r#").to_owned(), self.lines.at(at));
        self.module().uses.push(Use { name, line, position });
    }

    /// `#[derive(Name)]`, and attributes that may rewrite what they stand on.
    fn attribute(&mut self, node: &Node) {
        if self.macros > 0 {
            return;
        }
        let names: Vec<&Token> = node.tokens.iter().filter(|token| token.is_name).collect();
        let Some(first) = names.first() else { return };
        if first.text == "derive" {
            let heads = node.tokens.windows(3).filter(|three| three[1].is_name && !three[0].text.ends_with(':'));
            let derived = heads.map(|three| {
                let position = if three[2].text.starts_with(':') { Position::Head } else { Position::Derive };
                Use { name: three[1].text.clone(), line: three[1].line, position }
            });
            let derived: Vec<Use> = derived.filter(|used| used.name != "derive").collect();
            self.module().uses.extend(derived);
        } else if !known::is_own_attribute(&first.text) {
            if let Some(on) = self.open.last_mut().filter(|on| on.kind == MODULE) {
                on.is_continued = true;
            }
            // What it defines is named after what it is given.
            self.names.in_macros.extend(names.iter().map(|token| token.text.clone()));
        }
    }

    fn macro_call(&mut self, node: &Node) {
        let name = match node.kind {
            MACRO_CALL => {
                let bang = node.tokens.iter().position(|token| token.text == "!").unwrap_or_default();
                node.tokens[..bang].iter().rev().find(|token| token.is_name).map_or("", |token| token.text.as_str())
            }
            _ => "",
        };
        self.names.includes |= name == "include";
        if known::takes_expressions(name) {
            let of = |token: &Token, position| Use { name: token.text.clone(), line: token.line, position };
            let heads = tokens::heads(&node.tokens).map(|token| of(token, Position::Macro));
            let operands = tokens::operands(&node.tokens).map(|token| of(token, Position::Operand));
            let uses: Vec<Use> = heads.chain(operands).collect();
            return self.module().uses.extend(uses);
        }
        let names = node.tokens.iter().filter(|token| token.is_name).map(|token| token.text.clone());
        self.names.in_macros.extend(names);
    }

    fn import(&mut self, node: &Node) {
        let start = node.tokens.iter().position(|token| token.text == "use").map_or(0, |at| at + 1);
        let rest: Vec<String> = node.tokens[start..].iter().map(|token| token.text.clone()).collect();
        let (names, has_glob) = imports::leaves(rest.strip_suffix(&[";".to_owned()]).unwrap_or(&rest));
        let line = node.tokens.get(start).map_or(1, |token| token.line);
        let is_outer = self.functions == 0;
        self.module().has_glob |= has_glob;
        for name in names {
            if is_outer {
                self.module().bound.insert(name, Bound { kind: BindingKind::Imported, line });
            } else {
                self.names.bound.insert(name);
            }
        }
    }
}
