//! JavaScript and TypeScript, by oxc's parser and scope analysis.

mod comments;
pub mod global;
mod names;
mod nesting;

use std::collections::BTreeMap;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
pub use oxc_semantic::Semantic;
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

use crate::Lines;
pub use names::{Bound, BoundKind, Names, Unbound};

use guard_nesting::javascript as depth;

/// The parser recurses, and a guard's stack ends in a trap.
const MAX_DEPTH: usize = 128;

/// A parsed file with its scopes.
pub struct Source<'p, 's> {
    pub text: &'p str,
    pub program: &'p Program<'s>,
    pub semantic: &'p Semantic<'s>,
    /// It imports or exports, so that other files see none of its names.
    pub is_module: bool,
}

impl Source<'_, '_> {
    pub fn names(&self) -> Names {
        names::of(self)
    }

    /// Where comments tell the compiler and linters to accept what is wrong.
    pub fn silenced(&self) -> Silenced {
        let said = comments::of(self.program, self.text, &Lines::of(self.text));
        Silenced { everywhere: said.is_silenced, lines: said.silenced }
    }
}

pub struct Silenced {
    pub everywhere: bool,
    /// Each with the line of the comment that says so.
    pub lines: BTreeMap<u32, u32>,
}

/// What `look` makes of the file; None when it does not parse, or nests too deep.
pub fn with<T>(path: &str, text: &str, look: impl FnOnce(Source) -> T) -> Option<T> {
    if depth::depth(text) > MAX_DEPTH {
        return None;
    }
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    for kind in kinds(path) {
        let parsed = Parser::new(&allocator, text, kind).with_options(options).parse();
        if parsed.panicked || !parsed.diagnostics.is_empty() {
            continue;
        }
        return with_parsed(text, &parsed, look);
    }
    None
}

/// The same of what was parsed without an error. None when it nests too deep to be walked.
pub fn with_parsed<T>(text: &str, parsed: &ParserReturn, look: impl FnOnce(Source) -> T) -> Option<T> {
    if nesting::is_too_deep(&parsed.program) {
        return None;
    }
    let is_module = parsed.module_record.has_module_syntax;
    let built = SemanticBuilder::new().with_build_nodes(true).build(&parsed.program);
    Some(look(Source { text, program: &parsed.program, semantic: &built.semantic, is_module }))
}

/// Whether types are written in it.
pub fn is_typescript(path: &str) -> bool {
    [".ts", ".mts", ".cts", ".tsx"].iter().any(|end| path.ends_with(end))
}

/// A `.js` says neither whether it is a module nor whether it runs in a browser.
fn kinds(path: &str) -> Vec<SourceType> {
    match path.rsplit('.').next() {
        _ if [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| path.ends_with(end)) => vec![SourceType::d_ts()],
        Some("ts" | "mts" | "cts") => vec![SourceType::ts()],
        Some("tsx") => vec![SourceType::tsx()],
        _ => {
            [SourceType::unambiguous(), SourceType::script(), SourceType::cjs()].map(|kind| kind.with_jsx(true)).into()
        }
    }
}
