//! Walks the row of steps.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use guard_sdk::modules::Parameter;
use ra_ap_parser::SyntaxKind::{self, *};

#[derive(Default)]
pub struct Walk {
    pub functions: Vec<Defined>,
    pub calls: Vec<Called>,
    /// How often each name is bound, by whatever.
    pub names: BTreeMap<String, usize>,
    /// What a `use` of the file's own module brings in.
    pub imported: BTreeSet<String>,
    /// Bytes of the modules written inside the file that take all that stands around them, and what else they take.
    pub inner: Vec<(Range<usize>, Vec<String>)>,
    open: Vec<Node>,
    at: usize,
}

pub struct Defined {
    pub name: String,
    pub at: usize,
    pub parameters: Vec<Parameter>,
    /// An attribute may change it, or it takes what cannot be counted.
    pub is_uncertain: bool,
}

pub struct Called {
    /// One name, or a module and a name.
    pub path: Vec<String>,
    pub arguments: usize,
    /// Its first byte, and the one behind it.
    pub bytes: (usize, usize),
    /// Modules written inside the file, around it.
    pub modules: usize,
}

struct Node {
    kind: SyntaxKind,
    from: usize,
    /// The first name of an item; all names of a path; what a module imports.
    names: Vec<String>,
    tokens: String,
    children: usize,
    parameters: Vec<Parameter>,
    /// Of a module: it takes all that stands around it.
    is_uncertain: bool,
}

/// Attributes that leave a function's parameters as they are.
#[rustfmt::skip]
const HARMLESS: [&str; 16] = [
    "allow", "cfg", "cold", "deny", "deprecated", "doc", "expect", "inline", "must_use", "no_mangle", "rustfmt", "test", "target_feature", "track_caller", "unsafe", "warn",
];

impl Walk {
    pub fn enter(&mut self, kind: SyntaxKind) {
        if let Some(above) = self.open.last_mut().filter(|above| above.kind == ARG_LIST) {
            above.children += 1;
            above.is_uncertain |= kind == ATTR;
        }
        let (from, names, tokens, parameters) = (self.at, Vec::new(), String::new(), Vec::new());
        self.open.push(Node { kind, from, names, tokens, children: 0, parameters, is_uncertain: false });
    }

    /// Whether a call in a module inside the file means by this name what stands around the module.
    pub fn reaches_out(&self, call: &Called, name: &String) -> bool {
        self.inner.iter().any(|(bytes, names)| bytes.contains(&call.bytes.0) && !names.contains(name))
    }

    fn modules(&self) -> usize {
        self.open.iter().filter(|node| node.kind == MODULE).count()
    }

    pub fn exit(&mut self) {
        let Some(node) = self.open.pop() else { return };
        let modules = self.modules();
        let is_top = self.open.iter().all(|above| above.kind == SOURCE_FILE);
        match (node.kind, self.open.last_mut()) {
            (FN, _) if is_top => {
                let Some(name) = node.names.into_iter().next() else { return };
                let Node { from: at, parameters, is_uncertain, .. } = node;
                self.functions.push(Defined { name, at, parameters, is_uncertain });
            }
            (ATTR, Some(above)) => {
                let name = node.tokens.trim_start_matches(['#', '!', '[']);
                let is_harmless = HARMLESS
                    .iter()
                    .any(|known| name.strip_prefix(known).is_some_and(|rest| !rest.starts_with([':', '_'])));
                above.is_uncertain |= !is_harmless || above.kind == PARAM;
            }
            (PARAM, Some(above)) => {
                let name = node.names.into_iter().next().unwrap_or_else(|| "_".to_owned());
                above.parameters.push(Parameter { name, is_required: true, is_nameless: true });
                // `...` of C takes any number.
                above.is_uncertain |= node.is_uncertain || node.tokens.contains("...");
            }
            (PARAM_LIST, Some(above)) if above.kind == FN => {
                above.parameters = node.parameters;
                above.is_uncertain |= node.is_uncertain;
            }
            (PATH | PATH_SEGMENT | PATH_EXPR | NAME_REF | NAME, Some(above))
                if matches!(above.kind, PATH | PATH_SEGMENT | PATH_EXPR | CALL_EXPR) && above.children == 0 =>
            {
                above.names.extend(node.names);
            }
            (GENERIC_ARG_LIST, _) => {}
            (ARG_LIST, Some(above)) if above.kind == CALL_EXPR => {
                above.children = node.children + 1;
                above.is_uncertain |= node.is_uncertain;
            }
            (CALL_EXPR, _) if node.children > 0 && !node.is_uncertain && (1..=2).contains(&node.names.len()) => {
                let call =
                    Called { path: node.names, arguments: node.children - 1, bytes: (node.from, self.at), modules };
                self.calls.push(call);
            }
            (MODULE, _) if modules == 0 && node.is_uncertain => self.inner.push((node.from..self.at, node.names)),
            (USE, _) => self.import(&node.tokens, is_top, modules),
            // `<Type>::name` is no function of a module.
            (PATH_TYPE, Some(above)) if above.kind == PATH_SEGMENT => above.names.push("<".to_owned()),
            _ => {}
        }
    }

