//! The text of a `.case` file: markers and what stands between them.

use std::collections::BTreeSet;
use std::ops::Range;

/// One file of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    pub name: &'a str,
    pub text: &'a str,
    /// Of `text` in the whole.
    pub range: Range<usize>,
    /// Of the first line of `text`, from 1.
    pub line: usize,
}

/// What is wrong, and in which line, from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem {
    pub line: usize,
    pub what: String,
}

const MARKER: &str = "-- ";
const MARKER_END: &str = " --";

/// What editors and version control change or hide without a word.
const FORBIDDEN: [(char, &str); 3] = [('\r', "a carriage return"), ('\u{feff}', "a byte order mark"), ('\0', "a NUL")];

/// The sections in their order. There is at least one.
pub fn parse(bytes: &[u8]) -> Result<Vec<Section<'_>>, Problem> {
    let text = text(bytes)?;
    let mut sections: Vec<Section> = Vec::new();
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let next = at + line.len();
        let name = name(line.trim_end_matches('\n')).map_err(|what| Problem { line: index + 1, what })?;
        match (name, sections.last_mut()) {
            (Some(name), _) => sections.push(Section { name, text: "", range: next..next, line: index + 2 }),
            (None, Some(section)) => {
                section.range.end = next;
                section.text = &text[section.range.clone()];
            }
            // The comment.
            (None, None) => {}
        }
        at = next;
    }
    if sections.is_empty() {
        return Err(Problem { line: 1, what: "it holds no file; a file begins with a line `-- PATH --`".into() });
    }
    unique(&sections)?;
    Ok(sections)
}

/// `text` with `new` in the section `name`, which is the last one when it is new. The rest stays byte for byte. None: a `.case` file
/// cannot say `new`.
pub fn with(text: &str, name: &str, new: &str) -> Result<Option<String>, Problem> {
    let old = parse(text.as_bytes())?;
    let made = match old.iter().find(|section| section.name == name) {
        Some(section) => [&text[..section.range.start], new, &text[section.range.end..]].concat(),
        None => format!("{text}{MARKER}{name}{MARKER_END}\n{new}"),
    };
    let mut wanted: Vec<_> = old.iter().map(|section| (section.name, section.text)).collect();
    match wanted.iter_mut().find(|(other, _)| *other == name) {
        Some(section) => section.1 = new,
        None => wanted.push((name, new)),
    }
    let said = parse(made.as_bytes())
        .is_ok_and(|sections| sections.iter().map(|section| (section.name, section.text)).eq(wanted));
    Ok(said.then_some(made))
}

fn text(bytes: &[u8]) -> Result<&str, Problem> {
    let line = |end: usize| bytes[..end].iter().filter(|byte| **byte == b'\n').count() + 1;
    let text = std::str::from_utf8(bytes).map_err(|error| Problem {
        line: line(error.valid_up_to()),
        what: "it is not UTF-8; a case that is not needs a folder".into(),
    })?;
    for (character, name) in FORBIDDEN {
        if let Some(at) = text.find(character) {
            return Err(Problem { line: line(at), what: format!("{name}; a case that has one needs a folder") });
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        let what = "the last line has no line feed; a case that lacks one needs a folder".into();
        return Err(Problem { line: line(bytes.len()), what });
    }
    Ok(text)
}

/// Of a marker. Err: it is none, and was perhaps meant to be.
fn name(line: &str) -> Result<Option<&str>, String> {
    let trimmed = line.trim_end();
    let Some(name) = trimmed.strip_prefix(MARKER).and_then(|rest| rest.strip_suffix(MARKER_END)) else {
        return Ok(None);
    };
    if trimmed != line {
        return Err("blanks behind a marker".into());
    }
    if name.trim() != name || name.is_empty() {
        return Err("a marker is `-- PATH --` with one blank on either side of the path".into());
    }
    if name.contains(|character: char| character.is_control() || character == '\\') {
        return Err(format!("the path `{}` holds a backslash or a control character", name.escape_debug()));
    }
    if name.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(format!("`{name}` is not a path inside of the case: no `/` at its ends, no `.`, no `..`"));
    }
    Ok(Some(name))
}

/// No path stands there twice, and none is the folder of another.
fn unique(sections: &[Section]) -> Result<(), Problem> {
    let mut names = BTreeSet::new();
    let wrong = |section: &Section, what: &str| {
        Err(Problem { line: section.line - 1, what: format!("`{}` {what}", section.name) })
    };
    for section in sections {
        if !names.insert(section.name) {
            return wrong(section, "is there twice");
        }
    }
    for section in sections {
        let folders = section.name.match_indices('/').map(|(at, _)| &section.name[..at]);
        if folders.into_iter().any(|folder| names.contains(folder)) {
            return wrong(section, "is inside of another file");
        }
    }
    Ok(())
}
