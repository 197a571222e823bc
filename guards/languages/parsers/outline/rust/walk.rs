//! Walks the row of steps.

use ra_ap_parser::SyntaxKind::{self, *};

use super::path::{leaves, outward};
use super::uses::Uses;
use crate::outline::Draft;
use crate::outline::unfinished::says_so;
use guard_sdk::language::{Body, Comment, Definition, DefinitionKind, ImportStatement, Outline, Skip, SkipKind};
use guard_sdk::text::LineStarts;

pub struct Walk<'l> {
    outline: Draft,
    lines: &'l LineStarts,
    uses: Uses,
    open: Vec<Node>,
    /// Where in `open` the nodes stand that tokens ask for: a chain of ten thousand calls is a stack as deep.
    marks: Marks,
    at: usize,
}

#[derive(Default)]
struct Marks {
    uses: Vec<usize>,
    names: Vec<usize>,
    attributes: Vec<usize>,
    visibilities: Vec<usize>,
    functions: Vec<usize>,
    types: Vec<usize>,
    modules: Vec<usize>,
}

impl Marks {
    fn lines_of(&mut self, kind: SyntaxKind) -> Option<&mut Vec<usize>> {
        match kind {
            USE => Some(&mut self.uses),
            NAME => Some(&mut self.names),
            ATTR => Some(&mut self.attributes),
            VISIBILITY => Some(&mut self.visibilities),
            FN => Some(&mut self.functions),
            IMPL | TRAIT => Some(&mut self.types),
            MODULE => Some(&mut self.modules),
            _ => None,
        }
    }
}

struct Node {
    kind: SyntaxKind,
    /// Where its first token that is no trivia stands.
    start: Option<usize>,
    name: String,
    is_test: bool,
    /// Of a function's body, the first tokens; of a `use`, all.
    tokens: Vec<String>,
    body: Option<Body>,
    /// `impl Trait for Type`.
    of_trait: bool,
    /// Of a module: it is written here, or in a file that an attribute names, and not in the file of its name.
    has_items: bool,
    skip: Option<Skip>,
    /// Of a function: the line of a `return` among its statements.
    returns: Option<u32>,
}

/// As many as a body has that only says that it is not there.
const FIRST: usize = 24;

impl<'l> Walk<'l> {
    pub fn new(lines: &'l LineStarts) -> Self {
        Walk {
            outline: Draft::default(),
            lines,
            uses: Uses::default(),
            open: Vec::new(),
            marks: Marks::default(),
            at: 0,
        }
    }

    pub fn finish(mut self) -> Outline {
        self.uses.finish(&mut self.outline);
        self.outline.offered = self.outline.top.clone();
        self.outline.finish()
    }

    pub fn enter(&mut self, kind: SyntaxKind) {
        self.statement(kind);
        if let Some(marks) = self.marks.lines_of(kind) {
            marks.push(self.open.len());
        }
        let (name, tokens) = (String::new(), Vec::new());
        self.open.push(Node {
            kind,
            start: None,
            name,
            is_test: false,
            tokens,
            body: None,
            of_trait: false,
            has_items: false,
            skip: None,
            returns: None,
        });
    }

    pub fn exit(&mut self) {
        let Some(node) = self.open.pop() else { return };
        if let Some(marks) = self.marks.lines_of(node.kind) {
            marks.pop();
        }
        match node.kind {
            ATTR => {
                let (line, at) = (self.lines.at(node.start.unwrap_or(self.at)), node.tokens.concat());
                if let Some(item) = self.open.last_mut() {
                    item.has_items |= item.kind == MODULE && at.starts_with("path=");
                    item.skip = item.skip.take().or_else(|| skip(&at, line));
                }
            }
            ITEM_LIST => {
                if let Some(module) = self.open.last_mut() {
                    module.has_items = true;
                }
            }
            BLOCK_EXPR => {
                if let Some(function) = self.open.last_mut().filter(|node| node.kind == FN) {
                    function.body = Some(body(&node.tokens));
                }
            }
            USE => self.take(&node),
            FN | STRUCT | ENUM | UNION | TRAIT | TYPE_ALIAS | CONST | STATIC | MODULE | MACRO_RULES | MACRO_DEF => {
                self.item(node)
            }
            _ => {}
        }
    }

