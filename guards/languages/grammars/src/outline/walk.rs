//! One walk through a tree, from its beginning to its end.

mod class_calls;
mod test_calls;

use std::collections::BTreeSet;

use guard_sdk::language::{Body, Definition, DefinitionKind, Focus, Outline, Skip, SkipKind, Visibility};
use tree_sitter::{Node, TreeCursor};

use super::annotations::{self, Annotation};
use super::names::{self, Named};
use super::tests::{self, Around};
use super::uses::Uses;
use super::{body, comments, definitions, imports, marks, nodes, swallowed};
use crate::Parsed;
use crate::kinds::Kinds;
use crate::parsed::line;
use crate::table::{CallTests, Define, Name, Role, Table};
use class_calls::Said;

pub struct Walk<'p, 't> {
    parsed: &'p Parsed<'t>,
    table: &'static Table,
    kinds: Kinds,
    is_test_file: bool,
    frameworks: Vec<&'static CallTests>,
    /// What the node stands in, outermost first.
    open: Vec<Open>,
    outline: Outline,
    uses: Uses,
    top: BTreeSet<String>,
    offered: BTreeSet<String>,
    globs: BTreeSet<String>,
    /// Nodes around it that make an import optional end here.
    condition_ends: usize,
    /// Where names stand that are given to definitions.
    names: BTreeSet<usize>,
    said: Said,
}

struct Open {
    /// The byte behind it.
    end: usize,
    kind: Inside,
    name: String,
    bases: Vec<String>,
    /// Why no test inside of it runs.
    skip: Option<Skip>,
    /// Of a test: its place in the outline.
    test: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Type,
    Group,
    Function,
    /// A scope without a name, in which a test may stand.
    Scope,
    Test,
}

