//! INI has no grammar, only readers. Two are common enough to hold a file to: Python's `configparser`
//! (<https://docs.python.org/3/library/configparser.html>) and EditorConfig (<https://spec.editorconfig.org>).
//! No crate reads as `configparser` does: they are laxer about what comes before a section and what repeats.

use std::collections::HashSet;

use super::Problem;

/// With `configparser`'s defaults: strict, values required, comments on lines of their own.
pub fn config_parser(text: &str) -> Result<(), Problem> {
    let mut sections = HashSet::new();
    let mut options = HashSet::new();
    let mut in_section = false;
    // Of the option that a line indented deeper than this goes on with.
    let mut option_indent = None;
    for (index, line) in text.lines().enumerate() {
        let content = line.trim();
        let indent = line.len() - line.trim_start().len();
        let problem = |message: String| Problem::on(index + 1, line[..indent].chars().count() + 1, message);
        if content.is_empty() || content.starts_with(['#', ';']) {
            continue;
        }
        if option_indent.is_some_and(|option| indent > option) {
            continue;
        }
        if let Some(name) = header(content) {
            if name != "DEFAULT" && !sections.insert(name) {
                return Err(problem(format!("section [{name}] is there already")));
            }
            options.clear();
            in_section = true;
            option_indent = None;
        } else if !in_section {
            return Err(problem(format!("`{}` stands before any [section]", shortened(content))));
        } else {
            let Some((key, _)) = content.split_once(['=', ':']) else {
                let what = if content.starts_with('[') {
                    "a section header without `]`"
                } else {
                    "neither a [section] nor `key = value`"
                };
                return Err(problem(format!("`{}` is {what}", shortened(content))));
            };
            let key = key.trim();
            if key.is_empty() {
                return Err(problem("no key before the `=`".to_owned()));
            }
            if !options.insert(key.to_lowercase()) {
                return Err(problem(format!("key `{}` is there already in this section", shortened(key))));
            }
            option_indent = Some(indent);
        }
    }
    Ok(())
}

/// Keys may stand before the first section, and sections may repeat.
pub fn editor_config(text: &str) -> Result<(), Problem> {
    for (index, line) in text.lines().enumerate() {
        let content = line.trim();
        if content.is_empty()
            || content.starts_with(['#', ';'])
            || header(content).is_some()
            || content.contains(['=', ':'])
        {
            continue;
        }
        let message = format!("`{}` is neither a [section], nor `key = value`, nor a comment", shortened(content));
        return Err(Problem::on(index + 1, 1, message));
    }
    Ok(())
}

/// As far as the last `]`: what follows it is ignored, and the name may hold brackets itself.
fn header(content: &str) -> Option<&str> {
    let rest = content.strip_prefix('[')?;
    let end = rest.rfind(']')?;
    (end > 0).then(|| &rest[..end])
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
