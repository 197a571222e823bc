//! The mutants of a change: its code with one small edit of a changed line.

use guard_sdk::files::{Kind, Language, kind_of};
use guard_sdk::language::{Definition, DefinitionKind, Outline};
use guard_sdk::{Change, File, Side};
use lexing::masked;

use crate::edits::{Edit, edits};

#[derive(Debug, Clone)]
pub struct Mutant {
    pub path: String,
    pub line: u32,
    /// The line as it is and as it becomes, without the blanks around it.
    pub was: String,
    pub becomes: String,
    /// The whole file.
    pub text: String,
}

/// At most `most`, spread over the changed lines: every line has one before any has two.
pub fn mutants(change: &Change, most: usize) -> Vec<Mutant> {
    let lines: Vec<(String, Vec<Mutant>)> = change.files().flat_map(|file| of_file(change, &file)).collect();
    let longest = lines.iter().map(|(_, of_line)| of_line.len()).max().unwrap_or_default();
    let rounds = (0..longest).flat_map(|round| lines.iter().filter_map(move |(_, of_line)| of_line.get(round)));
    rounds.take(most).cloned().collect()
}

/// By line.
fn of_file(change: &Change, file: &File) -> Vec<(String, Vec<Mutant>)> {
    let path = file.path();
    let languages = Language::of(path).and_then(|language| Some((language, lexing::Language::of(language)?)));
    let (Some((language, lexed)), Kind::Code) = (languages, kind_of(path)) else { return Vec::new() };
    let (Ok(text), Ok(outline)) = (file.after().text(), change.languages(Side::After).outline(path)) else {
        return Vec::new();
    };
    let Some(lines) = masked(&text, lexed) else { return Vec::new() };
    let changed = file.changed_lines();
    let mut found = Vec::new();
    let mut above = "";
    for line in &lines {
        let is_changed = changed.iter().any(|run| run.contains(&line.number));
        if is_changed && line.begins_in_code && runs(&outline, line.number) {
            let of_line = edits(language, line.text, &line.code, above).into_iter();
            let of_line = of_line.filter_map(|edit| mutant(path, &text, line.number, line.text, &edit)).collect();
            found.push((path.to_owned(), of_line));
        }
        above = if line.code.trim().is_empty() { above } else { &line.code };
    }
    found
}

/// Whether a line belongs to the body of a function that is no test, and helps none.
fn runs(outline: &Outline, line: u32) -> bool {
    let holds = |definition: &&Definition| definition.lines.first < line && line <= definition.lines.last;
    let is_for_tests = |definition: &Definition| match definition.kind {
        DefinitionKind::Test | DefinitionKind::Fixture => true,
        DefinitionKind::Module => matches!(definition.name.as_str(), "test" | "tests"),
        DefinitionKind::Function | DefinitionKind::Method | DefinitionKind::Class | DefinitionKind::Value => false,
    };
    let is_function =
        |definition: &Definition| matches!(definition.kind, DefinitionKind::Function | DefinitionKind::Method);
    let around: Vec<&Definition> = outline.definitions.iter().chain(&outline.inner).filter(holds).collect();
    around.iter().any(|definition| is_function(definition)) && !around.iter().any(|definition| is_for_tests(definition))
}

fn mutant(path: &str, text: &str, number: u32, line: &str, edit: &Edit) -> Option<Mutant> {
    let becomes = format!("{}{}{}", line.get(..edit.range.start)?, edit.with, line.get(edit.range.end..)?);
    let start = text.split_inclusive('\n').take(number as usize - 1).map(str::len).sum::<usize>();
    let rest = text.get(start..)?.strip_prefix(line)?;
    let whole = format!("{}{becomes}{rest}", &text[..start]);
    let (was, becomes) = (line.trim().to_owned(), becomes.trim().to_owned());
    Some(Mutant { path: path.to_owned(), line: number, was, becomes, text: whole })
}
