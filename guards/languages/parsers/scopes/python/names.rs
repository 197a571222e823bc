//! Scopes, what they bind, and which names are used where.

use std::collections::{HashMap, HashSet};

use ruff_text_size::TextRange;

/// Everything that a file says about names.
#[derive(Default)]
pub struct Names<'a> {
    /// The module's own scope is the first.
    pub scopes: Vec<Scope<'a>>,
    pub uses: Vec<Use<'a>>,
    /// The strings of `__all__`.
    pub exports: Vec<(&'a str, TextRange)>,
    /// `from x import *`: the module may bind any name.
    pub has_star: bool,
    /// `exec`, `globals()[name] = value` and the like: the module may bind any name.
    pub is_dynamic: bool,
}

pub struct Scope<'a> {
    pub kind: ScopeKind,
    pub parent: Option<usize>,
    pub bindings: HashMap<&'a str, Vec<Binding>>,
    /// Names that a `global` statement gives to the module.
    pub globals: HashSet<&'a str>,
    /// A class whose metaclass may bind names in its body.
    pub has_metaclass: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    Module,
    Class,
    /// Also a lambda.
    Function,
    Comprehension,
    TypeParams,
}

#[derive(Clone, Copy, Debug)]
pub struct Binding {
    pub kind: BindingKind,
    /// Of the name; of the whole statement's alias for an import.
    pub range: TextRange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    Import,
    Function,
    Class,
    Parameter,
    TypeParam,
    /// Assignments, loops, `with`, `except`, patterns, `global`.
    Value,
}

pub struct Use<'a> {
    pub name: &'a str,
    pub range: TextRange,
    pub scope: usize,
    /// Inside of a `try` whose handler takes a `NameError`.
    pub is_guarded: bool,
    /// In a string that is an annotation.
    pub is_quoted: bool,
}

impl<'a> Names<'a> {
    /// The scope that binds a name for code in `from`; None when only the builtins may.
    pub fn resolve(&self, name: &str, from: usize) -> Option<usize> {
        let mut at = Some(from);
        let mut class_is_visible = true;
        while let Some(index) = at {
            let scope = &self.scopes[index];
            if scope.globals.contains(name) {
                return self.scopes[0].bindings.contains_key(name).then_some(0);
            }
            if scope.bindings.contains_key(name) && (class_is_visible || scope.kind != ScopeKind::Class) {
                return Some(index);
            }
            // A comprehension in a class sees less than this; nothing is reported of that.
            class_is_visible &= scope.kind != ScopeKind::Function;
            at = scope.parent;
        }
        None
    }

    /// Every name that code in `from` can refer to.
    pub fn visible(&self, from: usize) -> impl Iterator<Item = &'a str> {
        let chain = std::iter::successors(Some(from), |index| self.scopes[*index].parent);
        chain.flat_map(|index| self.scopes[index].bindings.keys().copied())
    }

    /// What the module itself binds a name to.
    pub fn module_bindings(&self, name: &str) -> &[Binding] {
        self.scopes.first().and_then(|module| module.bindings.get(name)).map_or(&[], Vec::as_slice)
    }
}
