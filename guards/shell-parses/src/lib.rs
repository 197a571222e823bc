//! Every touched shell script still parses.

mod rules;

use brush_parser::{ParseError, Parser, ParserOptions};
use guard_parsing::{Language, Parsed, Problem, Settings, check};
use guard_sdk::{About, Change, Guard, Stage, Verdict, guard};

pub struct ShellParses;

static SHELL: Language = Language {
    rule: "shell-syntax",
    parse,
    help: "Mend this line so that `bash -n` accepts the file: every `if` has its `fi`, every `do` its `done`, every `case` its `esac`; quotes, brackets and here-documents are closed. The cause may stand a few lines above.",
};

impl Guard for ShellParses {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "Every touched shell script that parsed before still parses, and so does every added one.",
        stages: &[Stage::Content],
        globs: &["*.sh", "*.bash", "*.ksh", "bin/*", "scripts/*", "script/*", ".husky/*"],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_syntax_check.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        Ok(check(change, &settings, |path, text| is_shell(path, text).then_some(&SHELL)))
    }
}

/// By the ending, unless the first line names another interpreter; by the first line where there is no ending.
fn is_shell(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let named = [".sh", ".bash", ".ksh"].iter().any(|ending| name.ends_with(ending));
    let program = text.lines().next().and_then(|line| line.strip_prefix("#!")).map(|line| {
        let mut words = line.split_whitespace().filter(|word| !word.starts_with('-') && !word.contains('='));
        let first = words.next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
        if first == "env" { words.next().unwrap_or_default() } else { first }
    });
    match program {
        Some(program) => ["sh", "bash", "dash", "ksh", "ash"].contains(&program) && (named || !name.contains('.')),
        None => named,
    }
}

fn parse(text: &str) -> Parsed {
    let options = ParserOptions::default();
    let (position, message) = match Parser::new(text.as_bytes(), &options).parse_program() {
        Ok(_) => return Parsed::Whole,
        Err(ParseError::ParsingNear(position)) => (Some(position), "the shell does not understand this".to_owned()),
        Err(ParseError::ParsingAtEndOfInput) => (None, "the file ends inside of a command".to_owned()),
        Err(ParseError::Tokenizing { inner, position }) => (position, inner.to_string()),
    };
    let line = position.as_ref().map_or(text.lines().count().max(1), |position| position.line);
    Parsed::Broken(Problem { line: line as u32, column: position.map(|position| position.column as u32), message })
}

guard!(ShellParses);
