//! Templates: what becomes a configuration file only after a template engine has run.

/// Whether lines of the text, or its place, are a template engine's. Values that hold an action are no reason: they are
/// let pass one by one.
pub fn is_template(path: &str, text: &str) -> bool {
    path.contains("{{") || path.contains("{%") || text.lines().any(is_action)
}

/// `{% if … %}`, `{{- if … }}`, `<% … %>`, alone on their line or in a comment.
fn is_action(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches(['#', '/', ' ', '"']);
    ["{%", "{{", "<%"].iter().any(|open| line.starts_with(open))
}
