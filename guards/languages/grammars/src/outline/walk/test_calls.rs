//! Calls that say something of tests: tests with a title and a function, and assertions.

use guard_sdk::language::{Definition, DefinitionKind, Focus, Skip, SkipKind};
use tree_sitter::Node;

use super::{Inside, Open, Walk};
use crate::Language;
use crate::outline::calls::{self, Callee};
use crate::outline::names::Named;
use crate::outline::{body, imports, marks, nodes, tests};
use crate::parsed::{last_line, line};
use crate::table::Call;

impl Walk<'_, '_> {
    pub(super) fn call(&mut self, node: Node, call: &'static Call) {
        let callee = calls::callee(self.parsed, node, call);
        if self.is_assertion(&callee) {
            self.count_assertion();
        }
        let is_optional = node.start_byte() < self.condition_ends;
        if self.parsed.language == Language::Ruby
            && let Some(import) = imports::from_call(self.parsed, node, callee.text, is_optional)
        {
            self.outline.imports.push(import);
        }
        if !self.frameworks.is_empty() && self.open.iter().all(|open| open.kind != Inside::Function) {
            self.call_test(node, &callee);
        }
    }

    /// Tests that are calls with a title and a function.
    fn call_test(&mut self, node: Node, callee: &Callee) {
        let function = calls::function(node).or_else(|| block_behind(node));
        let Some(test) = tests::from_call(self.parsed, node, callee, &self.frameworks, function.is_some()) else {
            return;
        };
        let mark = marks::from_call(self.parsed, callee, line(node))
            .or_else(|| marks::from_chain(self.parsed, node))
            .or_else(|| marks::from_name(self.parsed, &test.title, line(node)));
        let title = marks::unmarked(self.parsed, &test.title).to_owned();
        let test = tests::CallTest { title, ..test };
        let end = function.map_or(node.end_byte(), |function| function.end_byte().max(node.end_byte()));
        if test.is_group {
            let is_focus = mark.as_ref().is_some_and(|mark| mark.kind == SkipKind::Focused);
            let (focus, skip) = if is_focus { (mark, None) } else { (None, mark) };
            self.outline.focused.extend(focus.map(|mark| Focus { title: test.title.clone(), mark }));
            let skip = skip.or_else(|| self.inherited_skip());
            self.open.push(Open { end, kind: Inside::Group, name: test.title, bases: Vec::new(), skip, test: None });
            return;
        }
        let body = function.map(|function| function.child_by_field_name("body").unwrap_or(function));
        let is_empty = function.is_none();
        let last = function.map_or(last_line(node), |function| last_line(function).max(last_line(node)));
        let body_kind = body::from_node(self.parsed, body);
        let definition = Definition::new("", DefinitionKind::Test, (line(node), last), body_kind);
        let empty =
            || Skip { kind: SkipKind::Empty, line: line(node), mark: callee.name.to_owned(), reason: String::new() };
        let mark = mark.or_else(|| is_empty.then(empty));
        let named = Named { name: test.title, owner: None, start: node.start_byte() };
        self.test(definition, named, mark, body, end);
    }

    fn is_assertion(&self, callee: &Callee) -> bool {
        self.table.tests.assertions.iter().any(|known| match known.strip_suffix('=') {
            Some(exact) => callee.name == exact,
            None if known.contains('.') => callee.text.starts_with(known),
            None => callee.name.starts_with(known),
        })
    }

    /// `x shouldBe y` of Kotlin is a node of its own, as is every other infix function.
    pub(super) fn is_assertion_node(&self, node: Node) -> bool {
        let names = nodes::with_kinds(node, &["identifier"]);
        let checks = |name: Node| self.parsed.text_of(name).starts_with("should");
        node.kind() != "infix_expression" || names.into_iter().any(checks)
    }

    pub(super) fn count_assertion(&mut self) {
        for test in self.open.iter().filter_map(|open| open.test) {
            let assertions = &mut self.outline.definitions[test].assertions;
            *assertions = Some(assertions.unwrap_or(0) + 1);
        }
    }
}

/// `TEST_CASE("adds") { … }`: to the grammar of C++ a call, and a block behind it.
fn block_behind(node: Node) -> Option<Node> {
    let statement = node.parent().filter(|parent| parent.kind() == "expression_statement")?;
    statement.next_named_sibling().filter(|next| next.kind() == "compound_statement")
}
