//! What guards of one language share that ask whether a file still parses: which files are judged, what was broken before, which
//! files are broken on purpose, and how deep a file may nest.

mod depth;

use guard_sdk::files::{Globs, Kind, kind_of};
use guard_sdk::serde::Deserialize;
use guard_sdk::{Change, File, Finding, Severity, Verdict, log};

pub use depth::Recursion;
use depth::{BRACKETS, ELSES, Excess};

/// Why a text does not parse.
pub struct Problem {
    /// From 1.
    pub line: u32,
    /// From 1; None where the parser does not tell.
    pub column: Option<u32>,
    pub message: String,
}

impl Problem {
    /// At a byte of the text.
    pub fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = &text.as_bytes()[..offset.min(text.len())];
        // The end of the text is on its last line, though a line feed ends that.
        let before = if before.len() == text.len() { before.strip_suffix(b"\n").unwrap_or(before) } else { before };
        let line = before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() as u32 + 1;
        Problem { line, column: Some(column), message: message.into() }
    }
}

/// What a parser says of a text.
pub enum Parsed {
    Whole,
    Broken(Problem),
    /// It cannot say, for this reason.
    Unknown(&'static str),
    /// It is not asked, because the text is larger than it can read.
    Beyond(Problem),
}

/// A language: its name in rules, and its parser.
pub struct Language {
    /// The rule of its findings is `NAME-syntax`.
    pub rule: &'static str,
    pub parse: fn(&str) -> Parsed,
    /// Bytes of a line, where the parser recurses for each operator, or counts from its start.
    pub longest_line: usize,
    pub recursion: Recursion,
    /// Bytes of a file, as far as a call's fuel and memory go for both sides of it.
    pub largest: usize,
    /// How to fix a file, for a model.
    pub help: &'static str,
}

#[derive(Debug, Default, Deserialize)]
#[serde(crate = "guard_sdk::serde", deny_unknown_fields, default)]
pub struct Settings {
    /// Globs of paths.
    pub allow_broken: Globs,
}

/// The verdict on all files of a change. `language` chooses by the path and, where it is known, the text.
pub fn check(change: &Change, settings: &Settings, language: fn(&str, &str) -> Option<&'static Language>) -> Verdict {
    let (mut findings, mut judged, mut passed) = (Vec::new(), false, Vec::new());
    for file in change.files().filter(|file| has_news(file) && !settings.allow_broken.matches(file.path())) {
        match judge(&file, language) {
            Judged::NotMine => {}
            Judged::Holds => judged = true,
            Judged::Passed(why) => passed.push(format!("{}: {why}", file.path())),
            Judged::Broken(finding) => findings.push(*finding),
        }
    }
    if judged || !findings.is_empty() {
        passed.iter().for_each(log::info);
        return Verdict::from_findings(findings);
    }
    Verdict::not_applicable(match passed.is_empty() {
        true => "no touched file is in a language of this guard".to_owned(),
        false => passed.join("; "),
    })
}

enum Judged {
    NotMine,
    Holds,
    /// It does not parse, or cannot be read, and that is no fault of this change.
    Passed(String),
    Broken(Box<Finding>),
}

/// Whether the change gives the file a content of its own.
fn has_news(file: &File) -> bool {
    let (before, after) = (file.before(), file.after());
    let same = before.is_regular() && before.blob().map(|blob| &blob.oid) == after.blob().map(|blob| &blob.oid);
    after.is_regular() && !same
}

fn judge(file: &File, language: fn(&str, &str) -> Option<&'static Language>) -> Judged {
    let after = match file.after().text() {
        Ok(text) => text,
        Err(unreadable) if language(file.path(), "").is_some() => return Judged::Passed(unreadable.reason()),
        Err(_) => return Judged::NotMine,
    };
    let Some(language) = language(file.path(), &after) else { return Judged::NotMine };
    let before = file.before().is_regular().then(|| file.before().text().ok()).flatten();
    let (problem, beyond) = match parse(language, &after) {
        Parsed::Whole => return Judged::Holds,
        Parsed::Unknown(why) => return Judged::Passed(why.to_owned()),
        Parsed::Broken(problem) => (problem, false),
        Parsed::Beyond(problem) => (problem, true),
    };
    let half = |before: Option<&str>| before.is_some_and(|before| before.len() * 2 > language.largest);
    // What parsed before is not broken on purpose, does not grow out of sight, and becomes a template only among templates.
    let severity = match before.as_deref().map(|before| parse(language, before)) {
        Some(Parsed::Whole) if is_in_templates(file.path()) && has_marks(&after) => {
            return Judged::Passed("it is a template".to_owned());
        }
        // It was nearly as large before: nobody stuffed it to hide it.
        Some(Parsed::Whole) if beyond && after.len() > language.largest && half(before.as_deref()) => {
            return Judged::Passed(problem.message);
        }
        Some(Parsed::Whole) => Severity::Error,
        _ if beyond => return Judged::Passed(problem.message),
        Some(Parsed::Unknown(_)) => Severity::Error,
        Some(Parsed::Broken(_) | Parsed::Beyond(_)) => {
            return Judged::Passed("it did not parse before this change either".to_owned());
        }
        None if is_template(file.path(), &after) => return Judged::Passed("it is a template".to_owned()),
        None if is_fed_to_tests(file.path()) => Severity::Warning,
        None => Severity::Error,
    };
    let place = problem.column.map(|column| format!(" (column {column})")).unwrap_or_default();
    let finding = Finding::error(language.rule, format!("{}{place}", problem.message));
    let help = if after.trim().is_empty() {
        "The file is empty. Write its whole content, or leave the file as it was."
    } else {
        language.help
    };
    Judged::Broken(Box::new(Finding { severity, ..finding }.at(file.path(), problem.line).help(help)))
}

/// Within what the parser can follow.
pub fn parse(language: &Language, text: &str) -> Parsed {
    let Language { longest_line: most, largest, .. } = language;
    if text.len() > *largest {
        let message = format!("the file has more than {largest} bytes, and cannot be judged");
        return Parsed::Beyond(Problem { line: 1, column: None, message });
    }
    if let Some(at) = text.lines().position(|line| line.len() > *most) {
        let message = format!("the line has more than {most} bytes, and cannot be judged");
        return Parsed::Beyond(Problem { line: at as u32 + 1, column: None, message });
    }
    let problem = |line: u32, message: String| Problem { line, column: None, message };
    match depth::excess(text, language.recursion) {
        Some(Excess::Brackets(line)) => {
            Parsed::Broken(problem(line, format!("the file nests deeper than {BRACKETS} brackets")))
        }
        Some(Excess::Elses(line)) => {
            Parsed::Beyond(problem(line, format!("a chain of more than {ELSES} `else` cannot be judged")))
        }
        None => (language.parse)(text),
    }
}

/// Text that becomes a file of its language only after a template engine has run. Asked only of files that the change adds.
fn is_template(path: &str, text: &str) -> bool {
    is_in_templates(path) || has_marks(text) || text.starts_with("---\n")
}

fn is_in_templates(path: &str) -> bool {
    kind_of(path) == Kind::Template
}

fn has_marks(text: &str) -> bool {
    ["{{", "{%", "<%", "@@"].iter().any(|mark| text.contains(mark))
}

/// Asked only of files that the change adds: what feeds a parser's tests may be anything.
fn is_fed_to_tests(path: &str) -> bool {
    const WORDS: [&str; 9] = ["invalid", "malform", "broken", "bad", "unclosed", "unpars", "corrupt", "error", "fail"];
    let path_in_lower_case = path.to_ascii_lowercase();
    match kind_of(path) {
        Kind::TestData => true,
        Kind::Test => WORDS.iter().any(|word| path_in_lower_case.contains(word)),
        Kind::Code
        | Kind::Example
        | Kind::Template
        | Kind::Generated
        | Kind::Vendored
        | Kind::Document
        | Kind::Configuration
        | Kind::Lock
        | Kind::Other => false,
    }
}