    pub fn token(&mut self, kind: SyntaxKind, text: &str) {
        let at = self.at;
        self.at += text.len();
        if kind == COMMENT {
            self.outline.dead.push(at..at + text.len());
            let line = self.lines.at(at);
            let comments = text.lines().map(|line| line.trim_matches(|c: char| c.is_whitespace() || "/*!".contains(c)));
            let comments = (line..).zip(comments).map(|(line, text)| Comment { line, text: text.to_owned() });
            self.outline.comments.extend(comments);
        }
        if kind.is_trivia() {
            return;
        }
        for node in self.open.iter_mut().rev().take_while(|node| node.start.is_none()) {
            node.start = Some(at);
        }
        self.note(text);
        if let Some(tree) = self.marks.uses.first() {
            self.open[*tree].tokens.push(text.to_owned());
            return;
        }
        if !self.marks.names.is_empty() {
            return self.named(text);
        }
        if !self.marks.attributes.is_empty() {
            return self.attribute(kind, text);
        }
        if !self.marks.visibilities.is_empty() {
            return;
        }
        self.header(kind, text);
        let owner = self.marks.types.last().map(|at| self.open[*at].name.as_str());
        let modules = self.modules();
        let line = self.lines.at(at);
        self.uses.token(&mut self.outline, kind, text, line, owner, &modules);
    }

    /// What a body begins with tells whether there is anything in it.
    fn note(&mut self, text: &str) {
        let Some(body) = self.marks.functions.last().and_then(|at| self.open.get_mut(at + 1)) else { return };
        if body.kind == BLOCK_EXPR && body.tokens.len() < FIRST {
            body.tokens.push(text.to_owned());
        }
    }

    fn named(&mut self, text: &str) {
        let Some(parent) = self.open.len().checked_sub(2).and_then(|at| self.open.get_mut(at)) else { return };
        match parent.kind {
            IDENT_PAT => self.uses.local(text),
            RECORD_FIELD | VARIANT => {}
            _ => {
                parent.name = text.to_owned();
                self.outline.bound.insert(text.to_owned());
            }
        }
    }

    /// `#[tokio::test]`, not `#[cfg(test)]`: what stands before any bracket.
    fn attribute(&mut self, kind: SyntaxKind, text: &str) {
        let Some(&at) = self.marks.attributes.last() else { return };
        let begins = !self.open[at].tokens.iter().any(|token| matches!(token.as_str(), "(" | "="));
        if kind == IDENT && begins && at > 0 {
            self.open[at - 1].is_test |= text.ends_with("test") || text == "test_case";
        }
        // The brackets around it say nothing.
        if !matches!(kind, POUND | BANG | L_BRACK | R_BRACK) && self.open[at].tokens.len() < FIRST {
            self.open[at].tokens.push(text.to_owned());
        }
    }

    /// The type that an `impl` is of: the last name before its body, type arguments left out.
    fn header(&mut self, kind: SyntaxKind, text: &str) {
        let Some(&at) = self.marks.types.last() else { return };
        // Its body is what most tokens stand in.
        if self.open[at].kind != IMPL || self.open.get(at + 1).is_some_and(|node| node.kind == ASSOC_ITEM_LIST) {
            return;
        }
        let aside = |node: &Node| {
            matches!(node.kind, ASSOC_ITEM_LIST | GENERIC_ARG_LIST | GENERIC_PARAM_LIST | WHERE_CLAUSE | PAREN_TYPE)
        };
        if self.open[at..].iter().any(aside) {
            return;
        }
        match kind {
            FOR_KW => {
                self.open[at].of_trait = true;
                self.open[at].name.clear();
            }
            IDENT => self.open[at].name = text.to_owned(),
            _ => {}
        }
    }

    /// A node that begins: whether it stands behind a `return` among the statements of a function.
    fn statement(&mut self, kind: SyntaxKind) {
        let line = self.lines.at(self.at);
        let in_body = |nodes: &[Node]| matches!(nodes, [.., function, block, list] if function.kind == FN && block.kind == BLOCK_EXPR && list.kind == STMT_LIST);
        let function = match self.open.as_slice() {
            nodes if in_body(nodes) => nodes.len() - 3,
            [nodes @ .., statement] if statement.kind == EXPR_STMT && in_body(nodes) => nodes.len() - 3,
            _ => return,
        };
        let begins = self.open.last().is_some_and(|node| node.kind == STMT_LIST);
        let function = &mut self.open[function];
        match function.returns {
            Some(end) if begins && !matches!(kind, FN | COMMENT | WHITESPACE) => {
                function.skip.get_or_insert_with(|| Skip::new(SkipKind::Cut, end, "return"));
            }
            None if kind == RETURN_EXPR => function.returns = Some(line),
            _ => {}
        }
    }

    /// Modules written inside the file, outermost first.
    fn modules(&self) -> Vec<String> {
        let around = self.marks.modules.iter().map(|at| &self.open[*at].name);
        around.filter(|name| !name.is_empty()).cloned().collect()
    }

