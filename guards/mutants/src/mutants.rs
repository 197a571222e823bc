//! The mutants of a change: its code with one small edit of a changed line.

use changed_code::{CodeLine, changed_code};
use guard_sdk::{Change, File};

use crate::edits::{Edit, edits};
use crate::unnoticed::for_other_machines;

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
    let lines: Vec<(String, Vec<Mutant>)> = change.files().flat_map(|file| from_file(change, &file)).collect();
    let longest = lines.iter().map(|(_, of_line)| of_line.len()).max().unwrap_or_default();
    let rounds = (0..longest).flat_map(|round| lines.iter().filter_map(move |(_, of_line)| of_line.get(round)));
    rounds.take(most).cloned().collect()
}

/// By line.
fn from_file(change: &Change, file: &File) -> Vec<(String, Vec<Mutant>)> {
    let path = file.path();
    let Some(changed) = changed_code(change, file) else { return Vec::new() };
    let elsewhere = for_other_machines(&changed.text);
    let of_line = |line: &CodeLine| {
        let of_line = edits(changed.language, &line.text, &line.code, &line.above).into_iter();
        let of_line = of_line.filter_map(|edit| mutant(path, &changed.text, line.number, &line.text, &edit)).collect();
        (path.to_owned(), of_line)
    };
    changed.lines.iter().filter(|line| !elsewhere.contains(&line.number)).map(of_line).collect()
}

fn mutant(path: &str, text: &str, number: u32, line: &str, edit: &Edit) -> Option<Mutant> {
    let becomes = format!("{}{}{}", line.get(..edit.range.start)?, edit.with, line.get(edit.range.end..)?);
    let start = text.split_inclusive('\n').take(number as usize - 1).map(str::len).sum::<usize>();
    let rest = text.get(start..)?.strip_prefix(line)?;
    let whole = format!("{}{becomes}{rest}", &text[..start]);
    let (was, becomes) = (line.trim().to_owned(), becomes.trim().to_owned());
    Some(Mutant { path: path.to_owned(), line: number, was, becomes, text: whole })
}
