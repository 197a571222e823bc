use guard_sdk::{About, Change, File, Finding, Guard, Line, Rule, Stage, Verdict, guard};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    max_line_length: usize,
    todo_owner: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { max_line_length: 120, todo_owner: true }
    }
}

pub struct Lines;

impl Guard for Lines {
    type Settings = Settings;

    const ABOUT: About = About {
        id: "{{name}}",
        version: env!("CARGO_PKG_VERSION"),
        promise: "No line comes in that is too long, and no TODO without an owner.",
        stages: &[Stage::Content],
        rules: &[
            Rule::new("long-line", "a new line has more characters than the limit"),
            Rule::new("todo-without-owner", "a new TODO names no owner"),
            Rule::new("unreadable", "a file is not text, and was not judged"),
        ],
        settings_schema: r#"{"type": "object", "additionalProperties": false, "properties": {
            "max_line_length": {"type": "integer", "minimum": 1, "default": 120, "description": "Characters (Unicode scalar values)."},
            "todo_owner": {"type": "boolean", "default": true, "description": "Whether a TODO must name its owner."}}}"#,
        event: "{{name}}.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let mut findings = Vec::new();
        for file in change.files().filter(|file| file.after().is_regular()) {
            match file.added_lines() {
                Ok(lines) => lines.iter().for_each(|line| judge(file, line, &settings, &mut findings)),
                Err(why) => {
                    let what = format!("{} was not judged: {}", file.path(), why.reason());
                    findings.push(Finding::info("unreadable", what).file(file.path()));
                }
            }
        }
        Ok(Verdict::from_findings(findings))
    }
}

guard!(Lines);

fn judge(file: File, line: &Line, settings: &Settings, findings: &mut Vec<Finding>) {
    let limit = settings.max_line_length;
    let length = line.text.chars().count();
    if length > limit {
        findings.push(
            Finding::error("long-line", format!("this line has {length} characters, {limit} is the limit"))
                .at(file.path(), line.number)
                .help(format!("Break it into lines of at most {limit} characters.")),
        );
    }
    if settings.todo_owner && unowned(&line.text) {
        findings.push(
            Finding::error("todo-without-owner", "this TODO has no owner")
                .at(file.path(), line.number)
                .help("Write TODO(name), or leave it out."),
        );
    }
}

/// Whether the word TODO stands there without `(name)` right behind it.
fn unowned(text: &str) -> bool {
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices("TODO").any(|(at, word)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(in_word) && !after.starts_with(in_word) && !names_someone(after)
    })
}

fn names_someone(after: &str) -> bool {
    let name = after.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    name.is_some_and(|(name, _)| !name.is_empty() && !name.contains('('))
}
