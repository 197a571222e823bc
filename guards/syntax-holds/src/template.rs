//! Templates: text that becomes a file of its syntax only after a template engine has run.

use crate::syntax::Syntax;

/// Whether the text waits for a template engine. Asked only of a text that does not parse, so that what merely holds
/// braces is judged: a workflow's `${{ … }}`, a playbook's quoted `"{{ … }}"`, the `style={{ … }}` of JSX.
///
/// `before` is the same file in the base, if it parsed there. A file that was no template does not become one
/// because a line of it broke; it does when it gains its first action, or its first line that is nothing but an action.
pub fn is_template(path: &str, syntax: &Syntax, before: Option<&str>, after: &str) -> bool {
    if path.contains("{{") || path.contains("{%") {
        return true;
    }
    let gains = |has: fn(&str, bool) -> bool| {
        has(after, syntax.is_data()) && !before.is_some_and(|text| has(text, syntax.is_data()))
    };
    gains(has_action) || gains(has_action_line) || (in_template_folder(path) && has_action(after, syntax.is_data()))
}

fn in_template_folder(path: &str) -> bool {
    path.split('/').rev().skip(1).any(|part| part.to_ascii_lowercase().contains("template"))
}

fn has_action(text: &str, data: bool) -> bool {
    text.lines().any(|line| action_in(line, data))
}

fn has_action_line(text: &str, data: bool) -> bool {
    text.lines().any(|line| {
        let line = line.trim();
        let delimited = |open, close| line.starts_with(open) && line.ends_with(close);
        (delimited("{{", "}}") || delimited("{%", "%}") || delimited("<%", "%>")) && action_in(line, data)
    })
}

/// In bytes, on one line; so that a line of a million braces is not searched to its end for each of them.
const LONGEST_ACTION: usize = 400;

/// `{{ … }}`, `{% … %}`, `<% … %>`, and `${…}` in data, outside of quotes.
fn action_in(line: &str, data: bool) -> bool {
    [("{%", "%}"), ("<%", "%>"), ("{{", "}}"), ("${", "}")].into_iter().any(|(open, close)| {
        // Both kinds of quotes before the place, counted on from the place before it.
        let (mut counted, mut double, mut single) = (0, 0, 0);
        line.match_indices(open).any(|(at, _)| {
            double += line[counted..at].matches('"').count();
            single += line[counted..at].matches('\'').count();
            counted = at;
            let (before, inside) = (&line[..at], &line[at + open.len()..]);
            let nearby = &inside[..inside.floor_char_boundary(LONGEST_ACTION)];
            match open {
                _ if double % 2 == 1 || single % 2 == 1 => false,
                // An action may go on on the next line.
                "{{" if data => !before.ends_with('$'),
                // In code two braces are also an object in an attribute, or a set in a set.
                "{{" => {
                    !before.trim_end().ends_with(['=', '(', ','])
                        && nearby.find(close).is_some_and(|end| is_name(&nearby[..end]))
                }
                "${" => data && !inside.starts_with('{') && nearby.contains(close),
                _ => nearby.contains(close),
            }
        })
    })
}

/// `name`, `- name.part`, `name | filter`.
fn is_name(action: &str) -> bool {
    let name = action.trim_matches(['-', ' ']);
    name.starts_with(|first: char| first.is_alphabetic() || first == '.')
        && name.chars().all(|c| c.is_alphanumeric() || "._| ".contains(c))
}
