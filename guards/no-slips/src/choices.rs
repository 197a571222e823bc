//! Choices between one thing and the same: both branches of a conditional expression, or two operands of `&&` and `||`.

use guard_sdk::Finding;
use guard_sdk::files::Language;
use lexing::Line;

use crate::blocks::Read;
use crate::subject::Subject;
use crate::words::aligned;

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    let mut old = None;
    let mut stood = |choice: &Choice| {
        let old = old.get_or_insert_with(|| {
            let read = subject.read_before();
            let choices = read.statements().map(|(block, one)| choice_of_same(block.lines_of(one), subject.language));
            choices.flatten().collect::<Vec<_>>()
        });
        old.contains(choice)
    };
    let mut findings = Vec::new();
    for (block, one) in read.statements().filter(|(_, one)| subject.has_new(one.first, one.last)) {
        let choice = choice_of_same(block.lines_of(one), subject.language);
        let Some(choice) = choice.filter(|choice| !stood(choice)) else {
            continue;
        };
        let message = match &choice {
            Choice::Branches(same) => format!("both branches are `{same}`, so that the condition decides nothing"),
            Choice::Operands(same) => format!("`{same}` is asked twice in one condition"),
        };
        let finding = Finding::error("choice-of-same", message).at(subject.path(), one.first);
        findings.push(finding.help("Write what was meant in the one place, or remove the other."));
    }
    findings
}

#[derive(PartialEq, Eq)]
enum Choice {
    Branches(String),
    Operands(String),
}

fn choice_of_same(lines: &[Line], language: Language) -> Option<Choice> {
    // Strings stand in the text alone, and decide whether two branches are the same.
    let (code, text) = aligned(lines)?;
    let (code, text) = (code.as_str(), text.as_str());
    let shown = |same: &str| same.chars().take(60).collect::<String>();
    let branches = match language {
        Language::Python => python_branches(code),
        Language::Go => None,
        _ => branches(code),
    };
    if let Some((first, second)) = branches {
        let (first, second) = (&text[first], &text[second]);
        // A call may answer otherwise, and be made for what it does, in neither place alone.
        if first.trim() == second.trim() && !first.trim().is_empty() {
            return Some(Choice::Branches(shown(first.trim())));
        }
    }
    let signs: &[&str] = if language == Language::Python { &[" and ", " or "] } else { &[" && ", " || "] };
    signs.iter().find_map(|sign| repeated_operand(code, text, sign)).map(|same| Choice::Operands(shown(same)))
}

type Span = std::ops::Range<usize>;

/// `condition ? first : second`, where nothing else of the statement has these signs.
fn branches(code: &str) -> Option<(Span, Span)> {
    let question = only(code, " ? ")?;
    let first = question + 3;
    let colon = first + only(&code[first..], " : ")?;
    let second = colon + 3;
    is_balanced(&code[first..colon]).then_some((first..colon, second..second + end_of_operand(&code[second..])))
}

/// `first if condition else second`.
fn python_branches(code: &str) -> Option<(Span, Span)> {
    let condition = only(code, " if ")?;
    let other = condition + only(&code[condition..], " else ")?;
    let first = start_of_operand(&code[..condition]);
    let second = other + " else ".len();
    Some((first..condition, second..second + end_of_operand(&code[second..])))
}

/// The operand that stands twice between the same signs, without calls: they may answer otherwise the second time.
fn repeated_operand<'t>(code: &str, text: &'t str, sign: &str) -> Option<&'t str> {
    let mut places = code.match_indices(sign).map(|(at, _)| at);
    let first_sign = places.next()?;
    let last_sign = places.last().unwrap_or(first_sign);
    let start = start_of_operand(&code[..first_sign]);
    let end = last_sign + sign.len() + end_of_operand(&code[last_sign + sign.len()..]);
    let whole = &code[start..end];
    let other = if sign.contains("&&") || sign.contains("and") { ["||", " or "] } else { ["&&", " and "] };
    if !is_balanced(whole) || whole.contains(['(', '[', '{', '?']) || other.iter().any(|sign| whole.contains(sign)) {
        return None;
    }
    let mut operands = Vec::new();
    for operand in text[start..end].split(sign) {
        let operand = operand.trim();
        if operands.contains(&operand) && operand.len() > 1 {
            return Some(operand);
        }
        operands.push(operand);
    }
    None
}

fn only(code: &str, sign: &str) -> Option<usize> {
    let mut places = code.match_indices(sign);
    let (at, _) = places.next()?;
    places.next().is_none().then_some(at)
}

fn is_balanced(code: &str) -> bool {
    [('(', ')'), ('[', ']'), ('{', '}')]
        .iter()
        .all(|(open, close)| code.matches(*open).count() == code.matches(*close).count())
}

/// Up to what closes the operand: the end of the statement, a comma, or the bracket around it.
fn end_of_operand(code: &str) -> usize {
    let mut depth = 0_u32;
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' | '{' if c == '{' && depth == 0 => return at,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return at,
            ')' | ']' | '}' => depth -= 1,
            ',' | ';' if depth == 0 => return at,
            ':' if depth == 0 && code[at + 1..].trim().is_empty() => return at,
            _ => {}
        }
    }
    code.len()
}

/// From what opens the operand: a bracket, a comma, an assignment, a word such as `return`.
fn start_of_operand(code: &str) -> usize {
    let mut depth = 0_u32;
    for (at, c) in code.char_indices().rev() {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth == 0 => return at + 1,
            '(' | '[' | '{' => depth -= 1,
            ',' | ';' if depth == 0 => return at + 1,
            '=' if depth == 0 && is_assignment(code, at) => return at + 1,
            _ => {}
        }
    }
    let words = ["return ", "if ", "elif ", "while ", "assert ", "yield ", "} else if ", "else if "];
    let statement = code.trim_start();
    let indent = code.len() - statement.len();
    indent + words.iter().find(|word| statement.starts_with(**word)).map_or(0, |word| word.len())
}

/// A sign of equality that compares nothing.
fn is_assignment(code: &str, at: usize) -> bool {
    let beside = |c: Option<char>| c.is_some_and(|c| "=!<>".contains(c));
    !beside(code[..at].chars().next_back()) && !beside(code[at + 1..].chars().next())
}
