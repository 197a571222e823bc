//! Brackets that are code, found without the grammar: where that stumbles, its tokens are guesses.

use crate::Language;

/// Whether each has its counterpart. Of conditions of the build only the first branch counts, since each may close what was opened before.
pub fn are_closed(language: Language, text: &str) -> bool {
    let mut open = Vec::new();
    let mut at = 0;
    let mut branches: Vec<bool> = Vec::new();
    let has_directives = matches!(language, Language::C | Language::Cpp | Language::CSharp | Language::Swift);
    let mut is_line_start = true;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        if is_line_start && has_directives && is_directive(rest) {
            let (line, length) = directive(rest, language);
            branch(line, &mut branches);
            at += length;
            continue;
        }
        is_line_start = next == '\n';
        if let Some(length) = passed_over(language, text, at) {
            at += length;
            continue;
        }
        // In a branch that does not count.
        let counts = branches.iter().all(|is_first| *is_first);
        match next {
            '{' if counts => open.push('}'),
            '(' if counts => open.push(')'),
            '[' if counts => open.push(']'),
            '}' | ')' | ']' if counts && open.pop() != Some(next) => return false,
            _ => {}
        }
        at += next.len_utf8();
    }
    open.is_empty()
}

/// `#if`, `# else`, and not the text `#"…"#`.
fn is_directive(rest: &str) -> bool {
    let name = rest.trim_start_matches([' ', '\t']).strip_prefix('#').map(|name| name.trim_start_matches([' ', '\t']));
    name.is_some_and(|name| name.starts_with(char::is_alphabetic))
}

/// A directive with the lines that continue it, and its length in bytes.
fn directive(rest: &str, language: Language) -> (&str, usize) {
    let continues = matches!(language, Language::C | Language::Cpp);
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        if !continues || !line.trim_end().ends_with('\\') {
            break;
        }
    }
    // What stands behind an opened comment belongs to the comment.
    let line = &rest[..length];
    match line.find("/*").filter(|start| !line[*start..].contains("*/")) {
        Some(start) => (&line[..start], start),
        None => (line, length),
    }
}

fn branch(line: &str, branches: &mut Vec<bool>) {
    let name = line.trim_start().trim_start_matches('#').trim_start();
    if name.starts_with("if") {
        branches.push(true);
    } else if name.starts_with("el") {
        if let Some(is_first) = branches.last_mut() {
            *is_first = false;
        }
    } else if name.starts_with("endif") {
        branches.pop();
    }
}

/// How long the comment or text is that begins here, if one does.
fn passed_over(language: Language, text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let to = |end: &str, from: usize| rest[from..].find(end).map_or(rest.len(), |found| from + found + end.len());
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        let nests = matches!(language, Language::Kotlin | Language::Swift);
        return Some(if nests { nested_comment(rest) } else { to("*/", 2) });
    }
    let before = text[..at].chars().next_back();
    let is_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    match language {
        Language::Cpp if !is_word || before == Some('8') => {
            let raw = rest.strip_prefix("R\"").or_else(|| rest.get(1..).and_then(|rest| rest.strip_prefix("R\"")));
            if let Some((delimiter, _)) = raw.and_then(|raw| raw.split_once('(')).filter(|(mark, _)| mark.len() <= 16)
                && let Some(start) = rest.find('(').filter(|start| *start <= delimiter.len() + 3)
            {
                return Some(to(&format!("){delimiter}\""), start));
            }
        }
        Language::CSharp if rest.starts_with("@\"") || rest.starts_with("$@\"") || rest.starts_with("@$\"") => {
            return Some(verbatim(rest));
        }
        Language::Swift if rest.starts_with('#') => {
            let marks = rest.len() - rest.trim_start_matches('#').len();
            let quotes = if rest[marks..].starts_with("\"\"\"") { 3 } else { 1 };
            if rest[marks..].starts_with('"') {
                let end = format!("{}{}", "\"".repeat(quotes), "#".repeat(marks));
                return Some(to(&end, marks + quotes));
            }
        }
        _ => {}
    }
    if rest.starts_with("\"\"\"") && !matches!(language, Language::C | Language::Cpp) {
        return Some(to("\"\"\"", 3));
    }
    match rest.as_bytes().first() {
        Some(b'"') => Some(quoted(language, rest, '"')),
        // `1'000'000` of C++ is a number, and `L'a'` none; Swift has no such texts.
        Some(b'\'') if language != Language::Swift && (!is_word || matches!(before, Some('L' | 'u' | 'U'))) => {
            Some(quoted(language, rest, '\''))
        }
        _ => None,
    }
}

