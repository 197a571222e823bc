//! Handlers that do nothing.

use lexing::{Language, Line};

/// A handler, where it begins, and whether the change may mean it: it says why, or catches one kind only.
pub struct Handler {
    /// Index in the lines.
    pub first: usize,
    pub last: usize,
    pub is_mild: bool,
    pub shown: String,
}

pub fn handlers(lines: &[Line], language: Language, path: &str) -> Vec<Handler> {
    match language {
        Language::Python => (0..lines.len()).filter_map(|at| python(lines, at)).collect(),
        Language::Backtick if path.ends_with(".go") => (0..lines.len()).filter_map(|at| go(lines, at)).collect(),
        Language::Backtick | Language::Braces => (0..lines.len()).filter_map(|at| braces(lines, at)).collect(),
        Language::Shell if path.ends_with(".rb") => (0..lines.len()).filter_map(|at| ruby(lines, at)).collect(),
        _ => Vec::new(),
    }
}

/// Without one of these, a text has no handler.
pub fn handler_words(language: Language, path: &str) -> &'static [&'static str] {
    match language {
        Language::Python => &["except"],
        Language::Backtick if path.ends_with(".go") => &["err != nil"],
        Language::Backtick | Language::Braces => &["catch"],
        Language::Shell if path.ends_with(".rb") => &["rescue"],
        _ => &[],
    }
}

fn indentation(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

fn has_comment(lines: &[Line]) -> bool {
    lines.iter().any(|line| line.comment.chars().any(char::is_alphabetic))
}

/// Whether the last statement before a handler sets something to true: what failed is then known by its not being true.
fn records_success(lines: &[Line], handler: usize) -> bool {
    let last = lines[..handler].iter().rev().map(|line| line.code.trim()).find(|code| !matches!(*code, "" | "}"));
    let set = last.and_then(|code| code.trim_end_matches(';').rsplit_once('='));
    set.is_some_and(|(name, value)| !name.ends_with(['=', '!', '<', '>']) && matches!(value.trim(), "true" | "True"))
}

/// Names that catch whatever there is.
const BROAD: [&str; 5] = ["", "Exception", "BaseException", "(Exception", "object"];

fn python(lines: &[Line], at: usize) -> Option<Handler> {
    let line = &lines[at];
    let code = line.code.trim();
    if !line.begins_in_code || !(code == "except:" || code.starts_with("except ") || code.starts_with("except:")) {
        return None;
    }
    let (head, tail) = code.split_once(':')?;
    let caught = head.trim_start_matches("except").trim_start_matches('*').trim();
    let kind = caught.split([' ', ',']).next().unwrap_or_default();
    let nothing = |text: &str| matches!(text, "pass" | "..." | "continue");
    let last = match tail.trim() {
        "" => {
            let next = (at + 1..lines.len()).find(|next| !lines[*next].is_blank())?;
            let is_body = indentation(lines[next].text) > indentation(line.text);
            let does_nothing = matches!(lines[next].code.trim(), "pass" | "...");
            // Another statement of the same body follows.
            let more = (next + 1..lines.len()).find(|more| !lines[*more].text.trim().is_empty());
            let goes_on = more.is_some_and(|more| indentation(lines[more].text) >= indentation(lines[next].text));
            (is_body && does_nothing && !goes_on).then_some(next)?
        }
        tail if nothing(tail) => at,
        _ => return None,
    };
    let is_mild = !BROAD.contains(&kind) || has_comment(&lines[at..=last]) || records_success(lines, at);
    Some(Handler {
        first: at,
        last,
        is_mild,
        shown: format!("{head}: {}", lines[last].code.trim().trim_start_matches(head).trim_start_matches(": ")),
    })
}

/// `catch (e) {}` of JavaScript, Java, C#, Kotlin, PHP, Swift and the like.
fn braces(lines: &[Line], at: usize) -> Option<Handler> {
    let line = &lines[at];
    let code = &line.code;
    let begin = code.find("catch")?;
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "_$.".contains(c));
    if is_word(code[..begin].chars().next_back()) || is_word(code[begin + 5..].chars().next()) {
        return None;
    }
    let behind = code[begin + 5..].trim_start();
    let (caught, rest) = match behind.strip_prefix('(') {
        Some(inside) => inside.split_once(')')?,
        None => ("", behind),
    };
    let body = rest.trim_start().strip_prefix('{')?;
    let last = match body.trim_start().chars().next() {
        Some('}') => at,
        Some(_) => return None,
        None => {
            let next = (at + 1..lines.len()).find(|next| !lines[*next].is_blank())?;
            (lines[next].code.trim().starts_with('}')).then_some(next)?
        }
    };
    // A type that is no common ancestor is one kind; in JavaScript there is none.
    const ANY: [&str; 8] = [
        "Exception",
        "Throwable",
        "Error",
        "\\Exception",
        "\\Throwable",
        "RuntimeException",
        "System.Exception",
        "unknown",
    ];
    let words: Vec<&str> = caught.split([' ', ':']).filter(|word| !word.is_empty() && *word != "final").collect();
    let is_one_kind = words.len() >= 2 && !words.iter().any(|word| ANY.contains(word) || *word == "any");
    let is_mild = is_one_kind || has_comment(&lines[at..=last]) || records_success(lines, at);
    Some(Handler { first: at, last, is_mild, shown: line.text.trim().chars().take(60).collect() })
}

fn go(lines: &[Line], at: usize) -> Option<Handler> {
    let code = lines[at].code.trim();
    let last = match code {
        "if err != nil {" => (at + 1..lines.len())
            .find(|next| !lines[*next].is_blank())
            .filter(|next| lines[*next].code.trim() == "}")?,
        "if err != nil {}" => at,
        _ => return None,
    };
    Some(Handler { first: at, last, is_mild: has_comment(&lines[at..=last]), shown: "if err != nil {}".into() })
}

fn ruby(lines: &[Line], at: usize) -> Option<Handler> {
    let code = lines[at].code.trim();
    let is_rescue = code == "rescue"
        || code.starts_with("rescue =>")
        || code.starts_with("rescue StandardError")
        || code.starts_with("rescue Exception");
    if !is_rescue || !lines[at].begins_in_code {
        return None;
    }
    let next = (at + 1..lines.len()).find(|next| !lines[*next].is_blank())?;
    let ends = matches!(lines[next].code.trim(), "end" | "nil");
    // `nil` is what the method gives then.
    let gives = lines[next].code.trim() == "nil";
    let is_mild = gives || has_comment(&lines[at..=next]);
    ends.then(|| Handler { first: at, last: next, is_mild, shown: code.to_owned() })
}
