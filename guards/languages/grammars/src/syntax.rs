//! Where a text leaves its grammar.

use guard_sdk::language::Problem;
use tree_sitter::Node;

use crate::parsed::line;
use crate::{Language, Parsed, brackets};

/// As many as a report shows. A text in another language is one mistake, not a thousand.
const MOST: usize = 20;

/// How many characters of what was not expected are shown.
const SHOWN: usize = 40;

/// In the order of the text.
pub fn problems(parsed: &Parsed) -> Vec<Problem> {
    let root = parsed.tree.root_node();
    let (mut problems, mut cursor) = (Vec::new(), root.walk());
    if !root.has_error() {
        return beyond_the_grammar(parsed);
    }
    let is_certain = is_certain(parsed);
    loop {
        let node = cursor.node();
        let found = (node.is_error() || node.is_missing()).then(|| problem(parsed, node, is_certain));
        let leaf = found.is_some();
        problems.extend(found);
        if problems.len() == MOST || (!leaf && node.has_error() && cursor.goto_first_child()) {
            if problems.len() == MOST {
                return problems;
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return problems;
            }
        }
    }
}

/// Whether the grammar goes on behind a problem as if it were not there: a macro without its semicolon, a word before a name. What it does
/// not know may otherwise end with any bracket, and what stands behind it is taken for a part of it.
pub fn is_passed_over(parsed: &Parsed) -> bool {
    let mut cursor = parsed.tree.walk();
    loop {
        let node = cursor.node();
        let is_small = |node: Node| {
            let text = parsed.text_of(node);
            text.len() <= LONGEST && !text.contains(['{', '}', '#', ';', '\n'])
        };
        let stops = (node.is_missing() && node.kind() != ";") || (node.is_error() && !is_small(node));
        if stops {
            return false;
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return true;
            }
        }
    }
}

/// As long as a macro with its arguments may be.
const LONGEST: usize = 80;

/// What a compiler refuses in a text that the grammar knows.
fn beyond_the_grammar(parsed: &Parsed) -> Vec<Problem> {
    let root = parsed.tree.root_node();
    let mut cursor = root.walk();
    match parsed.language {
        // It takes an `end` that closes nothing for a name.
        Language::Ruby => {
            let is_end = |node: &Node| node.kind() == "identifier" && parsed.text_of(*node) == "end";
            root.named_children(&mut cursor).filter(is_end).take(MOST).map(|node| problem(parsed, node, true)).collect()
        }
        // It knows a file without its first line, as an editor shows a part of one.
        Language::Go if !root.named_children(&mut cursor).any(|node| node.kind() == "package_clause") => {
            vec![at(parsed, root, "`package` is missing".to_owned(), true)]
        }
        Language::Go
        | Language::Java
        | Language::Kotlin
        | Language::CSharp
        | Language::C
        | Language::Cpp
        | Language::Swift
        | Language::Php => Vec::new(),
    }
}

/// Whether a compiler refuses a text that this grammar does not know.
///
/// Measured on the newest 150 commits of three repositories for each language (docs/languages.md): the grammars of Java, Go, PHP and Ruby
/// refused no file that its compiler accepts. Those of Kotlin, C# and Swift are behind their languages, and those of C and C++ cannot know
/// what a macro stands for, so that only brackets which do not close are certain.
fn is_certain(parsed: &Parsed) -> bool {
    match parsed.language {
        Language::Java | Language::Go | Language::Php | Language::Ruby => true,
        Language::Kotlin | Language::Swift | Language::CSharp | Language::C | Language::Cpp => {
            !brackets::are_closed(parsed.language, parsed.text)
        }
    }
}

fn problem(parsed: &Parsed, node: Node, is_certain: bool) -> Problem {
    if let Some(opened) = unclosed(parsed, node) {
        return at(parsed, opened, format!("`{}` is never closed", opened.kind()), is_certain);
    }
    let message = match node.is_missing() {
        true => format!("`{}` is missing", node.kind()),
        false => format!("`{}` is not expected here", shown(parsed.text_of(node))),
    };
    at(parsed, node, message, is_certain)
}

/// Of what is not known up to the end of the text, the last word or bracket that opens something: it stands there by itself, because what it
/// opens was not read as a whole.
fn unclosed<'t>(parsed: &'t Parsed, node: Node<'t>) -> Option<Node<'t>> {
    const OPENING: [&str; 14] =
        ["{", "(", "[", "class", "module", "def", "do", "if", "unless", "case", "while", "until", "begin", "for"];
    let to_end = node.is_error() && parsed.text[node.end_byte()..].trim().is_empty();
    let mut cursor = node.walk();
    let mut children = if to_end { node.children(&mut cursor).collect::<Vec<_>>() } else { Vec::new() };
    // Of a bracket that is closed, both stand there.
    for close in ["}", ")", "]"] {
        if children.iter().any(|child| child.kind() == close) {
            children.clear();
        }
    }
    children.into_iter().rfind(|child| !child.is_named() && OPENING.contains(&child.kind()))
}

fn at(parsed: &Parsed, node: Node, message: String, is_certain: bool) -> Problem {
    let start = node.start_position();
    let before = &parsed.text.as_bytes()[node.start_byte() - start.column..node.start_byte()];
    let characters = String::from_utf8_lossy(before).chars().count();
    let column = u32::try_from(characters + 1).ok();
    Problem { line: line(node), column, message, advice: None, unclosed: None, whole_as: None, is_certain }
}

/// The beginning, on one line.
fn shown(text: &str) -> String {
    let first = text.trim_start().lines().next().unwrap_or_default().trim_end();
    match first.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &first[..at]),
        None => first.to_owned(),
    }
}
