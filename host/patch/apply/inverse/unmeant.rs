//! Characters that nobody writes in code: where an added line has them and no line of the file does, a program has put them there.

use super::written::Written;
use bstr::ByteSlice;

/// What begins and ends a string in most languages, and what quotes a pattern.
const QUOTES: &[u8] = b"\"'`/";

/// Whether one of the quotes is open before the byte `at` of the line.
pub(super) fn is_quoted(text: &[u8], at: usize, quotes: &[u8]) -> bool {
    let (mut open, mut is_escaped) = (None, false);
    for byte in &text[..at] {
        match open {
            _ if is_escaped => is_escaped = false,
            Some(_) if *byte == b'\\' => is_escaped = true,
            Some(quote) if *byte == quote => open = None,
            None if quotes.contains(byte) => open = Some(*byte),
            Some(_) | None => {}
        }
    }
    open.is_some()
}

/// Whether the text is one of a comment, which says anything.
fn is_comment(text: &[u8]) -> bool {
    const MARKS: [&str; 10] = ["#", "//", "*", "/*", "--", ";", "%", "<!--", "\"\"\"", "'''"];
    let text = text.trim_ascii();
    MARKS.iter().any(|mark| text.starts_with(mark.as_bytes()))
}

/// `if a &lt; b &amp;&amp; c`: an entity in code, where the line has none of the characters that it stands for.
pub(super) fn has_entity(text: &[u8], written: Written) -> bool {
    written.is_strict()
        && text.contains(&b'&')
        && !is_comment(text)
        && ["&lt;", "&gt;", "&amp;"].iter().any(|entity| text.contains_str(entity))
        && !has_bare(text)
}

/// Whether the line has `<`, `>`, or a `&` that begins no entity.
fn has_bare(text: &[u8]) -> bool {
    let is_entity = |at: usize| {
        let name = text[at + 1..].iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#');
        name.is_some_and(|end| end > 0 && text[at + 1 + end] == b';')
    };
    text.find_byteset(b"<>").is_some() || text.find_iter("&").any(|at| !is_entity(at))
}

pub(super) fn has_any_entity(text: &[u8]) -> bool {
    text.contains(&b'&') && ["&lt;", "&gt;", "&amp;", "&quot;", "&#"].iter().any(|entity| text.contains_str(entity))
}

/// `a \* b`, `a\[0\]`: a mark of Markdown behind a backslash, outside of every string and pattern.
pub(super) fn has_escaped_mark(text: &[u8], written: Written) -> bool {
    let is_outside = |at: usize| text[..at].find_byteset(QUOTES).is_none();
    written == Written::Code
        && text.contains(&b'\\')
        && !is_comment(text)
        && [r"\*", r"\[", r"\]", r"\<", r"\>", r"\#", r"\~", r"\|"]
            .iter()
            .flat_map(|mark| text.find_iter(mark))
            .any(is_outside)
}

/// `x = \"a\"`, `x = 1\n    y = 2`: an escape of a string where none is open.
pub(super) fn has_escaped_text(text: &[u8], written: Written) -> bool {
    if !text.contains(&b'\\') {
        return false;
    }
    // A division has blanks around its sign, a pattern has none.
    let is_quote = |at: usize| QUOTES.contains(&text[at]) && !(text[at] == b'/' && text[at + 1..].starts_with(b" "));
    let is_outside = |at: &usize| !(0..*at).any(is_quote);
    let is_pair = text.find_iter("\\\"").count().is_multiple_of(2);
    let ends_statement = |at: usize| text[..at].last().is_some_and(|byte| b";{}".contains(byte));
    let is_end = |at: usize| matches!(text.get(at + 2), None | Some(b' ' | b'\t')) || ends_statement(at);
    let is_margin = |at: usize| text[at + 2..].starts_with(b"  ");
    if written == Written::Data {
        return !is_comment(text) && text.find_iter("\\n").filter(is_outside).any(is_margin);
    }
    written == Written::Code
        && !is_comment(text)
        && (is_pair && text.find_iter("\\\"").next().is_some_and(|at| is_outside(&at))
            || text.find_iter("\\n").filter(is_outside).any(is_end)
            || text.starts_with(b"\\t"))
}

/// `f(“a”)`: typographic quotes where a language wants its own: at the beginning of a value, outside of every string.
pub(super) fn has_delimiting_quotes(text: &[u8], written: Written) -> bool {
    if text.is_ascii() || matches!(written, Written::Prose | Written::Markup) || is_comment(text) {
        return false;
    }
    // `"$(pwd)"`: what a shell puts in for a variable or a command is quoted with its own marks. Prose has amounts there.
    let is_expansion = |at: usize| {
        let rest = &text[at + "“".len()..];
        rest.strip_prefix(b"$")
            .and_then(<[u8]>::first)
            .is_some_and(|byte| b"({_".contains(byte) || byte.is_ascii_alphabetic())
    };
    if text.find_iter("“").any(|at| is_expansion(at) && !is_quoted(text, at, QUOTES)) {
        return true;
    }
    ["“", "‘", "”", "’"].iter().flat_map(|mark| text.find_iter(mark)).any(|at| {
        let before = &text[..at];
        let begun = before.trim_ascii_end();
        let opens = begun.last().is_some_and(|byte| b"=([{,:+<>?&|!".contains(byte))
            || [&b"return"[..], b"import", b"from"].iter().any(|word| begun.ends_with(word));
        opens && before.find_byteset(b"\"'`#").is_none() && !before.contains_str("//")
    })
}

