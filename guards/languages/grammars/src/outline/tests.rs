//! Which definitions are tests.

use tree_sitter::Node;

use super::annotations::Annotation;
use super::calls::Callee;
use super::nodes::{first_string, squeezed};
use crate::Parsed;
use crate::table::CallTests;

/// What surrounds a method.
pub struct Around<'a> {
    pub class: Option<&'a str>,
    pub bases: &'a [String],
    /// By its path, the file is run as tests.
    pub is_test_file: bool,
}

/// Whether a function that is defined is a test.
pub fn is_test(parsed: &Parsed, node: Node, name: &str, annotations: &[Annotation], around: &Around) -> bool {
    let tests = &parsed.language.table().tests;
    if annotations.iter().any(|annotation| tests.annotations.contains(&annotation.name)) {
        return true;
    }
    let ends = |text: &str, ends: &[&str]| ends.iter().any(|end| text.ends_with(end));
    let begins = |prefix: &str| {
        // `Testify` is no test, `testify` is one of PHPUnit.
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|rest| !prefix.starts_with('T') || !rest.starts_with(|c: char| c.is_lowercase()))
    };
    let of_class = |class: &str| {
        let known = |method: &&crate::table::MethodTest| {
            let derives = around.bases.iter().any(|base| ends(base, method.bases));
            begins(method.prefix) && (derives || ends(class, method.classes))
        };
        tests.methods.iter().any(|method| known(&method))
    };
    if around.class.is_some_and(of_class) || has_comment(parsed, node, tests.comment) {
        return true;
    }
    let parameters = || node.child_by_field_name("parameters").map_or("", |parameters| parsed.text_of(parameters));
    tests.functions.iter().any(|function| {
        begins(function.prefix)
            && match function.parameter {
                "" => around.is_test_file && around.class.is_none(),
                wanted => parameters().contains(wanted),
            }
    })
}

/// `/** @test */` above a method.
fn has_comment(parsed: &Parsed, node: Node, mark: Option<&str>) -> bool {
    let Some(mark) = mark else { return false };
    node.kind() == "method_declaration"
        && node.prev_named_sibling().is_some_and(|before| {
            before.kind() == "comment" && parsed.text_of(before).split_whitespace().any(|word| word == mark)
        })
}

/// A test that a macro begins: its group and its name.
pub struct MacroTest {
    pub owner: Option<String>,
    pub name: String,
}

/// `TEST(Group, Name) { … }`, `TEST_IMPL(name) { … }`: what stands before the body is a call of a name in capitals.
pub fn from_macro(parsed: &Parsed, node: Node, body: Option<Node>) -> Option<MacroTest> {
    let words = parsed.language.table().tests.macros;
    let head = parsed.text.get(node.start_byte()..body?.start_byte())?.trim();
    let (name, arguments) = head.strip_suffix(')')?.split_once('(')?;
    let is_macro = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if !is_macro || !words.iter().any(|word| name.contains(word)) {
        return None;
    }
    let mut arguments: Vec<String> =
        arguments.split(',').map(squeezed).filter(|argument| !argument.is_empty()).collect();
    match arguments.len() {
        0 => None,
        1 => Some(MacroTest { owner: None, name: arguments.remove(0) }),
        _ => Some(MacroTest { owner: Some(arguments.remove(0)), name: arguments.remove(0) }),
    }
}

pub struct CallTest {
    pub title: String,
    pub is_group: bool,
}

/// `it("adds", …)`.
pub fn from_call(
    parsed: &Parsed,
    node: Node,
    callee: &Callee,
    frameworks: &[&'static CallTests],
    has_body: bool,
) -> Option<CallTest> {
    frameworks.iter().find_map(|framework| {
        if framework.titles && callee.text.starts_with('"') && (callee.text.ends_with('"') || callee.name == "config") {
            let title = first_string(parsed, node)?;
            return has_body.then(|| CallTest { title: title.to_owned(), is_group: false });
        }
        let receiver = callee.text[..callee.text.len() - callee.name.len()].trim_end_matches('.');
        if !framework.receivers.contains(&receiver) {
            return None;
        }
        let is_group = framework.groups.contains(&callee.name);
        if !is_group && !framework.tests.contains(&callee.name) {
            return None;
        }
        let given = node.named_child(node.named_child_count().checked_sub(1)? as u32);
        let title = title(parsed, node, callee);
        match (title, has_body) {
            (Some(title), true) => Some(CallTest { title, is_group }),
            // A title alone: it is still to be written. `skip "why"` is a statement, and no test.
            (Some(title), false)
                if !is_group
                    && framework.untitled
                    && !matches!(callee.name, "skip" | "pending" | "test" | "its" | "example") =>
            {
                Some(CallTest { title, is_group })
            }
            (None, true) if framework.untitled && callee.arguments.is_empty() && !is_group => {
                let text = given.map_or("", |given| parsed.text_of(given));
                Some(CallTest { title: text.split_whitespace().collect::<Vec<_>>().join(" "), is_group })
            }
            _ => None,
        }
    })
}

/// Of `describe Foo, "…"` too: whatever is given first.
fn title(parsed: &Parsed, node: Node, callee: &Callee) -> Option<String> {
    let table = parsed.language.table();
    let call = table.calls.iter().find(|call| call.node == node.kind())?;
    let given = super::nodes::with_kinds(node, &call.arguments[..1]).into_iter().next();
    // `test("x") { … }` of Kotlin is a call of a call.
    let given =
        given.or_else(|| super::nodes::with_kinds(node.named_child(0)?, &call.arguments[..1]).into_iter().next());
    let given = given?;
    if let Some(text) = first_string(parsed, given) {
        return Some(text.to_owned());
    }
    let first = super::nodes::children(given, table).into_iter().next()?;
    let is_name = ["constant", "scope_resolution"].contains(&first.kind());
    (is_name && callee.name != "it").then(|| parsed.text_of(first).to_owned())
}
