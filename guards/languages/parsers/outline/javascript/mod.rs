//! JavaScript and TypeScript, by oxc's parser.

mod body;
mod commonjs;
mod imports;
mod scope;
mod skip;
mod tests;
mod visit;

use guard_sdk::language::{Comment, Outline};
use guard_sdk::text::LineStarts;
use oxc_ast::ast::Program;
use oxc_ast_visit::Visit;

use crate::outline::Draft;
use scope::Scope;

pub fn outline(is_test: bool, text: &str, program: &Program) -> Outline {
    let lines = LineStarts::new(text);
    let mut draft = Draft::default();
    for comment in &program.comments {
        draft.dead.push(comment.span.start as usize..comment.span.end as usize);
        let span = comment.content_span();
        for (extra, words) in (0..).zip(span.source_text(text).lines()) {
            let words = words.trim_matches(|c: char| c.is_whitespace() || c == '*').to_owned();
            draft.comments.push(Comment { line: lines.at(span.start as usize) + extra, text: words });
        }
    }
    let mut scope = Scope::new(&mut draft, &lines, is_test);
    scope.visit_program(program);
    scope.finish();
    draft.finish()
}
