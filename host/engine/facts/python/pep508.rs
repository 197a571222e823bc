//! One requirement: `name[extra] >= 1 ; marker`, `name @ url`
//! (<https://packaging.python.org/en/latest/specifications/dependency-specifiers/>).

use super::super::DependencyKind;
use super::super::declared::Declared;

/// Name and requirement without extras and marker; None when the text is not a requirement.
pub fn parse(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let (name, rest) = text.split_at(text.find(|c| !plain(c)).unwrap_or(text.len()));
    if name.is_empty() {
        return None;
    }
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('[') {
        Some(extras) => extras.split_once(']')?.1.trim_start(),
        None => rest,
    };
    // A semicolon may belong to a URL; there the marker's needs a space before it.
    let (requirement, _marker) = match rest.strip_prefix('@') {
        Some(url) => url.split_once(" ;").unwrap_or((url, "")),
        None => rest.split_once(';').unwrap_or((rest, "")),
    };
    let starts = |c: char| matches!(c, '<' | '>' | '=' | '!' | '~' | '(' | '@' | ';');
    (rest.is_empty() || rest.starts_with(starts)).then(|| (name, requirement.trim()))
}

impl Declared {
    /// Adds a requirement, or a problem when the text is not one.
    pub fn require(&mut self, text: &str, kind: DependencyKind) {
        match parse(text) {
            Some((name, requirement)) => self.add(name, requirement, kind),
            None => self.add_problem(format!("not a requirement: `{}`", text.chars().take(80).collect::<String>())),
        }
    }
}
