//! Statements of SQL and commands of a shell that are put together over several lines, or under a name that a call is given.

use std::ops::RangeInclusive;

use guard_sdk::files::Language;
use lexing::Line;

use crate::pieces::{Hole, arguments, holes, texts};
use crate::signs::dense;

/// Where something is put together from values.
pub struct Composed {
    pub rule: &'static str,
    /// From 1: those of the text, and that of the call.
    pub lines: Vec<RangeInclusive<u32>>,
    pub shown: String,
}

/// Calls that send a statement to a database or prepare it there.
#[rustfmt::skip]
const DATABASE: [&str; 22] = [
    ".execute(", ".executemany(", ".executescript(", ".query(", ".queryRaw(", "$queryRawUnsafe(", "$executeRawUnsafe(", ".raw(", ".exec(", ".prepare(", "sqlx::query(", ".Query(", ".QueryRow(", ".Exec(", ".QueryContext(",
    ".QueryRowContext(", ".ExecContext(", ".executeQuery(", ".executeUpdate(", ".prepareStatement(", ".createQuery(", ".createNativeQuery(",
];
/// Beginnings of statements.
const VERBS: [&str; 5] = ["select ", "insert into ", "update ", "delete from ", "replace into "];

/// Calls that start a shell or may, by language, with what says that it is one; without a word, every call does.
const SHELLS: [(Language, &str, &[&str]); 18] = [
    (Language::Python, "os.system(", &[]),
    (Language::Python, "os.popen(", &[]),
    (Language::Python, "asyncio.create_subprocess_shell(", &[]),
    (Language::Python, "subprocess.run(", &["shell=True"]),
    (Language::Python, "subprocess.call(", &["shell=True"]),
    (Language::Python, "subprocess.check_call(", &["shell=True"]),
    (Language::Python, "subprocess.check_output(", &["shell=True"]),
    (Language::Python, "subprocess.Popen(", &["shell=True"]),
    (Language::JavaScript, "execSync(", &[]),
    (Language::JavaScript, "execAsync(", &[]),
    (Language::JavaScript, "child_process.exec(", &[]),
    (Language::JavaScript, "cp.exec(", &[]),
    (Language::Rust, "Command::new(", INTERPRETERS),
    (Language::Go, "exec.Command(", INTERPRETERS),
    (Language::Go, "exec.CommandContext(", INTERPRETERS),
    (Language::Java, "new ProcessBuilder(", INTERPRETERS),
    (Language::Java, ".exec(", INTERPRETERS),
    (Language::Ruby, "Open3.capture3(", INTERPRETERS),
];
/// A shell as the program, and that it is given a command.
const INTERPRETERS: &[&str] = &["\"-c\"", "\"-lc\"", "\"/C\"", "\"/c\"", "\"-Command\""];

/// Lines of one expression at most, and lines between a name and the call that is given it.
const LONGEST: usize = 20;
const APART: usize = 40;

/// Whether a text may have one at all.
pub fn may_have(text: &str) -> bool {
    let upper = ["SELECT", "INSERT INTO", "UPDATE ", "DELETE FROM", "REPLACE INTO"];
    let has = |signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
    has(&upper) || has(&VERBS) || SHELLS.iter().any(|(_, call, _)| text.contains(call)) || has(INTERPRETERS)
}

pub fn find(lines: &[Line], language: Language) -> Vec<Composed> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.begins_in_code && line.code.contains('(')) {
        let behind = |call: &str| {
            line.code.find(call).map(|place| place + call.len()).or_else(|| behind_types(&line.code, call))
        };
        if let Some(from) = DATABASE.iter().find_map(|call| behind(call)) {
            found.extend(statement(lines, at, from));
        }
        let is_of = |of: Language| of == language || (of == Language::JavaScript && language == Language::TypeScript);
        for (_, call, signs) in SHELLS.iter().filter(|(of, ..)| is_of(*of)) {
            let Some(from) = behind(call) else { continue };
            let starts = line.code.find(call).unwrap_or_default();
            let goes_on = line.code[..starts].ends_with(|c: char| c.is_alphanumeric() || "_.$".contains(c));
            if call.starts_with('.') || !goes_on {
                found.extend(command(lines, at, from, language, call, signs));
            }
        }
    }
    found
}

/// Behind the bracket of a call that is told types first: `$queryRawUnsafe<Row[]>(`.
fn behind_types(code: &str, call: &str) -> Option<usize> {
    let name = call.trim_end_matches('(');
    let open = code.find(name)? + name.len();
    let mut depth = 0_u32;
    let close = code[open..].char_indices().find_map(|(at, c)| {
        match c {
            '<' => depth += 1,
            '>' if depth == 1 => return Some(at),
            '>' => depth = depth.checked_sub(1)?,
            _ if depth == 0 => return Some(0),
            _ => {}
        }
        None
    })?;
    (close > 0 && code[open + close + 1..].starts_with('(')).then_some(open + close + 2)
}

