//! JavaScript and TypeScript, by oxc's parser.

mod asleep;
mod body;
mod commonjs;
mod scope;
mod take;
mod tests;
mod visit;

use oxc_allocator::Allocator;
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

use super::lines::Lines;
use super::{Comment, Outline};
use scope::Scope;

use guard_nesting::javascript as depth;

/// The parser recurses, and a guard's stack ends in a trap.
const MAX_DEPTH: usize = 128;

pub fn outline(path: &str, text: &str) -> Option<Outline> {
    if depth::depth(text) > MAX_DEPTH {
        return None;
    }
    kinds(path).into_iter().find_map(|kind| read(path, text, kind))
}

/// A `.js` says neither whether it is a module nor whether it runs in a browser.
fn kinds(path: &str) -> Vec<SourceType> {
    match path.rsplit('.').next() {
        Some("ts" | "mts" | "cts") => vec![SourceType::ts(), SourceType::d_ts()],
        Some("tsx") => vec![SourceType::tsx()],
        _ => {
            [SourceType::unambiguous(), SourceType::script(), SourceType::cjs()].map(|kind| kind.with_jsx(true)).into()
        }
    }
}

fn read(path: &str, text: &str, kind: SourceType) -> Option<Outline> {
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, text, kind).with_options(options).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return None;
    }
    let lines = Lines::of(text);
    let mut outline = Outline::default();
    for comment in &parsed.program.comments {
        outline.dead.push(comment.span.start as usize..comment.span.end as usize);
        let span = comment.content_span();
        for (extra, words) in (0..).zip(span.source_text(text).lines()) {
            let words = words.trim_matches(|c: char| c.is_whitespace() || c == '*').to_owned();
            outline.comments.push(Comment { line: lines.at(span.start as usize) + extra, text: words });
        }
    }
    let mut scope = Scope::new(&mut outline, &lines, path);
    scope.visit_program(&parsed.program);
    scope.finish();
    outline.dead.sort_unstable_by_key(|range| range.start);
    Some(outline)
}