    fn take(&mut self, tree: &Node) {
        // Visibility and attributes stand before it.
        let start = tree.tokens.iter().position(|token| token == "use").map_or(0, |at| at + 1);
        let end = tree.tokens.len() - usize::from(tree.tokens.last().is_some_and(|token| token == ";"));
        let line = self.lines.at(tree.start.unwrap_or(self.at));
        let modules = self.modules();
        let in_function = !self.marks.functions.is_empty();
        for leaf in leaves(tree.tokens.get(start..end).unwrap_or_default()) {
            let mut path = outward(&leaf.path, &modules);
            let Some(local) = leaf.local else {
                self.outline.globs.insert(path.join("::"));
                continue;
            };
            // `use super::name` gives the file nothing that it does not have.
            if path.len() != 2 || path[0] != "self" {
                self.outline.bound.insert(local.clone());
            }
            if modules.is_empty() && !in_function {
                self.outline.top.insert(local.clone());
            }
            let name = path.pop();
            self.outline.imports.push(ImportStatement {
                module: path.join("::"),
                name,
                local,
                line,
                is_optional: false,
            });
        }
    }

    fn item(&mut self, node: Node) {
        if node.name.is_empty() {
            return;
        }
        let lines = self.lines.span(node.start.unwrap_or(self.at), self.at);
        if self.open.iter().any(|node| matches!(node.kind, FN | BLOCK_EXPR)) {
            if let (FN, Some(body)) = (node.kind, node.body) {
                self.outline.inner.push(Definition::new(node.name, DefinitionKind::Function, lines, body));
            }
            return;
        }
        let around =
            self.open.iter().filter(|node| matches!(node.kind, MODULE | IMPL | TRAIT) && !node.name.is_empty());
        let mut names: Vec<String> = around.map(|node| node.name.clone()).collect();
        let of_trait = self.open.iter().any(|node| node.of_trait);
        let in_type = self.open.iter().any(|node| matches!(node.kind, IMPL | TRAIT));
        if in_type {
            // `self.x` knows only the type.
            names.drain(..names.len().saturating_sub(1));
        }
        if of_trait {
            names.push("as a trait".to_owned());
        }
        if names.is_empty() {
            self.outline.top.insert(node.name.clone());
        }
        let noun = match node.kind {
            STRUCT => Some("struct"),
            ENUM => Some("enum"),
            UNION => Some("union"),
            TRAIT => Some("trait"),
            TYPE_ALIAS => Some("type"),
            CONST | STATIC => Some("constant"),
            MACRO_RULES | MACRO_DEF => Some("macro"),
            _ => None,
        };
        let around = || self.open.iter().rev().find_map(|node| node.skip.clone());
        let skip = if node.is_test { node.skip.or_else(around) } else { None };
        let kind = match node.kind {
            FN if node.is_test => DefinitionKind::Test,
            FN | CONST | TYPE_ALIAS if in_type => DefinitionKind::Method,
            FN | MACRO_RULES | MACRO_DEF => DefinitionKind::Function,
            STRUCT | ENUM | UNION | TRAIT => DefinitionKind::Class,
            MODULE => DefinitionKind::Module,
            _ => DefinitionKind::Value,
        };
        let body = match node.kind {
            FN => node.body.unwrap_or(Body::Declared),
            // `mod name;`
            MODULE if !node.has_items => Body::Declared,
            _ => Body::Real,
        };
        let owner = (!names.is_empty()).then(|| names.join("::"));
        let noun = noun.map(str::to_owned);
        self.outline.definitions.push(Definition {
            owner,
            noun,
            skip,
            ..Definition::new(node.name, kind, lines, body)
        });
    }
}

/// An attribute by which a test does not run, or is not compiled: without brackets and spaces. `#[cfg_attr(windows, ignore)]` has a
/// condition.
fn skip(attribute: &str, line: u32) -> Option<Skip> {
    let never = ["cfg(any())", "cfg(FALSE)", "cfg(false)", "cfg_attr(all(),ignore"];
    let name = attribute.split(['=', '(']).next().unwrap_or_default();
    let sleeps = name == "ignore" || never.iter().any(|mark| attribute.starts_with(mark));
    // An attribute with a condition has no reason of its own.
    sleeps.then(|| {
        Skip::new(SkipKind::Skipped, line, format!("#[{}]", if name == "ignore" { name } else { attribute }))
            .because(attribute.split_once('=').map_or("", |(_, reason)| reason))
    })
}

fn body(tokens: &[String]) -> Body {
    let inner = match tokens {
        [open, inner @ .., close] if open == "{" && close == "}" => inner,
        _ => return Body::Real,
    };
    let inner = inner.strip_suffix(&[";".to_owned()]).unwrap_or(inner);
    match inner {
        [] => Body::Empty,
        [_, bang, ..] if bang != "!" || inner.iter().any(|token| token == ";") => Body::Real,
        [name, _, ..] if matches!(name.as_str(), "todo" | "unimplemented") => Body::Stub,
        [name, _, rest @ ..]
            if name == "panic" && rest.iter().any(|token| token.starts_with('"') && says_so(token)) =>
        {
            Body::Stub
        }
        _ => Body::Real,
    }
}
