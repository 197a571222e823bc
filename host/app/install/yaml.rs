//! Settings in YAML: lines of ours are put below a key that is there, or the file is new. Nothing else in the file is read or written.

use super::{command_line, marked};

fn command() -> String {
    command_line::shell_line(command_line::SHARED, &["hook", "git", "pre-commit"])
}

/// Which program reads the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum YamlFile {
    Lefthook,
    PreCommit,
}

impl YamlFile {
    /// Top-level keys under which ours stands: for lefthook one for each hook.
    fn keys(self) -> &'static [&'static str] {
        match self {
            YamlFile::Lefthook => &["pre-commit"],
            YamlFile::PreCommit => &["repos"],
        }
    }

    /// Where there was no file.
    fn fresh(self) -> String {
        match self {
            YamlFile::Lefthook => marked::block(&lefthook("commands", "  ", YamlForm::Whole)),
            YamlFile::PreCommit => marked::block(&format!("repos:\n{}", pre_commit(""))),
        }
    }
}

enum YamlForm {
    /// With the names of the hook and of the list.
    Whole,
    /// With the name of the list.
    List,
    Item,
}

fn lefthook(list: &str, indent: &str, form: YamlForm) -> String {
    let run = command();
    let item = match list {
        "jobs" => format!("{indent}{indent}- name: guardhost\n{indent}{indent}  run: {run}\n"),
        _ => format!("{indent}{indent}guardhost:\n{indent}{indent}  run: {run}\n"),
    };
    match form {
        YamlForm::Whole => format!("pre-commit:\n{indent}{list}:\n{item}"),
        YamlForm::List => format!("{indent}{list}:\n{item}"),
        YamlForm::Item => item,
    }
}

fn pre_commit(indent: &str) -> String {
    let lines = [
        "- repo: local".to_owned(),
        "  hooks:".to_owned(),
        "    - id: guardhost".to_owned(),
        "      name: guardhost".to_owned(),
        format!("      entry: {}", command()),
        "      language: system".to_owned(),
        "      pass_filenames: false".to_owned(),
        "      always_run: true".to_owned(),
        "      stages: [pre-commit, pre-push]".to_owned(),
    ];
    lines.iter().map(|line| format!("{indent}{line}\n")).collect()
}

/// # Errors
/// A sentence with the lines that a person can add.
pub(super) fn install(file: YamlFile, before: Option<&str>) -> Result<String, String> {
    let Some(before) = before else { return Ok(file.fresh()) };
    let text = match remove(before) {
        Some(text) => text,
        None => return Ok(file.fresh()),
    };
    let key = file.keys()[0];
    let Some((at, end)) = top_level(&text, key) else {
        // The block has the key too, and stands at the end.
        return Ok(marked::insert(&text, text.len(), &file.fresh()));
    };
    let by_hand =
        || format!("`{key}` is written in a form that is not edited here; add this yourself:\n{}", file.fresh());
    if !is_bare(&text[at..end], key) {
        return Err(by_hand());
    }
    let below = &text[end..];
    match file {
        YamlFile::PreCommit => {
            let indent = indent_of_first(below).unwrap_or_default();
            Ok(marked::insert(&text, end, &marked::block(&pre_commit(&indent))))
        }
        YamlFile::Lefthook => {
            let indent = indent_of_first(below).filter(|indent| !indent.is_empty()).ok_or_else(by_hand)?;
            for list in ["commands", "jobs"] {
                let header = format!("{indent}{list}:");
                if let Some((_, end)) = child(&text, end, &header) {
                    let inner = indent_of_first(&text[end..]).unwrap_or_default();
                    // Only the indentation that is written here is met; another would make another list.
                    let lines = lefthook(list, &indent, YamlForm::Item);
                    let lines = lines.replace(&format!("\n{indent}{indent}"), &format!("\n{inner}"));
                    let lines = format!("{inner}{}", lines.trim_start());
                    return Ok(marked::insert(&text, end, &marked::block(&lines)));
                }
            }
            Ok(marked::insert(&text, end, &marked::block(&lefthook("commands", &indent, YamlForm::List))))
        }
    }
}

/// The text as it was before; None when there was no file.
pub(super) fn remove(text: &str) -> Option<String> {
    match marked::remove(text) {
        None => Some(text.to_owned()),
        Some(rest) => Some(rest).filter(|rest| !rest.is_empty()),
    }
}

/// The line of a top-level key: where it begins and where the next one does.
fn top_level(text: &str, key: &str) -> Option<(usize, usize)> {
    child(text, 0, &format!("{key}:"))
}

/// The first line from `from` on that begins so, before the block of its parent ends.
fn child(text: &str, from: usize, header: &str) -> Option<(usize, usize)> {
    let is_nested = header.starts_with(' ');
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        if line.starts_with(header) {
            return Some((at, at + line.len()));
        }
        let is_content = !line.trim().is_empty() && !line.trim_start().starts_with('#');
        if is_nested && is_content && !line.starts_with(' ') {
            return None;
        }
        at += line.len();
    }
    None
}

/// The key has nothing behind it on its line but a comment.
fn is_bare(line: &str, key: &str) -> bool {
    let rest = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':')).unwrap_or(line).trim();
    rest.is_empty() || rest.starts_with('#')
}

/// The blanks before the first line with content.
fn indent_of_first(text: &str) -> Option<String> {
    let line = text.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))?;
    Some(line[..line.len() - line.trim_start().len()].to_owned())
}