    /// Keeps what a `use` brings in, by where it stands.
    fn import(&mut self, text: &str, is_top: bool, modules: usize) {
        let path = text.split("use ").last().unwrap_or_default().trim_end_matches(';');
        let parts = path.split(['{', '}', ',']).filter(|part| !part.is_empty() && !part.ends_with("::"));
        let names = parts.map(|part| {
            let name = part.rsplit("::").next().unwrap_or(part);
            name.rsplit(" as ").next().unwrap_or(name).to_owned()
        });
        let in_function = self.open.iter().any(|node| matches!(node.kind, FN | BLOCK_EXPR));
        match (is_top, in_function) {
            (true, _) => self.imported.extend(names),
            (_, true) => names.for_each(|name| *self.names.entry(name).or_default() += 1),
            (_, false) => {
                let is_all = modules == 1 && path == "super::*";
                if let Some(module) = self.open.iter_mut().rev().find(|node| node.kind == MODULE) {
                    module.is_uncertain |= is_all;
                    module.names.extend(names);
                }
            }
        }
    }

    pub fn token(&mut self, kind: SyntaxKind, text: &str) {
        let at = self.at;
        self.at += text.len();
        if kind.is_trivia() {
            return;
        }
        // A comment above an item is a part of it, and its first line is not.
        if let Some(node) = self.open.iter_mut().rev().find(|node| node.kind == FN && node.names.is_empty()) {
            node.from = at;
        }
        let name = text.trim_start_matches("r#").to_owned();
        match self.open.last().map(|node| node.kind) {
            Some(NAME) if kind == IDENT => {
                *self.names.entry(name.clone()).or_default() += 1;
                let depth = self.open.len();
                let is_pattern = self.open.get(depth.wrapping_sub(2)).is_some_and(|above| above.kind == IDENT_PAT);
                let holder = if is_pattern { depth.wrapping_sub(3) } else { depth.wrapping_sub(2) };
                if let Some(above) = self.open.get_mut(holder).filter(|above| matches!(above.kind, FN | PARAM)) {
                    above.names.push(name);
                }
            }
            // `::name` starts at the crates.
            Some(PATH_SEGMENT) if kind == COLON2 => {
                if let Some(node) = self.open.last_mut() {
                    node.names.push("::".to_owned());
                }
            }
            Some(NAME_REF) => {
                if let Some(node) = self.open.last_mut() {
                    node.names.push(name);
                }
            }
            _ => {}
        }
        // Texts are kept of what is read as a whole.
        for node in self.open.iter_mut().filter(|node| matches!(node.kind, USE | ATTR | PARAM)) {
            // Names of a `use` must not be lost, and no `use` stands in another.
            if node.kind == USE || node.tokens.len() < 2_000 {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                if node.tokens.ends_with(is_word) && text.starts_with(is_word) {
                    node.tokens.push(' ');
                }
                node.tokens.push_str(text);
            }
        }
    }
}
