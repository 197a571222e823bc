//! The template of the question, `template.md`, filled with values.

/// Sections, each begun by a `%%` line. A section that names a value is left out when the value is empty. A line `{name}` is
/// replaced by the value.
const TEMPLATE: &str = include_str!("template.md");

/// Fills the template in one pass, so that nothing in a value is taken for a name. `values` are pairs of a name and a value.
pub(super) fn render(values: &[(&str, &str)]) -> String {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| *value);
    let mut text = String::new();
    let mut shown = true;
    for line in TEMPLATE.lines() {
        if let Some(name) = line.strip_prefix("%%") {
            let name = name.trim();
            shown = name.is_empty() || !value(name).is_empty();
            if shown {
                text.push('\n');
            }
        } else if shown {
            let name = line.strip_prefix('{').and_then(|line| line.strip_suffix('}'));
            text.push_str(name.map_or(line, value));
            text.push('\n');
        }
    }
    text
}
