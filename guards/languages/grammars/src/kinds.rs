//! A language's table by the numbers that its grammar has for kinds of nodes.

use std::collections::HashMap;

use tree_sitter::Language as Grammar;

use crate::table::{Call, Define, Handler, ImportForm, Member, Table};

/// What a kind of node means. Most mean nothing.
#[derive(Clone, Copy, Default)]
pub struct Meaning {
    pub define: Option<&'static Define>,
    pub call: Option<&'static Call>,
    pub member: Option<&'static Member>,
    pub handler: Option<&'static Handler>,
    pub import: Option<ImportForm>,
    pub is_comment: bool,
    pub is_name: bool,
    pub is_assertion: bool,
    pub is_condition: bool,
    pub is_scope: bool,
}

pub struct Kinds {
    meanings: Vec<Meaning>,
}

impl Kinds {
    pub fn new(grammar: &Grammar, table: &'static Table) -> Self {
        let mut by_name: HashMap<&str, Meaning> = HashMap::new();
        for define in table.definitions {
            by_name.entry(define.node).or_default().define = Some(define);
        }
        for call in table.calls {
            by_name.entry(call.node).or_default().call = Some(call);
        }
        for member in table.members {
            by_name.entry(member.node).or_default().member = Some(member);
        }
        for handler in table.handlers {
            by_name.entry(handler.node).or_default().handler = Some(handler);
        }
        for (node, form) in table.imports {
            by_name.entry(node).or_default().import = Some(*form);
        }
        for node in table.comments {
            by_name.entry(node).or_default().is_comment = true;
        }
        for node in table.names {
            by_name.entry(node).or_default().is_name = true;
        }
        for node in table.tests.assertion_nodes {
            by_name.entry(node).or_default().is_assertion = true;
        }
        for node in table.conditions {
            by_name.entry(node).or_default().is_condition = true;
        }
        for node in table.scopes {
            by_name.entry(node).or_default().is_scope = true;
        }
        let meaning = |id: u16| {
            let name = grammar.node_kind_for_id(id).filter(|_| grammar.node_kind_is_named(id));
            name.and_then(|name| by_name.get(name)).copied().unwrap_or_default()
        };
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        Kinds { meanings: (0..count).map(meaning).collect() }
    }

    /// Of an error: nothing.
    pub fn meaning(&self, id: u16) -> Meaning {
        self.meanings.get(usize::from(id)).copied().unwrap_or_default()
    }
}
