//! Ways out of a `finally`: they drop the error that was on its way, and whatever was to be returned.

use guard_sdk::Finding;
use guard_sdk::files::Language;

use crate::blocks::Read;
use crate::subject::Subject;
use crate::words::{Statement, begins_with, mentions};

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    let ways_out = |read: &Read| -> Vec<WayOut> {
        read.blocks.iter().flat_map(|block| ways_out(&block.statements, subject.language)).collect()
    };
    let mut found = ways_out(read);
    found.retain(|one| subject.is_new(one.line) || subject.is_new(one.block));
    if found.is_empty() {
        return Vec::new();
    }
    let old = ways_out(&subject.read_before());
    let is_new = |one: &&WayOut| !old.iter().any(|other| other.text == one.text);
    let word = if subject.language == Language::Ruby { "ensure" } else { "finally" };
    let finding = |one: &WayOut| {
        let message = format!("`{}` in `{word}` drops the error that was on its way", one.text);
        Finding::error("finally-leaves", message)
            .at(subject.path(), one.line)
            .related(subject.path(), one.block..=one.block, "the block")
            .help("Move it behind the block; to keep an error back, catch the kind that is meant.")
    };
    found.iter().filter(is_new).map(finding).collect()
}

struct WayOut {
    /// From 1, as that of the block.
    line: u32,
    block: u32,
    text: String,
}

fn ways_out(statements: &[Statement], language: Language) -> Vec<WayOut> {
    let begins: fn(&str) -> bool = match language {
        Language::Python => |code| code == "finally:",
        Language::Ruby => |code| code == "ensure",
        Language::JavaScript | Language::TypeScript | Language::Java => |code| code.ends_with("finally {"),
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for (at, block) in statements.iter().enumerate().filter(|(_, one)| begins(&one.code)) {
        let mut body = statements[at + 1..].iter().take_while(|one| one.indent > block.indent).peekable();
        while let Some(one) = body.next() {
            let code = one.code.as_str();
            // What stands in a function or a loop of the block leaves that.
            if opens_other(code, language) {
                while body.next_if(|inner| inner.indent > one.indent).is_some() {}
                continue;
            }
            let is_way = begins_with(code, "return")
                || (language != Language::Ruby && (begins_with(code, "break") || begins_with(code, "continue")));
            if is_way {
                let text = one.text.trim_end_matches(';').chars().take(60).collect();
                found.push(WayOut { line: one.first, block: block.first, text });
            }
        }
    }
    found
}

fn opens_other(code: &str, language: Language) -> bool {
    let words: &[&str] = match language {
        Language::Python => &["def", "async", "class", "for", "while"],
        Language::Ruby => &["def", "lambda", "define_method", "proc"],
        _ => &["function", "for", "while", "do", "switch", "class", "async"],
    };
    // A method of an object or a callback ends in the bracket of its body without a word that decides.
    let is_branch = ["if", "else", "} else", "try", "} catch", "} finally", "catch", "finally"]
        .iter()
        .any(|word| code.starts_with(word));
    words.iter().any(|word| begins_with(code, word))
        || code.contains("=>")
        || mentions(code, "function")
        || (language == Language::Ruby && (code.contains("->") || code.ends_with(" do") || code.ends_with('|')))
        || (language == Language::Java && code.contains("->"))
        || (!matches!(language, Language::Python | Language::Ruby) && code.ends_with(") {") && !is_branch)
}
