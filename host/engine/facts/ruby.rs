//! `Gemfile` and `*.gemspec`. Both are programs; the literal declarations are read, of which nearly all of them consist (<https://bundler.io/man/gemfile.5.html>, <https://guides.rubygems.org/specification-reference/>).

use super::DependencyKind;
use super::declared::Declared;

pub fn parse(text: &str) -> Declared {
    let mut declared = Declared::default();
    // For each open block, whether it is a group for development only.
    let mut blocks: Vec<bool> = Vec::new();
    for line in text.lines().map(code).map(str::trim).filter(|line| !line.is_empty()) {
        let (word, rest) = split(line);
        let in_dev = blocks.iter().any(|dev| *dev);
        let kind = if in_dev || dev_group(rest) { DependencyKind::Dev } else { DependencyKind::Normal };
        match word.rsplit('.').next().unwrap_or_default() {
            "gem" => add(&mut declared, rest, kind),
            "add_dependency" | "add_runtime_dependency" => add(&mut declared, rest, DependencyKind::Normal),
            "add_development_dependency" => add(&mut declared, rest, DependencyKind::Dev),
            "name" if word.contains('.') => {
                declared.name = literals(rest.trim_start_matches(['=', ' '])).into_iter().next()
            }
            "end" => drop(blocks.pop()),
            "group" => blocks.push(dev_only(rest)),
            "if" | "unless" | "case" | "begin" | "def" | "while" => blocks.push(false),
            _ if rest.ends_with(" do") || rest == "do" || rest.ends_with('|') && rest.contains(" do ") => {
                blocks.push(false)
            }
            _ => {}
        }
    }
    declared
}

/// Up to a `#` outside quotes.
fn code(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') => return &line[..at],
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
    }
    line
}

fn split(line: &str) -> (&str, &str) {
    let end = line.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(line.len());
    (&line[..end], line[end..].trim())
}

/// The first literal is the name, those that follow it directly are requirements.
fn add(declared: &mut Declared, rest: &str, kind: DependencyKind) {
    let rest = rest.trim_start_matches(['(', ' ']);
    let literals = literals(rest);
    if let Some((name, requirements)) = literals.split_first() {
        declared.add(name, &requirements.join(", "), kind);
    } else if !rest.is_empty() {
        declared.add_problem(format!("a dependency is not a literal: `{rest}`"));
    }
}

/// The quoted strings at the start, separated by commas.
fn literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let Some((literal, after)) = rest[1..].split_once(quote) else { break };
        if literal.contains("#{") || after.trim_start().starts_with("=>") {
            break;
        }
        found.push(literal.to_owned());
        match after.trim_start().strip_prefix(',') {
            Some(after) => rest = after.trim_start(),
            None => break,
        }
    }
    found
}

/// `group: :test`, `group: [:development, :test]`, `:group => :development`.
fn dev_group(rest: &str) -> bool {
    let group = ["group: ", "groups: ", ":group => ", ":groups => "].iter().find_map(|key| rest.split_once(key));
    group.is_some_and(|(_, groups)| dev_only(groups))
}

fn dev_only(groups: &str) -> bool {
    let mut symbols = groups.split(':').skip(1).map(|symbol| {
        let end = symbol.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(symbol.len());
        &symbol[..end]
    });
    let dev = |symbol: &str| matches!(symbol, "development" | "test" | "ci" | "lint" | "doc");
    symbols.next().is_some_and(|first| dev(first) && symbols.filter(|symbol| !symbol.is_empty()).all(dev))
}
