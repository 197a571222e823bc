//! A program in another language than the shell's: the command lines that it holds as texts, what it assigns, and the files that it names.

use super::analysis::LineContext;
use super::bypass::Bypass;
use super::words::{SimpleCommand, base_name};
use super::{files, git_command, variables};

/// Calls that only read a file.
const READING: [&str; 12] = [
    "exists",
    "isfile",
    "load",
    "open",
    "read",
    "readFile",
    "readFileSync",
    "read_bytes",
    "read_text",
    "readlines",
    "slurp",
    "stat",
];

/// Modes in which a file is opened to be written.
const WRITING_MODES: [&str; 12] = ["w", "a", "x", "wb", "ab", "xb", "wt", "at", "w+", "a+", "r+", "rb+"];

/// Words of programs that remove or move a file.
const REMOVING: [&str; 9] = ["remove", "rename", "rmdir", "rmtree", "rm", "rmSync", "unlink", "unlinkSync", "move"];

pub(super) fn bypass(text: &str, context: &LineContext) -> Option<Bypass> {
    let (texts, rest) = quoted(text);
    if let Some(found) = texts.iter().find_map(|text| context.clone().script(text)) {
        return Some(found);
    }
    rest.lines().find_map(|line| in_line(line, context))
}

/// The texts in quotes, without their escapes; and the program with those that are no command line by themselves.
fn quoted(text: &str) -> (Vec<String>, String) {
    let (mut found, mut rest) = (Vec::new(), String::new());
    let mut chars = text.chars();
    while let Some(quote) = chars.next() {
        if !matches!(quote, '\'' | '"' | '`') {
            rest.push(quote);
            continue;
        }
        let mut inner = String::new();
        while let Some(c) = chars.next() {
            match c {
                c if c == quote => break,
                '\\' => match chars.next() {
                    Some('n') => inner.push('\n'),
                    Some('t') => inner.push('\t'),
                    Some(other) => inner.push(other),
                    None => {}
                },
                c => inner.push(c),
            }
        }
        if !inner.contains(char::is_whitespace) {
            rest.extend([" ", &inner, " "]);
        }
        found.push(inner);
    }
    (found, rest)
}

/// Whether a line of a program opens files, and none of them to be written. What a program did all the same is seen after it.
fn only_reads(words: &[String]) -> bool {
    let name = |word: &String| word.rsplit(['.', ':']).next().unwrap_or_default().to_owned();
    let reads = words.iter().any(|word| READING.contains(&name(word).as_str()));
    let writes = words.iter().filter(|word| !word.contains('/')).any(|word| {
        let name = name(word).to_ascii_lowercase();
        WRITING_MODES.contains(&word.as_str())
            || ["write", "dump", "copy", "run", "system", "exec", "spawn", "call"]
                .iter()
                .any(|part| name.contains(part))
    });
    reads && !writes
}

/// A list of words, `["git", "commit", …]`, an assignment, `environ["NAME"] = "…"`, or a file that is opened.
fn in_line(line: &str, context: &LineContext) -> Option<Bypass> {
    let plain: String = line.chars().map(|c| if "'\"`[](){},;".contains(c) { ' ' } else { c }).collect();
    let words: Vec<String> = plain.split_whitespace().map(str::to_owned).collect();
    for (at, word) in words.iter().enumerate() {
        // `process.env.NAME` and `ENV NAME`.
        let name = word.rsplit(['.', '$', '%']).next().unwrap_or(word);
        let sign = words.get(at + 1).map_or("", String::as_str);
        let behind = match sign {
            "=" | ":" | "=>" | ":=" => words.get(at + 2),
            _ if word.ends_with(':') => words.get(at + 1),
            "==" | "!=" | "===" => None,
            _ => words.get(at + 1),
        };
        let (name, value) =
            name.split_once('=').unwrap_or((name.trim_end_matches(':'), behind.map_or("", String::as_str)));
        let value = value.trim_start_matches(['=', ':']);
        if variables::is_name(name)
            && !value.is_empty()
            && let Some(found) = variables::assigned(name, value, context)
        {
            return Some(found);
        }
    }
    let removes = words.iter().any(|word| REMOVING.contains(&word.rsplit(['.', ':']).next().unwrap_or(word)));
    if !removes && only_reads(&words) {
        return None;
    }
    let program = if removes { "rm" } else { "write" };
    let command = SimpleCommand {
        words: [program.to_owned()].into_iter().chain(words.iter().cloned()).collect(),
        ..Default::default()
    };
    files::written(&command, 0, context).or_else(|| {
        let git = words.iter().position(|word| base_name(word) == "git")?;
        git_command::bypass(&words[git + 1..], context)
    })
}
