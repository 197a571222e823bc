//! What calls in the body of a class say of its members: `private`, `private :a`, `include M`, `attr_reader :a` of Ruby.

use std::collections::BTreeMap;

use guard_sdk::language::{Definition, DefinitionKind, Visibility};
use tree_sitter::Node;

use super::{Inside, Walk};
use crate::Parsed;
use crate::table::{ClassCalls, VisibilityCall};

/// What was said so far.
#[derive(Default)]
pub struct Said {
    /// Bodies in which a word that stands alone holds for what follows, the innermost last.
    sections: Vec<Section>,
    /// By the class and the name of the member.
    visibility: BTreeMap<(String, String), Visibility>,
    /// What gives a class more members.
    mixins: BTreeMap<String, Vec<String>>,
}

struct Section {
    body: usize,
    /// The byte behind the body.
    end: usize,
    visibility: Visibility,
}

impl Walk<'_, '_> {
    /// A call that stands in the body of a class, and in no function of it.
    pub(super) fn class_call(&mut self, node: Node, parent: &str) {
        if self.open.last().is_none_or(|open| open.kind != Inside::Type) {
            return;
        }
        let class = self.open.iter().filter(|open| !matches!(open.kind, Inside::Function | Inside::Scope));
        let class = class.map(|open| open.name.as_str()).collect::<Vec<_>>().join(".");
        let names = self.said.call(self.parsed, node, parent, &class);
        self.uses.bound.extend(names.into_iter().map(str::to_owned));
    }
}

impl Said {
    /// A name that is no argument and has none.
    pub fn word(&mut self, parsed: &Parsed, node: Node) {
        let calls = parsed.language.table().class_calls;
        let Some(word) = calls.word(parsed.text_of(node)).filter(|word| word.prefix.is_empty()) else { return };
        let Some(body) = node.parent().filter(|body| body.kind() == calls.body) else { return };
        let section = Section { body: body.id(), end: body.end_byte(), visibility: word.visibility };
        self.close(node.start_byte());
        self.sections.retain(|open| open.body != section.body);
        self.sections.push(section);
    }

    /// Of a definition: what the word in front of it says, or the last one that stands alone above it in its body.
    pub fn visibility(&mut self, parsed: &Parsed, node: Node, name: &str) -> Option<Visibility> {
        let calls = parsed.language.table().class_calls;
        if calls.visibility.is_empty() {
            return None;
        }
        let parent = node.parent()?;
        if let Some(call) = parent.parent().filter(|call| call.child_by_field_name("arguments") == Some(parent)) {
            let word = calls.word(function(parsed, call)?).filter(|word| has_prefix(name, word))?;
            return Some(word.visibility);
        }
        self.close(node.start_byte());
        let is_of_instances = !calls.visibility.iter().any(|word| !word.prefix.is_empty() && has_prefix(name, word));
        let section = self.sections.last().filter(|section| section.body == parent.id() && is_of_instances);
        section.map(|section| section.visibility)
    }

    /// A call in the body of `class`. Gives the names that it may define.
    pub fn call<'t>(&mut self, parsed: &Parsed<'t>, node: Node, parent: &str, class: &str) -> Vec<&'t str> {
        let calls = parsed.language.table().class_calls;
        let Some((name, given)) = function(parsed, node).zip(node.child_by_field_name("arguments")) else {
            return Vec::new();
        };
        if calls.mixins.contains(&name) {
            let mut cursor = given.walk();
            let modules = given.named_children(&mut cursor).map(|module| parsed.text_of(module).replace("::", "."));
            self.mixins.entry(class.to_owned()).or_default().extend(modules);
            return Vec::new();
        }
        let symbols = symbols(parsed, given);
        let Some(word) = calls.word(name) else { return symbols };
        // Behind a condition it may not be said.
        if parent == calls.body {
            for symbol in symbols {
                let member = (class.to_owned(), format!("{}{symbol}", word.prefix));
                self.visibility.insert(member, word.visibility);
            }
        }
        Vec::new()
    }

    /// Adds what was said behind the definitions.
    pub fn complete(mut self, definitions: &mut [Definition]) {
        for definition in definitions {
            if definition.kind == DefinitionKind::Class {
                definition.bases.extend(self.mixins.remove(&definition.full_name()).unwrap_or_default());
            }
            let Some(owner) = definition.owner.clone() else { continue };
            if let Some(visibility) = self.visibility.get(&(owner, definition.name.clone())) {
                definition.visibility = *visibility;
            }
        }
    }

    fn close(&mut self, at: usize) {
        while self.sections.last().is_some_and(|section| section.end <= at) {
            self.sections.pop();
        }
    }
}

impl ClassCalls {
    fn word(&self, text: &str) -> Option<&'static VisibilityCall> {
        self.visibility.iter().find(|call| call.word == text)
    }
}

/// Words that say something of methods of instances hold for no method of the class.
fn has_prefix(name: &str, word: &VisibilityCall) -> bool {
    match word.prefix {
        "" => !name.contains('.'),
        prefix => name.starts_with(prefix),
    }
}

/// What a call calls on nothing.
fn function<'t>(parsed: &Parsed<'t>, call: Node) -> Option<&'t str> {
    let is_plain = call.child_by_field_name("receiver").is_none();
    call.child_by_field_name("method").filter(|_| is_plain).map(|method| parsed.text_of(method))
}

/// The names among arguments, and in lists among them: `:a`, `"a"`, `[:a, :b]`, `%i[a b]`.
fn symbols<'t>(parsed: &Parsed<'t>, given: Node) -> Vec<&'t str> {
    let mut cursor = given.walk();
    let arguments: Vec<Node> = given.named_children(&mut cursor).collect();
    let lists =
        arguments.iter().filter(|argument| ["array", "symbol_array", "string_array"].contains(&argument.kind()));
    let mut inner = Vec::new();
    for list in lists {
        let mut cursor = list.walk();
        inner.extend(list.named_children(&mut cursor).collect::<Vec<_>>());
    }
    let name = |node: &Node| match node.kind() {
        "simple_symbol" => parsed.text_of(*node).strip_prefix(':'),
        "string" => Some(parsed.text_of(*node).trim_matches(['"', '\''])),
        "bare_symbol" | "bare_string" => Some(parsed.text_of(*node)),
        _ => None,
    };
    arguments.iter().chain(&inner).filter_map(name).collect()
}