fn nested_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(next) = rest[at..].chars().next() {
        if rest[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += next.len_utf8();
        }
    }
    rest.len()
}

/// `@"…""…"`.
fn verbatim(rest: &str) -> usize {
    let mut at = rest.find('"').map_or(rest.len(), |start| start + 1);
    while let Some(found) = rest[at..].find('"') {
        at += found + 1;
        if !rest[at..].starts_with('"') {
            return at;
        }
        at += 1;
    }
    rest.len()
}

/// A text on one line. What is filled into it may hold texts of its own.
fn quoted(language: Language, rest: &str, sign: char) -> usize {
    let fills = match language {
        Language::Kotlin => "${",
        Language::Swift => "\\(",
        _ => "\0",
    };
    let mut at = 1;
    while let Some(next) = rest[at..].chars().next() {
        if rest[at..].starts_with(fills) {
            at += filled(&rest[at..], fills.len());
            continue;
        }
        at += next.len_utf8();
        match next {
            '\\' => at += rest[at..].chars().next().map_or(0, char::len_utf8),
            // A text that does not end ends with its line.
            '\n' => return at - 1,
            _ if next == sign => return at,
            _ => {}
        }
    }
    rest.len()
}

/// `${…}`, `\(…)`: with the brackets and texts inside.
fn filled(rest: &str, start: usize) -> usize {
    let (mut depth, mut at) = (1_usize, start);
    while let Some(next) = rest[at..].chars().next() {
        if next == '"' {
            at += quoted_inside(&rest[at..]);
            continue;
        }
        match next {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            '\n' => return at,
            _ => {}
        }
        at += next.len_utf8();
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// A text inside of what is filled in, in which nothing is filled in again.
fn quoted_inside(rest: &str) -> usize {
    let end = rest[1..].char_indices().scan(false, |escaped, (at, c)| {
        let is_end = c == '"' && !*escaped;
        *escaped = c == '\\' && !*escaped;
        Some((at, is_end || c == '\n'))
    });
    end.into_iter().find(|(_, is_end)| *is_end).map_or(rest.len(), |(at, _)| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_code_closes_nothing() {
        for (language, text) in [
            (
                Language::C,
                "char a = '{'; wchar_t b = L'('; /* } */ // ]\nchar *c = \"\\\"{\";\n#define D {\\\n  (\nint e;",
            ),
            (Language::Cpp, "int a = 1'000'000; auto b = R\"x({(\")x\"; auto c = u8\"}\"; char d = '\\'';"),
            (
                Language::CSharp,
                "string a = @\"\\\"; string b = $@\"{{\"\"\"; char c = '\"'; string d = \"\"\"{(\"\"\";",
            ),
            (Language::Kotlin, "val a = \"${f(\"}\")} {\" /* /* } */ { */ + \"\"\"{\"\"\" + '{'"),
            (
                Language::Swift,
                "let a = \"\\(f(\")\")) {\" /* /* } */ { */\nlet b = #\"{\"#\nlet c =\n##\"\"\"\n(\"\"\"#\n\"\"\"##",
            ),
        ] {
            assert!(are_closed(language, text), "{language:?}: {text}");
            assert!(!are_closed(language, &format!("{text}\n}}")), "{language:?}: {text}");
            assert!(!are_closed(language, &format!("(\n{text}")), "{language:?}: {text}");
        }
    }

    #[test]
    fn only_the_first_branch_of_a_condition_counts() {
        let text = "#if A\nif (a) {\n#elif B\nif (b) {\n# else\n{\n#endif\n}\n";
        assert!(are_closed(Language::C, text));
        assert!(!are_closed(Language::C, &text.replace("#if A", "")));
    }
}
