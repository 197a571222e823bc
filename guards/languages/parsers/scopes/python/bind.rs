//! Opening scopes and binding names in them.

use ruff_text_size::TextRange;

use super::names::{Binding, BindingKind, Names, Scope, ScopeKind, Use};

/// The walk's position.
pub struct Walk<'a> {
    pub text: &'a str,
    pub names: Names<'a>,
    pub scope: usize,
    /// `try` statements around it whose handlers take a `NameError`.
    pub guards: usize,
    pub depth: usize,
    pub is_too_deep: bool,
}

impl<'a> Walk<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut walk = Walk { text, names: Names::default(), scope: 0, guards: 0, depth: 0, is_too_deep: false };
        walk.names.scopes.push(Scope {
            kind: ScopeKind::Module,
            parent: None,
            bindings: Default::default(),
            globals: Default::default(),
            has_metaclass: false,
        });
        walk
    }

    /// Walks `inside` in a new scope.
    pub fn within(&mut self, kind: ScopeKind, inside: impl FnOnce(&mut Self)) {
        let outer = self.scope;
        self.scope = self.names.scopes.len();
        let (bindings, globals) = Default::default();
        self.names.scopes.push(Scope { kind, parent: Some(outer), bindings, globals, has_metaclass: false });
        inside(self);
        self.scope = outer;
    }

    pub fn bind(&mut self, name: &'a str, kind: BindingKind, range: TextRange) {
        let scope = if self.names.scopes[self.scope].globals.contains(name) { 0 } else { self.scope };
        self.bind_in(scope, name, kind, range);
    }

    /// A walrus binds outside of the comprehensions around it.
    pub fn bind_outside_comprehensions(&mut self, name: &'a str, range: TextRange) {
        let mut scope = self.scope;
        while let (ScopeKind::Comprehension, Some(parent)) =
            (self.names.scopes[scope].kind, self.names.scopes[scope].parent)
        {
            scope = parent;
        }
        let scope = if self.names.scopes[scope].globals.contains(name) { 0 } else { scope };
        self.bind_in(scope, name, BindingKind::Value, range);
    }

    pub fn bind_global(&mut self, name: &'a str, range: TextRange) {
        self.names.scopes[self.scope].globals.insert(name);
        self.bind_in(0, name, BindingKind::Value, range);
    }

    fn bind_in(&mut self, scope: usize, name: &'a str, kind: BindingKind, range: TextRange) {
        self.names.scopes[scope].bindings.entry(name).or_default().push(Binding { kind, range });
    }

    pub fn use_of(&mut self, name: &'a str, range: TextRange, is_quoted: bool) {
        let (scope, is_guarded) = (self.scope, self.guards > 0);
        self.names.uses.push(Use { name, range, scope, is_guarded, is_quoted });
    }
}
