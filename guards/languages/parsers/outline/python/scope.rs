//! Where a walk through a module is: it tells free names from those that a function binds for itself.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::{Expr, StmtClassDef};
use ruff_text_size::{Ranged, TextRange};

use crate::outline::Draft;
use guard_sdk::language::{Body, Definition, DefinitionKind, Skip};
use guard_sdk::text::LineStarts;

/// Expressions and statements, one in another. What lies deeper is not looked at.
pub const DEEPEST: usize = 300;

pub struct Scope<'o, 'a> {
    pub(super) outline: &'o mut Draft,
    lines: &'o LineStarts,
    pub(super) tests: bool,
    /// Of the module, and of the functions and classes around.
    pub(super) frames: Vec<Frame>,
    pub(super) classes: Vec<&'a StmtClassDef>,
    pub(super) guarded: usize,
    pub(super) depth: usize,
    /// Why no test of the module, or of the class around, runs.
    pub(super) skip: Option<Skip>,
}

#[derive(Default)]
pub struct Frame {
    kind: FrameKind,
    pub(super) bound: BTreeSet<String>,
    pub(super) global: BTreeSet<String>,
    pub(super) uses: BTreeMap<String, u32>,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    #[default]
    Module,
    Class,
    Function,
}

impl<'o, 'a> Scope<'o, 'a> {
    pub fn new(outline: &'o mut Draft, lines: &'o LineStarts, is_test: bool) -> Self {
        Scope {
            outline,
            lines,
            tests: is_test,
            frames: Vec::new(),
            classes: Vec::new(),
            guarded: 0,
            depth: 0,
            skip: None,
        }
    }

    pub(super) fn line(&self, at: impl Ranged) -> u32 {
        self.lines.at(at.start().to_usize())
    }

    pub(super) fn lines(&self, range: TextRange) -> (u32, u32) {
        self.lines.span(range.start().to_usize(), range.end().to_usize())
    }

    pub(super) fn place(&self) -> FrameKind {
        self.frames.last().map_or(FrameKind::Module, |frame| frame.kind)
    }

    pub(super) fn bind(&mut self, name: &str) {
        self.outline.bound.insert(name.to_owned());
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.global.contains(name) {
            if let Some(module) = self.frames.first_mut() {
                module.bound.insert(name.to_owned());
            }
        } else {
            frame.bound.insert(name.to_owned());
        }
    }

    pub(super) fn reads(&mut self, name: &str, line: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.uses.entry(name.to_owned()).or_insert(line);
        }
    }

    pub(super) fn owner(&self) -> Option<String> {
        let names: Vec<&str> = self.classes.iter().map(|class| class.name.as_str()).collect();
        (!names.is_empty()).then(|| names.join("."))
    }

    /// The test that was added last: what is said of itself comes before what is said of its class.
    pub(super) fn put_skip(&mut self, skip: Skip) {
        if let Some(test) = self.outline.definitions.last_mut() {
            test.skip = Some(skip);
        }
    }

    pub(super) fn item(&mut self, name: &str, kind: DefinitionKind, lines: (u32, u32), body: Body, bases: Vec<String>) {
        let skip = self.skip.clone().filter(|_| kind == DefinitionKind::Test);
        let item = Definition { owner: self.owner(), bases, skip, ..Definition::new(name, kind, lines, body) };
        match self.place() {
            FrameKind::Function if kind == DefinitionKind::Function => self.outline.inner.push(item),
            FrameKind::Function => {}
            _ => self.outline.definitions.push(item),
        }
    }

    /// What a function or class binds is its own; what it reads and does not bind is read from around it.
    pub(super) fn within(&mut self, kind: FrameKind, inside: impl FnOnce(&mut Self)) {
        self.frames.push(Frame { kind, ..Frame::default() });
        inside(self);
        let Some(frame) = self.frames.pop() else { return };
        // The names of a class are not seen by its methods.
        let around =
            self.frames.iter_mut().rev().find(|around| around.kind != FrameKind::Class || kind == FrameKind::Class);
        if let Some(around) = around {
            for (name, line) in frame.uses {
                if !frame.bound.contains(&name) {
                    around.uses.entry(name).or_insert(line);
                }
            }
        }
    }
}

/// `a.b.c` when nothing but names stands in it.
pub fn dotted(mut expr: &Expr) -> Option<String> {
    let mut parts = Vec::new();
    loop {
        match expr {
            Expr::Name(name) => parts.push(name.id.as_str()),
            Expr::Attribute(attribute) if parts.len() < 8 => {
                parts.push(&attribute.attr);
                expr = &attribute.value;
                continue;
            }
            _ => return None,
        }
        parts.reverse();
        return Some(parts.join("."));
    }
}
