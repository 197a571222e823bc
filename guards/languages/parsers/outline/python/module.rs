//! The module itself.

use ruff_python_ast::Stmt;
use ruff_python_ast::visitor::Visitor;

use super::scope::{Frame, Scope};
use super::skip;

impl<'a> Scope<'_, 'a> {
    pub fn module(mut self, body: &'a [Stmt]) {
        self.frames.push(Frame::default());
        self.skip = skip::from_module(&self, body);
        self.visit_body(body);
        if let Some(module) = self.frames.pop() {
            self.outline.is_open |= module.bound.contains("__getattr__");
            self.outline.offered = module.bound.clone();
            self.outline.top = module.bound;
            self.outline.uses = module.uses;
        }
    }
}
