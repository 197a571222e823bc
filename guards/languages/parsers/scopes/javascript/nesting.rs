//! How deep the tree is: a chain of ten thousand calls needs no recursion of the parser, but of whatever walks the tree.

use oxc_ast::ast::{Expression, Program, Statement, TSType};
use oxc_ast_visit::{Visit, walk};

const DEEPEST: usize = 300;

pub fn is_too_deep(program: &Program) -> bool {
    let mut nesting = Nesting::default();
    nesting.visit_program(program);
    nesting.is_too_deep
}

#[derive(Default)]
struct Nesting {
    depth: usize,
    is_too_deep: bool,
}

impl Nesting {
    fn deeper(&mut self, walk: impl FnOnce(&mut Self)) {
        if self.depth >= DEEPEST {
            self.is_too_deep = true;
            return;
        }
        self.depth += 1;
        walk(self);
        self.depth -= 1;
    }
}

impl<'a> Visit<'a> for Nesting {
    fn visit_statement(&mut self, it: &Statement<'a>) {
        self.deeper(|nesting| walk::walk_statement(nesting, it));
    }

    fn visit_expression(&mut self, it: &Expression<'a>) {
        self.deeper(|nesting| walk::walk_expression(nesting, it));
    }

    fn visit_ts_type(&mut self, it: &TSType<'a>) {
        self.deeper(|nesting| walk::walk_ts_type(nesting, it));
    }
}
