//! JavaScript and TypeScript, by oxc's scope analysis.

pub mod comments;
mod nesting;

use std::collections::BTreeMap;

use oxc_ast::ast::Program;
use oxc_parser::ParserReturn;
pub use oxc_semantic::Semantic;
use oxc_semantic::SemanticBuilder;

use crate::scopes::Lines;

/// A parsed file with its scopes.
pub struct Source<'p, 's> {
    pub text: &'p str,
    pub program: &'p Program<'s>,
    pub semantic: &'p Semantic<'s>,
    /// It imports or exports, so that other files see none of its names.
    pub is_module: bool,
}

impl Source<'_, '_> {
    /// Where comments tell the compiler and linters to accept what is wrong.
    pub fn silenced(&self) -> Silenced {
        let said = comments::read(self.program, self.text, &Lines::new(self.text));
        Silenced { everywhere: said.is_silenced, lines: said.silenced }
    }
}

pub struct Silenced {
    pub everywhere: bool,
    /// Each with the line of the comment that says so.
    pub lines: BTreeMap<u32, u32>,
}

/// What `look` makes of a file that was parsed without an error. None when it nests too deep to be walked.
pub fn with_scopes<T>(text: &str, parsed: &ParserReturn, look: impl FnOnce(Source) -> T) -> Option<T> {
    if nesting::is_too_deep(&parsed.program) {
        return None;
    }
    let is_module = parsed.module_record.has_module_syntax;
    let built = SemanticBuilder::new().with_build_nodes(true).build(&parsed.program);
    Some(look(Source { text, program: &parsed.program, semantic: &built.semantic, is_module }))
}
