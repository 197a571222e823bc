//! Programs that are configurations: properties with a plain value, `lines: 80`, `"no-eval": "off"`, `"max-lines": ["error", 300]`, and
//! calls such as `minimum_coverage 95`.

use crate::{Setting, key};

pub fn settings(text: &str) -> Vec<Setting> {
    let mut found = Vec::new();
    let mut in_comment = false;
    // The name of a list that goes on in the next line.
    let mut open: Option<String> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        let is_comment = in_comment || line.starts_with("//") || line.starts_with("/*") || line.starts_with('#');
        in_comment = (in_comment || line.starts_with("/*")) && !line.contains("*/");
        if is_comment {
            continue;
        }
        // What is no plain text or number ends what is known of a list.
        if let Some(name) = open.take().filter(|_| !line.contains(['{', '(', '['])) {
            let items = line.split(']').next().unwrap_or_default();
            found.extend(values(std::slice::from_ref(&name), &format!("[{items}"), number));
            open = Some(name).filter(|_| !line.contains(']'));
            continue;
        }
        // Several properties may share a line: `{ branches: 80, lines: 90 }`.
        for (at, _) in line.match_indices(':') {
            let name = name_before(&line[..at]);
            if !name.is_empty() {
                let rest = &line[at + 1..];
                found.extend(values(&[key(name)], rest, number));
                let is_open = rest.trim_start().starts_with('[') && !rest.contains(']');
                open = Some(key(name)).filter(|_| is_open);
            }
        }
        if let Some((name, value)) = line.split_once(' ').filter(|(name, _)| name.ends_with("minimum_coverage")) {
            found.push(Setting::new(&[key(name.rsplit('.').next().unwrap_or(name))], value.trim(), number, false));
        }
    }
    found
}

fn name_before(text: &str) -> &str {
    let text = text.trim_end();
    match text.chars().next_back().filter(|quote| "\"'".contains(*quote)) {
        Some(quote) => {
            let inside = &text[..text.len() - 1];
            inside.rfind(quote).map_or("", |at| &inside[at + 1..])
        }
        None => {
            let start = text
                .rfind(|c: char| !(c.is_ascii_alphanumeric() || "_$".contains(c)))
                .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
            &text[start..]
        }
    }
}

/// The first plain value, and a number that stands behind it in a list.
fn values(keys: &[String], rest: &str, line: u32) -> Vec<Setting> {
    let rest = rest.trim_start();
    let (is_list, inside) = rest.strip_prefix('[').map_or((false, rest), |inside| (true, inside));
    let inside = inside.split(['}', ']']).next().unwrap_or_default();
    let plain = |part: &str| {
        let part = part.trim().trim_end_matches(';').trim();
        let text = part.strip_prefix(['"', '\'']).and_then(|text| text.strip_suffix(['"', '\'']));
        let is_plain = part.parse::<f64>().is_ok() || matches!(part, "true" | "false");
        text.map(str::to_owned).or_else(|| is_plain.then(|| part.to_owned()))
    };
    let parts: Vec<&str> = inside.split(',').take(if is_list { 20 } else { 1 }).collect();
    parts.into_iter().filter_map(plain).map(|value| Setting::new(keys, value, line, is_list)).collect()
}

#[cfg(test)]
mod tests {
    use super::settings;

    #[test]
    fn plain_values() {
        let text = "// lines: 1\nexport default [{ rules: {\n  \"no-eval\": \"off\",\n  'max-lines': ['error', 300],\n  coverageThreshold: { global: { branches: 80, lines: 90.5 } },\n /* x: 1\n y: 2 */\n z: fn(),\n exclude: [\n 'a/**',\n 'b.ts'],\n}}];\nSimpleCov.minimum_coverage 95\n";
        let found: Vec<_> = settings(text).into_iter().map(|one| (one.keys.concat(), one.value, one.line)).collect();
        let is = |name: &str, value: &str, line: u32| (name.to_owned(), value.to_owned(), line);
        assert_eq!(
            found,
            [
                is("no-eval", "off", 3),
                is("max-lines", "error", 4),
                is("max-lines", "300", 4),
                is("branches", "80", 5),
                is("lines", "90.5", 5),
                is("exclude", "a/**", 10),
                is("exclude", "b.ts", 11),
                is("minimum-coverage", "95", 13),
            ]
        );
    }
}
