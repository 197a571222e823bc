//! Where a walk through a program is: it tells free names from those that a scope binds for itself.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::ast::Expression;
use oxc_span::Span;

use crate::outline::Draft;
use guard_sdk::language::{Body, Definition, DefinitionKind, ImportStatement, Skip};
use guard_sdk::text::LineStarts;

/// Expressions, types and statements, one in another. What lies deeper is not looked at.
const DEEPEST: usize = 300;

pub struct Scope<'o> {
    pub(super) outline: &'o mut Draft,
    lines: &'o LineStarts,
    pub(super) tests: bool,
    pub(super) frames: Vec<Frame>,
    /// Names of the classes around; empty for one without.
    pub(super) classes: Vec<String>,
    pub(super) groups: Vec<String>,
    pub(super) exporting: bool,
    pub(super) guarded: usize,
    /// Why no test of the group around runs.
    pub(super) skip: Option<Skip>,
    depth: usize,
}

#[derive(Default)]
pub struct Frame {
    pub(super) function: bool,
    pub(super) bound: BTreeSet<String>,
    pub(super) uses: BTreeMap<String, u32>,
}

impl<'o> Scope<'o> {
    pub fn new(outline: &'o mut Draft, lines: &'o LineStarts, is_test: bool) -> Self {
        Scope {
            outline,
            lines,
            tests: is_test,
            frames: vec![Frame::default()],
            classes: Vec::new(),
            groups: Vec::new(),
            exporting: false,
            guarded: 0,
            skip: None,
            depth: 0,
        }
    }

    pub fn finish(self) {
        let Scope { outline, frames, .. } = self;
        if let Some(top) = frames.into_iter().next() {
            outline.uses = top.uses;
            outline.top = top.bound;
        }
    }

    pub(super) fn line(&self, span: Span) -> u32 {
        self.lines.at(span.start as usize)
    }

    pub(super) fn lines(&self, span: Span) -> (u32, u32) {
        self.lines.span(span.start as usize, span.end as usize)
    }

    /// The program's own frame, and the one that its walk enters.
    pub(super) fn at_top(&self) -> bool {
        self.frames.len() == 2
    }

    pub(super) fn bind(&mut self, name: &str) {
        self.outline.bound.insert(name.to_owned());
        if let Some(frame) = self.frames.last_mut() {
            frame.bound.insert(name.to_owned());
        }
    }

    /// `var` is seen in the whole function.
    pub(super) fn bind_in_function(&mut self, name: &str) {
        for frame in self.frames.iter_mut().rev() {
            frame.bound.insert(name.to_owned());
            if frame.function {
                break;
            }
        }
    }

    pub(super) fn item(
        &mut self,
        name: &str,
        owner: Option<String>,
        kind: DefinitionKind,
        span: Span,
        body: Body,
        bases: Vec<String>,
    ) {
        let lines = self.lines(span);
        self.outline.definitions.push(Definition { owner, bases, ..Definition::new(name, kind, lines, body) });
    }

    /// A definition at the top of the file.
    pub(super) fn define(&mut self, name: &str, kind: DefinitionKind, span: Span, body: Body, bases: Vec<String>) {
        self.bind(name);
        if self.at_top() {
            self.item(name, None, kind, span, body, bases);
            if self.exporting {
                self.outline.offered.insert(name.to_owned());
            }
        } else if kind == DefinitionKind::Function {
            let lines = self.lines(span);
            self.outline.inner.push(Definition { bases, ..Definition::new(name, kind, lines, body) });
        }
    }

    /// What the language calls the definition that was added last, if it is that one.
    pub(super) fn called(&mut self, name: &str, noun: &'static str) {
        if let Some(item) = self.outline.definitions.last_mut().filter(|item| item.name == name) {
            item.noun = Some(noun.to_owned());
        }
    }

    pub(super) fn take(&mut self, module: &str, name: Option<&str>, local: &str, span: Span) {
        let (name, line) = (name.map(str::to_owned), self.line(span));
        let guarded = self.guarded > 0;
        self.outline.imports.push(ImportStatement {
            module: module.to_owned(),
            name,
            local: local.to_owned(),
            line,
            is_optional: guarded,
        });
    }

    pub(super) fn class(&self) -> Option<String> {
        self.classes.last().filter(|name| !name.is_empty()).cloned()
    }

    pub(super) fn deeper(&mut self, walk: impl FnOnce(&mut Self)) {
        if self.depth < DEEPEST {
            self.depth += 1;
            walk(self);
            self.depth -= 1;
        }
    }
}

/// `a.b.c` when nothing but names stands in it.
pub fn dotted(expr: &Expression) -> Option<String> {
    let (mut expr, mut parts) = (expr, Vec::new());
    loop {
        match expr {
            Expression::Identifier(name) => parts.push(name.name.as_str()),
            Expression::StaticMemberExpression(member) if parts.len() < 8 => {
                parts.push(member.property.name.as_str());
                expr = &member.object;
                continue;
            }
            _ => return None,
        }
        parts.reverse();
        return Some(parts.join("."));
    }
}
