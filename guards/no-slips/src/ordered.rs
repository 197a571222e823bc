//! Comparisons that are given to a sort and answer yes or no, where it asks for less, equal or greater.

use guard_sdk::Finding;
use guard_sdk::files::Language;

use crate::blocks::Read;
use crate::subject::Subject;

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    let calls: &[&str] = match subject.language {
        Language::JavaScript | Language::TypeScript => &[".sort(", ".toSorted("],
        Language::Php => &["usort(", "uasort(", "uksort("],
        _ => return Vec::new(),
    };
    // The strings of PHP are not told apart, and there its statements are its lines.
    let stood = |text: &str| subject.before.get().contains(text);
    let mut found: Vec<(u32, &str)> = Vec::new();
    if read.blocks.is_empty() {
        let lines = subject.new_lines().into_iter().map(|(line, text)| (line, text.trim()));
        found.extend(lines.filter(|(_, text)| is_yes_or_no(text, calls)));
    }
    let statements = read.statements().map(|(_, one)| one);
    let new = statements.filter(|one| subject.has_new(one.first, one.last) && is_yes_or_no(&one.code, calls));
    found.extend(new.map(|one| (one.first, one.text.as_str())));
    found.retain(|(_, text)| !stood(text));
    let finding = |(line, _): (u32, &str)| {
        let message = "the comparison answers yes or no, and a sort asks for a number below, at or above 0";
        let help = match subject.language {
            Language::Php => "Compare with `<=>`.",
            _ => "Subtract numbers, and compare texts by `localeCompare`, or answer -1, 0 or 1.",
        };
        Finding::error("order-undecided", message).at(subject.path(), line).help(help)
    };
    found.into_iter().map(finding).collect()
}

/// `.sort((a, b) => a.x > b.x)`: an arrow, and one comparison behind it.
fn is_yes_or_no(code: &str, calls: &[&str]) -> bool {
    let Some((_, given)) = calls.iter().find_map(|call| code.split_once(call)) else { return false };
    let Some((parameters, body)) = given.split_once("=>") else { return false };
    let is_arrow = parameters.matches(',').count() >= 1 && !parameters.contains(['{', ';']);
    let mut depth = 0_u32;
    let end = body.find(|c: char| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return true,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        false
    });
    let Some(end) = end else { return false };
    let body = body[..end].trim().trim_end_matches(',').replace("->", ".");
    let signs = body.matches([' ']).count();
    let compares = [" > ", " < ", " >= ", " <= "].iter().map(|sign| body.matches(sign).count()).sum::<usize>();
    let is_other =
        ["?", "&&", "||", " - ", " + ", "=>", "{", "Number(", "<=>", ","].iter().any(|sign| body.contains(sign));
    is_arrow && compares == 1 && signs == 2 && !is_other
}

#[cfg(test)]
mod tests {
    use super::is_yes_or_no;

    #[test]
    fn one_comparison() {
        let js = |code: &str| is_yes_or_no(code, &[".sort("]);
        assert!(js("rows.sort((a, b) => a.name > b.name);"));
        assert!(js("rows.sort((a, b) => b.length < a.length)"));
        for code in [
            "rows.sort((a, b) => a.name > b.name ? 1 : -1);",
            "rows.sort((a, b) => a - b);",
            "rows.sort((a, b) => Number(a > b) - Number(a < b));",
            "rows.filter((a) => a > 1).sort();",
            "rows.sort(byName);",
        ] {
            assert!(!js(code), "{code}");
        }
        assert!(is_yes_or_no(
            "usort($errors, fn(Error $a, Error $b): bool => $a->getLine() > $b->getLine());",
            &["usort("]
        ));
        assert!(!is_yes_or_no("usort($a, fn($a, $b) => $a <=> $b);", &["usort("]));
    }
}