/// `var(—gap)`, `—fail`: a dash right before a word, where an option or a name has two hyphens.
pub(super) fn has_dash_of_option(text: &[u8], written: Written) -> bool {
    let is_name = |at: usize| text.get(at).is_some_and(u8::is_ascii_lowercase);
    let is_before = |at: usize| at == 0 || b" (\"'`[,".contains(&text[at - 1]);
    written.is_strict()
        && !text.is_ascii()
        && !is_comment(text)
        && text.find_iter("—").any(|at| is_name(at + "—".len()) && is_before(at))
}

/// `if ******** > 0`, `[REDACTED]: 4`: what a program puts in the place of a secret, where a language has a value or a name. In a string
/// and in a comment it may be meant.
pub(super) fn has_mask(text: &[u8], written: Written) -> bool {
    const NAMES: [&str; 6] = ["redacted", "masked", "filtered", "hidden", "secret", "removed"];
    let is_outside = |at: usize| !is_quoted(text, at, QUOTES);
    let is_named = |at: usize| {
        let close = if text[at] == b'[' { b']' } else { b'>' };
        let end = text[at + 1..].iter().position(|byte| *byte == close);
        end.is_some_and(|end| NAMES.iter().any(|name| text[at + 1..at + 1 + end].eq_ignore_ascii_case(name.as_bytes())))
    };
    let has_letters = text.iter().any(u8::is_ascii_alphanumeric);
    // A row of asterisks is a rule in a comment, and an element may be called so.
    let has_stars = || text.find_iter("****").any(is_outside) && has_letters;
    let has_name =
        || text.iter().enumerate().any(|(at, byte)| matches!(byte, b'[' | b'<') && is_named(at) && is_outside(at));
    matches!(written, Written::Code | Written::Data | Written::Backslashes)
        && !is_comment(text)
        && (has_stars() || has_name())
}

/// `self.header의s`, `pop(key,ющий None)`: letters beyond ASCII in a line of code, outside of every string and comment.
pub(super) fn has_foreign_letters(text: &[u8], written: Written) -> bool {
    if !written.is_strict() || text.is_ascii() || is_comment(text) || text.find_byteset(b"(){}[]=;").is_none() {
        return false;
    }
    let text = text.to_str_lossy();
    let mut quote = None;
    let mut before = ' ';
    for c in text.chars() {
        match (quote, c) {
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '#') => return false,
            (None, '/' | '-') if before == c => return false,
            (None, _) if c.is_alphabetic() && !c.is_ascii() => return true,
            (Some(open), _) if c == open && before != '\\' => quote = None,
            (None | Some(_), _) => {}
        }
        before = c;
    }
    false
}

pub(super) fn has_any_letters(text: &[u8]) -> bool {
    !text.is_ascii() && text.to_str_lossy().chars().any(|c| c.is_alphabetic() && !c.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_writes_in_code() {
        assert!(has_entity(b"if a &lt; b &amp;&amp; c {", Written::Code));
        assert!(!has_entity(b"s.replace(/</g, '&lt;')", Written::Code));
        assert!(!has_entity(b"a &lt; b", Written::Markup));
        assert!(has_escaped_mark(br"    y = 3 \* 4", Written::Code));
        assert!(!has_escaped_mark(br"    re.compile(r'a\*')", Written::Code));
        assert!(!has_escaped_mark(br"find . -name \*.py", Written::Backslashes));
        assert!(has_escaped_text(br#"    y = \"a\""#, Written::Code));
        assert!(has_escaped_text(br"    y = 1\n    z = 2", Written::Code));
        assert!(has_escaped_text(br"    y = a / b;\n    z = 2", Written::Code));
        assert!(has_escaped_text(br"CREATE TABLE a (id);\nCREATE TABLE b (id);", Written::Code));
        assert!(has_escaped_text(br"  a: 1\n  b: 2", Written::Data));
        assert!(!has_escaped_text(br"  a: C:\new folder", Written::Data));
        assert!(!has_escaped_text(br#"    print("a\n  b")"#, Written::Code));
        assert!(is_quoted(br#"f('a', "b\u003c""#, 9, QUOTES) && !is_quoted(br"test('a b', t =\u003e {", 15, QUOTES));
        assert!(has_delimiting_quotes("  - test -z “$(gofmt -d .)”".as_bytes(), Written::Data));
        assert!(!has_delimiting_quotes("  price: was “$5”".as_bytes(), Written::Data));
        assert!(has_delimiting_quotes("    y = “a”".as_bytes(), Written::Code));
        assert!(!has_delimiting_quotes("    y = \"he said “a”\"".as_bytes(), Written::Code));
        assert!(!has_delimiting_quotes("    # = “a”".as_bytes(), Written::Code));
        assert!(has_mask(b"    if ******** > 0 {", Written::Code));
        assert!(has_mask(b"  [REDACTED]: 4", Written::Data));
        assert!(!has_mask(b"    show(\"********\")", Written::Code));
        assert!(!has_mask(b" ******** a title ********", Written::Code));
        assert!(!has_mask(b"    names[secret] = 1", Written::Prose));
        assert!(has_foreign_letters("  { ...options.header의s }".as_bytes(), Written::Code));
        assert!(!has_foreign_letters("  say(\"Größe\") # für".as_bytes(), Written::Code));
        assert!(has_dash_of_option("  padding: var(—gap);".as_bytes(), Written::Code));
        assert!(!has_dash_of_option("  \"a — b\"".as_bytes(), Written::Code));
    }
}
