//! The lines of code that a change touches: those in the bodies of functions, without tests and what helps them.

use guard_sdk::files::{Kind, Language, kind_of};
use guard_sdk::language::{Definition, DefinitionKind, Outline};
use guard_sdk::{Change, File, Side};
use lexing::Lines;

/// One line of the candidate's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeLine {
    pub number: u32,
    pub text: String,
    /// The same without what strings and comments hold.
    pub code: String,
    /// The code of the nearest line above that has any.
    pub above: String,
}

/// A file with the lines of it that a change touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedCode {
    pub language: Language,
    /// The candidate's.
    pub text: String,
    pub lines: Vec<CodeLine>,
}

/// None of a file that holds no code, or whose language nobody reads.
pub fn changed_code(change: &Change, file: &File) -> Option<ChangedCode> {
    let path = file.path();
    let language = Language::from_path(path)?;
    if kind_of(path) != Kind::Code {
        return None;
    }
    let text = file.after().text().ok()?;
    let outline = change.languages(Side::After).outline(path).ok()?;
    let changed = file.changed_lines();
    let all = Lines::read(&text, language)?;
    let mut lines = Vec::new();
    for run in changed {
        let above = (1..*run.start()).rev().flat_map(|number| all.masked(number..=number));
        let mut above = above.map(|line| line.code).find(|code| !code.trim().is_empty()).unwrap_or_default();
        for line in all.masked(run) {
            if line.begins_in_code && is_of_a_function(&outline, line.number) {
                let (number, text, code) = (line.number, line.text.to_owned(), line.code.clone());
                lines.push(CodeLine { number, text, code, above: above.clone() });
            }
            if !line.code.trim().is_empty() {
                above = line.code;
            }
        }
    }
    Some(ChangedCode { language, text, lines })
}

/// Whether a line belongs to the body of a function that is no test, and helps none.
fn is_of_a_function(outline: &Outline, line: u32) -> bool {
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