impl<'p, 't> Walk<'p, 't> {
    pub fn new(parsed: &'p Parsed<'t>, is_test_file: bool) -> Self {
        let table = parsed.language.table();
        let is_used = |framework: &&'static CallTests| {
            (framework.anywhere || is_test_file) && framework.needs.iter().any(|needed| parsed.text.contains(needed))
        };
        Walk {
            parsed,
            table,
            kinds: Kinds::new(&parsed.language.grammar(), table),
            is_test_file,
            frameworks: table.tests.calls.iter().filter(is_used).collect(),
            open: Vec::new(),
            outline: Outline { is_open: table.is_open, ..Outline::empty() },
            uses: Uses::default(),
            top: BTreeSet::new(),
            offered: BTreeSet::new(),
            globs: BTreeSet::new(),
            condition_ends: 0,
            names: BTreeSet::new(),
            said: Said::default(),
        }
    }

    /// With a cursor and not by recursion: a text may nest a hundred thousand deep.
    pub fn run(mut self) -> Outline {
        let mut cursor = self.parsed.tree.walk();
        let (mut parents, mut is_first) = (Vec::new(), true);
        loop {
            let node = cursor.node();
            if self.visit(&cursor, parents.last().copied().unwrap_or_default(), is_first) && cursor.goto_first_child() {
                parents.push(node.kind());
                is_first = true;
                continue;
            }
            is_first = false;
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return self.finish();
                }
                parents.pop();
            }
        }
    }

    fn finish(mut self) -> Outline {
        self.said.complete(&mut self.outline.definitions);
        let (uses, members, bound) = self.uses.read();
        let (top, offered) = (self.top.into_iter().collect(), self.offered.into_iter().collect());
        let globs = self.globs.into_iter().collect();
        Outline { uses, members, bound, top, offered, globs, ..self.outline }
    }

    /// Whether to go on inside of it.
    fn visit(&mut self, cursor: &TreeCursor<'_>, parent: &str, is_first: bool) -> bool {
        let node = cursor.node();
        while self
            .open
            .last()
            .is_some_and(|open| open.end <= node.start_byte() && open.end < node.end_byte().max(open.end + 1))
        {
            self.open.pop();
        }
        let meaning = self.kinds.meaning(node.kind_id());
        if meaning.is_comment {
            // Grammars let a comment stand anywhere, in the text of a heredoc too.
            if !["string", "heredoc", "nowdoc"].iter().any(|text| parent.contains(text)) {
                comments::add(self.parsed, node, &mut self.outline);
            }
            return false;
        }
        if let Some(form) = meaning.import {
            self.import(imports::from_node(self.parsed, node, form, node.start_byte() < self.condition_ends));
            return false;
        }
        if meaning.is_condition {
            self.condition_ends = self.condition_ends.max(node.end_byte());
        }
        if meaning.is_name && self.names.contains(&node.start_byte()) {
            return false;
        }
        if meaning.is_name {
            self.said.word(self.parsed, node);
            self.uses.leaf(self.parsed, node, parent, cursor.field_name(), is_first);
            return false;
        }
        if let Some(define) = meaning.define {
            self.define(node, define);
        }
        if let Some(member) = meaning.member {
            let class = self.open.iter().rev().find(|open| open.kind == Inside::Type).map(|open| open.name.as_str());
            self.uses.member(self.parsed, node, member, class);
        }
        if let Some(handler) = meaning.handler {
            self.outline.swallowed.extend(swallowed::from_handler(self.parsed, node, handler));
        }
        if let Some(call) = meaning.call {
            self.call(node, call);
            self.class_call(node, parent);
        }
        if meaning.is_scope {
            let end = node.end_byte();
            let kind = Inside::Scope;
            self.open.push(Open { end, kind, name: String::new(), bases: Vec::new(), skip: None, test: None });
        }
        if meaning.is_assertion && self.is_assertion_node(node) {
            self.count_assertion();
        }
        true
    }

    fn import(&mut self, imported: Option<imports::Imported>) {
        match imported {
            Some(imports::Imported::One(import)) => {
                if !import.local.is_empty() {
                    self.uses.bound.insert(import.local.clone());
                    self.top.insert(import.local.clone());
                }
                self.outline.imports.push(import);
            }
            Some(imports::Imported::All(module)) => {
                self.globs.insert(module);
            }
            None => {}
        }
    }

    fn define(&mut self, node: Node, define: &'static Define) {
        let annotations = annotations::from_node(self.parsed, node);
        let is_inside =
            self.open.iter().any(|open| matches!(open.kind, Inside::Function | Inside::Scope | Inside::Test));
        let body = body::from_definition(define, node);
        if is_mere_mention(node) {
            return;
        }
        let names = names::from_node(self.parsed, node, define.name);
        if let Some(test) = tests::from_macro(self.parsed, node, body) {
            let named = Named { name: test.name, owner: test.owner, start: node.start_byte() };
            return self.function(node, define, named, &annotations, Some(true));
        }
        let extends = node.child_by_field_name("declaration_kind").is_some_and(|kind| kind.kind() == "extension");
        let role = if extends { Role::Owner } else { define.role };
        let declares = node.kind().ends_with("declaration") && names::is_function(node);
        if names.is_empty() && define.role == Role::Type {
            self.nameless(node);
        }
        for named in names {
            self.names.insert(named.start);
            self.uses.bound.insert(named.name.clone());
            match role {
                Role::Function => self.function(node, define, named, &annotations, None),
                Role::Leaf if is_inside => {}
                Role::Leaf if declares => self.function(node, define, named, &annotations, Some(false)),
                Role::Leaf => {
                    let mut definition = definitions::from_node(self.parsed, node, define, &annotations, named.start);
                    definition.visibility = self.visibility(node, &annotations, &named);
                    self.add(definition, named);
                }
                Role::Type | Role::Owner => {
                    self.class(node, define, named, &annotations, role == Role::Type && !is_inside)
                }
            }
        }
    }

    /// `typedef struct { … } name;`: its members are those of the name.
    fn nameless(&mut self, node: Node) {
        let parent = node.parent().filter(|parent| parent.kind() == "type_definition");
        let names = parent.map_or_else(Vec::new, |parent| names::from_node(self.parsed, parent, Name::Declarator));
        let name = names.into_iter().next().map_or_else(|| "?".to_owned(), |named| named.name);
        self.open.push(Open {
            end: node.end_byte(),
            kind: Inside::Type,
            name,
            bases: Vec::new(),
            skip: None,
            test: None,
        });
    }

    fn class(&mut self, node: Node, define: &'static Define, named: Named, annotations: &[Annotation], is_shown: bool) {
        let mut definition = definitions::from_node(self.parsed, node, define, annotations, named.start);
        definition.visibility = self.visibility(node, annotations, &named);
        if let Some(kind) = node.child_by_field_name("type").map(|of| of.kind()) {
            let noun = [("struct_type", "struct"), ("interface_type", "interface")];
            definition.noun =
                noun.iter().find(|(of, _)| *of == kind).map(|(_, noun)| (*noun).to_owned()).or(definition.noun);
        }
        let skip = marks::from_annotations(self.parsed, annotations).or_else(|| self.inherited_skip());
        let name = match &named.owner {
            Some(owner) => format!("{owner}.{}", named.name),
            None => named.name.clone(),
        };
        let bases = definition.bases.clone();
        if is_shown {
            self.add(definition, named);
        }
        self.open.push(Open { end: node.end_byte(), kind: Inside::Type, name, bases, skip, test: None });
    }

    /// `is_test`: what its form says; None when its name decides.
    fn function(
        &mut self,
        node: Node,
        define: &'static Define,
        named: Named,
        annotations: &[Annotation],
        is_test: Option<bool>,
    ) {
        let body = body::from_definition(define, node);
        let is_inside =
            self.open.iter().any(|open| matches!(open.kind, Inside::Function | Inside::Scope | Inside::Test));
        let class = self.open.iter().rev().find(|open| open.kind == Inside::Type);
        let receiver = self.receiver(node, &named);
        let around = Around {
            class: class.map(|class| class.name.as_str()).or(receiver.as_deref()),
            bases: class.map_or(&[], |class| class.bases.as_slice()),
            is_test_file: self.is_test_file,
        };
        let is_method = class.is_some() || named.owner.is_some();
        let is_test = is_test.unwrap_or_else(|| tests::is_test(self.parsed, node, &named.name, annotations, &around))
            && !is_inside;
        let mut definition = definitions::from_node(self.parsed, node, define, annotations, named.start);
        definition.visibility = self.visibility(node, annotations, &named);
        definition.body = match body {
            // `def a; end` has no node for what it does not have.
            None if define.body.is_empty() && define.role == Role::Function => Body::Empty,
            body => body::from_node(self.parsed, body),
        };
        let mut named = named;
        if receiver.is_some() {
            named.owner = receiver;
        }
        definition.kind = match () {
            () if is_test => DefinitionKind::Test,
            () if is_method || named.owner.is_some() => DefinitionKind::Method,
            () => DefinitionKind::Function,
        };
        definition.noun = None;
        let end = node.end_byte();
        if is_test {
            let by_mark = marks::from_annotations(self.parsed, annotations)
                .or_else(|| marks::from_name(self.parsed, &named.name, line(node)))
                .or_else(|| named.owner.as_ref().and_then(|owner| marks::from_name(self.parsed, owner, line(node))));
            named.name = marks::unmarked(self.parsed, &named.name).to_owned();
            named.owner = named.owner.map(|owner| marks::unmarked(self.parsed, &owner).to_owned());
            self.test(definition, named, by_mark, body, end);
            return;
        }
        let name = named.name.clone();
        if is_inside {
            definition.name = named.name;
            self.outline.inner.push(definition);
        } else {
            self.add(definition, named);
        }
        // What only is declared has nothing in it.
        if body.is_some() {
            self.open.push(Open { end, kind: Inside::Function, name, bases: Vec::new(), skip: None, test: None });
        }
    }

    fn test(&mut self, mut definition: Definition, named: Named, mark: Option<Skip>, body: Option<Node>, end: usize) {
        let mark = mark
            .or_else(|| body.and_then(|body| marks::from_body(self.parsed, body)))
            .or_else(|| self.inherited_skip());
        match mark {
            Some(mark) if mark.kind == SkipKind::Focused => {
                self.outline.focused.push(Focus { title: named.name.clone(), mark });
            }
            mark => definition.skip = mark,
        }
        definition.assertions = Some(0);
        let name = named.name.clone();
        self.add(definition, named);
        let test = Some(self.outline.definitions.len() - 1);
        self.open.push(Open { end, kind: Inside::Test, name, bases: Vec::new(), skip: None, test });
    }

    fn inherited_skip(&self) -> Option<Skip> {
        self.open.iter().rev().find_map(|open| open.skip.clone())
    }

    /// The type that a method of Go or an extension of Kotlin is of, which stands before its name.
    fn receiver(&self, node: Node, named: &Named) -> Option<String> {
        if let Some(receiver) = node.child_by_field_name("receiver") {
            let text = self.parsed.text_of(receiver).trim_matches(['(', ')']);
            let text = text.split('[').next().unwrap_or_default();
            return Some(nodes::last_name(text).to_owned());
        }
        let before = self.parsed.text.get(node.start_byte()..named.start)?.strip_suffix('.')?;
        // `def self.a`: its name says it already.
        if before.ends_with("self") {
            return None;
        }
        let plain = before.trim_end_matches('?').split('<').next().unwrap_or_default();
        Some(nodes::last_name(plain).to_owned()).filter(|receiver| !receiver.is_empty())
    }

    fn visibility(&mut self, node: Node, annotations: &[Annotation], named: &Named) -> Visibility {
        let said = self.said.visibility(self.parsed, node, &named.name);
        said.unwrap_or_else(|| definitions::visibility(self.parsed, node, annotations, &named.name, named.start))
    }

    fn add(&mut self, mut definition: Definition, named: Named) {
        let around = self
            .open
            .iter()
            .filter(|open| !matches!(open.kind, Inside::Function | Inside::Scope))
            .map(|open| open.name.clone());
        let owner: Vec<String> = around.chain(named.owner).collect();
        if owner.is_empty() {
            self.top.insert(named.name.clone());
            if definition.visibility != Visibility::Private {
                self.offered.insert(named.name.clone());
            }
        }
        definition.name = named.name;
        definition.owner = (!owner.is_empty()).then(|| owner.join("."));
        self.outline.definitions.push(definition);
    }
}

/// A class that is named and not defined, a guard of a header.
fn is_mere_mention(node: Node) -> bool {
    match node.kind() {
        "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
            node.child_by_field_name("body").is_none()
        }
        "preproc_def" => node.child_by_field_name("value").is_none(),
        _ => false,
    }
}