/// An expression, and where it ends.
struct Expression {
    text: String,
    last: usize,
}

fn statement(lines: &[Line], at: usize, from: usize) -> Option<Composed> {
    let call = expression(lines, at, from, End::Bracket);
    let given = statement_of(&call.text);
    let composed = |text: &str| holes(text).iter().any(is_value);
    let begins = |text: &str| texts(text).first().is_some_and(|text| is_statement(text));
    let shown = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        text.chars().take(50).collect::<String>()
    };
    let of = |first: usize, last: usize| lines[first].number..=lines[last].number;
    if begins(given) {
        let lines = vec![of(at, call.last)];
        return composed(given).then(|| Composed { rule: "sql-from-text", lines, shown: shown(given) });
    }
    let name = *arguments(given).first()?;
    let assigned = assigned(lines, at, name);
    let whole = assigned.iter().any(|(_, one)| begins(&one.text));
    let (first, one) = assigned.iter().find(|(_, one)| composed(&one.text)).filter(|_| whole)?;
    let lines = vec![of(*first, one.last), of(at, at)];
    Some(Composed { rule: "sql-from-text", lines, shown: shown(&one.text) })
}

/// The first argument, but for the context of a call of Go.
fn statement_of(arguments: &str) -> &str {
    let first = first_argument(arguments);
    match arguments.get(first.len() + 1..) {
        Some(rest) if ["ctx", "c", "context.Background()", "context.TODO()", "r.Context()"].contains(&first.trim()) => {
            first_argument(rest)
        }
        Some(_) | None => first,
    }
}

fn command(lines: &[Line], at: usize, from: usize, language: Language, call: &str, signs: &[&str]) -> Option<Composed> {
    // The arguments of a builder stand in calls of their own.
    let whole = match call {
        "Command::new(" | "new ProcessBuilder(" => expression(lines, at, from - call.len(), End::Statement),
        _ => expression(lines, at, from, End::Bracket),
    };
    let told = dense(&whole.text);
    if signs == INTERPRETERS && !texts(&whole.text).first().is_some_and(|program| is_shell(program)) {
        return None;
    }
    let starts = match signs.iter().find_map(|sign| told.contains(sign).then_some(*sign)) {
        Some(sign) if language != Language::Python => whole.text.find(sign)? + sign.len(),
        Some(_) => 0,
        None if signs.is_empty() => 0,
        None => return None,
    };
    let behind = &whole.text[starts..];
    let shown = call.trim_end_matches('(').trim_start_matches('.').to_owned();
    let of = |first: usize, last: usize| lines[first].number..=lines[last].number;
    let composes = |text: &str| !is_quoted(text) && holes(text).iter().any(|hole| !is_constant(hole.value));
    // Only the first argument of a function is its command.
    let is_first = signs.is_empty() || language == Language::Python;
    let given = if is_first { first_argument(behind) } else { behind };
    if composes(given) {
        return Some(Composed { rule: "shell-from-text", lines: vec![of(at, whole.last)], shown });
    }
    let names = arguments(given);
    names.into_iter().find_map(|name| {
        let assigned = assigned(lines, at, name);
        let (first, one) = assigned.iter().find(|(_, one)| composes(&one.text))?;
        let lines = vec![of(*first, one.last), of(at, whole.last)];
        Some(Composed { rule: "shell-from-text", lines, shown: shown.clone() })
    })
}

fn is_shell(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    matches!(
        name,
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "cmd" | "cmd.exe" | "powershell" | "powershell.exe" | "pwsh"
    )
}

/// Up to the first comma that stands in no brackets and no text.
fn first_argument(text: &str) -> &str {
    let (mut depth, mut quote) = (0_i32, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c && !text[..at].ends_with('\\') => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => return &text[..at],
            (None, _) => {}
        }
    }
    text
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    /// The bracket that was open.
    Bracket,
    Statement,
}

