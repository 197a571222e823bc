//! Marks by which a test does not run, or may fail, whatever the platform.

use guard_sdk::language::{Skip, SkipKind};
use tree_sitter::Node;

use super::annotations::Annotation;
use super::body::statements;
use super::calls::Callee;
use super::nodes::squeezed;
use crate::Parsed;
use crate::parsed::line;

type Mark = (&'static str, SkipKind);

fn skip(kind: SkipKind, line: u32, mark: &str, text: &str) -> Skip {
    Skip { kind, line, mark: mark.to_owned(), reason: reason(text).to_owned() }
}

/// The last text in quotes: the reason stands behind a title, if there is one.
fn reason(text: &str) -> &str {
    let mut parts = text.rsplitn(3, '"');
    let (behind, reason) = (parts.next(), parts.next());
    match (behind, reason, parts.next()) {
        (Some(_), Some(reason), Some(_)) => reason,
        _ => "",
    }
}

/// `@Disabled("later")`, `[Fact(Skip = "later")]`, `@Test(enabled = false)`.
pub fn from_annotations(parsed: &Parsed, annotations: &[Annotation]) -> Option<Skip> {
    let known = parsed.language.table().tests.skips.annotations;
    annotations.iter().find_map(|annotation| {
        let arguments = squeezed(annotation.arguments);
        let fits = |(name, argument, _): &&(&str, &str, SkipKind)| {
            annotation.name == *name && (argument.is_empty() || arguments.contains(argument))
        };
        let (name, argument, kind) = known.iter().find(fits)?;
        // A platform, or a bug by its number, is a condition.
        let mark = if argument.is_empty() {
            (*name).to_owned()
        } else {
            format!("{name}({})", argument.trim_end_matches(['(', '=']))
        };
        Some(skip(*kind, annotation.line, &mark, annotation.arguments))
    })
}

/// `DISABLED_adds`, `!adds`.
pub fn from_name(parsed: &Parsed, name: &str, line: u32) -> Option<Skip> {
    let known = parsed.language.table().tests.skips.names;
    known.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(prefix, kind)| skip(*kind, line, prefix, ""))
}

/// The name that a test has without such a mark: it is the same test.
pub fn unmarked<'n>(parsed: &Parsed, name: &'n str) -> &'n str {
    let known = parsed.language.table().tests.skips.names;
    known.iter().find_map(|(prefix, _)| name.strip_prefix(prefix)).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// `xit "…"`, `it "…", skip: true`, `"…".config(enabled = false)`.
pub fn from_call(parsed: &Parsed, callee: &Callee, line: u32) -> Option<Skip> {
    let skips = &parsed.language.table().tests.skips;
    let by_name = skips.calls.iter().find(|(name, _)| callee.name == *name);
    let arguments = || squeezed(callee.arguments);
    let by_argument = || {
        let arguments = (!skips.arguments.is_empty()).then(arguments)?;
        // `:skip` is no part of `:skip_uploads`, and `:skip => !RUBY_3` has a condition.
        let is_always = |value: &str| ["true", "\"", "'"].iter().any(|always| value.starts_with(always));
        let ends = |rest: &str| match rest.strip_prefix("=>") {
            Some(value) => is_always(value),
            None => !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'),
        };
        let stands = |mark: &str| {
            let is_name = mark.ends_with(|c: char| c.is_alphanumeric());
            arguments.match_indices(mark).any(|(at, mark)| !is_name || ends(&arguments[at + mark.len()..]))
        };
        skips.arguments.iter().find(|(mark, _)| stands(mark))
    };
    if let Some((name, kind)) = by_name {
        return Some(skip(*kind, line, name, ""));
    }
    let (mark, kind) = by_argument()?;
    Some(skip(*kind, line, mark.trim_matches([',', '"', '\'']), ""))
}

/// `it('…', …)->skip('later')`.
pub fn from_chain(parsed: &Parsed, node: Node) -> Option<Skip> {
    let known = parsed.language.table().tests.skips.chained;
    let mut node = node;
    if known.is_empty() {
        return None;
    }
    // A longer chain is none of a test's.
    for _ in 0..16 {
        let chain = node.parent().filter(|parent| parent.child_by_field_name("object") == Some(node))?;
        let name = chain.child_by_field_name("name").map_or("", |name| parsed.text_of(name));
        let arguments = chain.child_by_field_name("arguments").map_or("", |arguments| parsed.text_of(arguments));
        if let Some((mark, kind)) = known.iter().find(|(mark, _)| *mark == name)
            && is_unconditional(arguments)
        {
            return Some(skip(*kind, line(node), &format!("->{mark}()"), &arguments.replace('\'', "\"")));
        }
        node = chain;
    }
    None
}

/// Nothing, or only a text.
fn is_unconditional(arguments: &str) -> bool {
    let inner = arguments.trim_matches(['(', ')']).trim();
    inner.is_empty() || (inner.starts_with(['"', '\'']) && inner.ends_with(['"', '\'']))
}

/// Statements that are of use without being reached: functions in functions, which people write behind the last `return`.
const HOISTED: [&str; 1] = ["local_function_statement"];

/// A statement of a body that ends the test, whatever happens.
pub fn from_body(parsed: &Parsed, body: Node) -> Option<Skip> {
    let table = parsed.language.table();
    let all = statements(body, table);
    all.iter().enumerate().find_map(|(at, statement)| {
        let text = parsed.text_of(*statement);
        let ends = |(words, _): &&Mark| {
            text.strip_prefix(words).is_some_and(|rest| {
                let bound = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '=' | ':');
                rest.chars().next().is_none_or(bound) || words.ends_with(['(', '=']) || words.ends_with("Exception")
            })
        };
        let stands = |statement: &str| !statement.contains(" if ") && !statement.contains(" unless ");
        let mark = table.tests.skips.statements.iter().find(ends).filter(|_| stands(text));
        if let Some((words, kind)) = mark {
            return Some(skip(*kind, line(*statement), words.trim_end_matches('('), &text.replace('\'', "\"")));
        }
        let is_return = table.returns.contains(&statement.kind()) && text.starts_with("return");
        let is_left = |statement: &Node| !HOISTED.contains(&statement.kind());
        (is_return && all[at + 1..].iter().any(is_left)).then(|| skip(SkipKind::Cut, line(*statement), "return", ""))
    })
}