/// From a byte of a line on, without comments.
fn expression(lines: &[Line], at: usize, from: usize, end: End) -> Expression {
    let mut depth = i32::from(end == End::Bracket);
    let mut text = String::new();
    let mut last = at;
    for (index, line) in lines.iter().enumerate().skip(at).take(LONGEST) {
        let start = if index == at { from } else { 0 };
        // A comment ends its line; of one that does not, the rest of the line is left out too.
        let until = line.comment.find(|c: char| !c.is_whitespace()).unwrap_or(line.text.len()).max(start);
        last = index;
        for (place, c) in line.code.get(start..until).unwrap_or_default().char_indices() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            }
            if (c == ';' && depth <= 0) || depth < i32::from(end == End::Bracket) {
                text.push_str(line.text.get(start..start + place).unwrap_or_default());
                return Expression { text, last };
            }
        }
        text.push_str(line.text.get(start..until).unwrap_or_default());
        text.push('\n');
        // What a string or a comment hides of a line is no sign at its end or beginning.
        let this = line.code.get(..until).unwrap_or_default().trim_end();
        let is_shown = line.text.get(..until).unwrap_or_default().trim_end().len() == this.len();
        let goes_on = |next: &Line| {
            let code = next.text.trim_start();
            !next.begins_in_code
                || depth > 0
                || (is_shown && this.ends_with(['+', '\\', '=', '(', ',', '&', '|']))
                || code.starts_with(['+', '.', '%', ')'])
        };
        if !lines.get(index + 1).is_some_and(goes_on) {
            break;
        }
    }
    Expression { text, last }
}

/// What a name is made of above a call, the nearest first: up to the line that gives it its beginning.
fn assigned(lines: &[Line], at: usize, name: &str) -> Vec<(usize, Expression)> {
    let mut found = Vec::new();
    for index in (at.saturating_sub(APART)..at).rev() {
        let line = &lines[index];
        if !line.begins_in_code {
            continue;
        }
        let code = line.code.trim_start();
        let words = [
            "def ",
            "async def ",
            "func ",
            "fn ",
            "pub fn ",
            "async fn ",
            "pub async fn ",
            "function ",
            "async function ",
        ];
        let is_outside =
            lines[at].text.len() - lines[at].text.trim_start().len() > line.text.len() - line.text.trim_start().len();
        if is_outside && words.iter().any(|word| code.starts_with(word)) {
            break;
        }
        let Some((from, adds)) = assignment(&line.code, name) else { continue };
        found.push((index, expression(lines, index, from, End::Statement)));
        if !adds {
            break;
        }
    }
    found
}

/// Where the value begins that a line gives to a name, and whether it is added to what the name has.
fn assignment(code: &str, name: &str) -> Option<(usize, bool)> {
    let trimmed = code.trim_start();
    let place = code.len() - trimmed.len();
    let at = place + trimmed.find(name)?;
    let before = &code[place..at];
    let is_declared = before.is_empty()
        || (before.ends_with(' ')
            && before.split_whitespace().all(|word| word.chars().all(|c| c.is_alphanumeric() || "_<>&".contains(c))));
    let rest = &code[at + name.len()..];
    if !is_declared || rest.starts_with(|c: char| c.is_alphanumeric() || "_.([".contains(c)) {
        return None;
    }
    let equals = rest.find('=').filter(|equals| !rest[equals + 1..].starts_with(['=', '>']))?;
    let adds = rest[..equals].trim() == "+";
    let is_plain = adds || rest[..equals].trim().is_empty() || rest.trim_start().starts_with(':');
    is_plain.then_some((at + name.len() + equals + 1, adds))
}

fn is_statement(text: &str) -> bool {
    let beginning: String = text.trim_start().chars().take(30).collect();
    let words = beginning.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ") + " ";
    VERBS.iter().any(|verb| words.starts_with(verb))
}

/// Whether a value stands where a statement has a value, and not the name of a table, a column or a placeholder.
fn is_value(hole: &Hole) -> bool {
    const NAMES: [&str; 17] = [
        "placeholder",
        "param",
        "mark",
        "table",
        "schema",
        "column",
        "col",
        "field",
        "index",
        "prefix",
        "dbname",
        "database",
        "quote",
        "escape",
        "literal",
        "int(",
        "len(",
    ];
    let left = hole.left.trim_end().to_lowercase();
    let stands = left.ends_with(['=', '<', '>', '\'']) || left.ends_with("'%") || left.ends_with(" like");
    let value = hole.value.to_lowercase();
    let is_number = hole.value.rsplit_once(':').is_some_and(|(_, form)| form.ends_with(['d', 'f']));
    let is_name = NAMES.iter().any(|name| value.contains(name)) || matches!(value.rsplit('.').next(), Some("ph" | "p"));
    // `{alias}.id`, `{function}(x)`, `{schema}_name`
    let goes_on = hole.right.starts_with(|c: char| c.is_alphanumeric() || "_.(".contains(c));
    stands && !is_name && !is_number && !goes_on && !is_constant(hole.value)
}

fn is_constant(value: &str) -> bool {
    let last = value.rsplit('.').next().unwrap_or(value);
    value == "sys.executable"
        || (last.chars().any(|c| c.is_ascii_uppercase())
            && last.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
}

/// Whether something in an expression keeps a value from being read as a command.
fn is_quoted(expression: &str) -> bool {
    let lower = expression.to_lowercase();
    ["quote", "escape", "shell_words", "shlex"].iter().any(|word| lower.contains(word))
}
