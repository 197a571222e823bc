//! Pieces of an expression that makes a text, and the values that are put into it.

/// A piece of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Piece<'t> {
    /// What stands directly before the quote, the quote, and what is between the quotes.
    Text(&'t str, char, &'t str),
    /// A name with its members, or the name of a macro.
    Word(&'t str),
    Sign(char),
}

/// A value in a text: what of the text stands before and behind it, and what the value is, where the text says it.
#[derive(Debug, PartialEq)]
pub struct Hole<'t> {
    pub left: &'t str,
    pub value: &'t str,
    pub right: &'t str,
}

/// How a text marks the places of its values.
#[derive(Clone, Copy)]
enum Marks {
    /// `{x}`
    Braces,
    /// `${x}`
    Dollars,
    /// `#{x}`
    Hashes,
    /// `%s`
    Percents,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || "_.$".contains(c);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if matches!(c, '"' | '\'' | '`')
            && let Some((inside, length)) = quoted(rest, c)
        {
            let is_prefix = |word: &str| word.len() <= 3 && text[..at].ends_with(word);
            let prefix = match found.last() {
                Some(Piece::Word(word)) if is_prefix(word) || c == '`' && text[..at].ends_with(word) => *word,
                _ => "",
            };
            found.push(Piece::Text(prefix, c, inside));
            at += length;
        } else if is_word(c) {
            let mut length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            length += usize::from(rest[length..].starts_with("!("));
            found.push(Piece::Word(&rest[..length]));
            at += length;
        } else {
            if !c.is_whitespace() {
                found.push(Piece::Sign(c));
            }
            at += c.len_utf8();
        }
    }
    found
}

/// What stands between the quotes at the beginning of a text, and how long the whole is.
fn quoted(text: &str, quote: char) -> Option<(&str, usize)> {
    let triple: String = [quote; 3].iter().collect();
    let end: &str = if quote != '`' && text.starts_with(&triple) { &triple } else { &triple[..1] };
    let mut at = end.len();
    loop {
        let rest = text.get(at..)?;
        let c = rest.chars().next()?;
        if rest.starts_with(end) {
            return Some((&text[end.len()..at], at + end.len()));
        }
        at += c.len_utf8();
        if c == '\\' {
            at += text.get(at..)?.chars().next()?.len_utf8();
        }
    }
}

/// The texts of an expression, in order.
pub fn texts(expression: &str) -> Vec<&str> {
    let inside = |piece| match piece {
        Piece::Text(_, _, text) => Some(text),
        Piece::Word(_) | Piece::Sign(_) => None,
    };
    pieces(expression).into_iter().filter_map(inside).collect()
}

/// Names that stand in an expression as whole arguments.
pub fn arguments(expression: &str) -> Vec<&str> {
    let pieces = pieces(expression);
    let is_whole = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| pieces.get(before));
        before.is_none_or(|before| matches!(before, Piece::Sign(',' | '(' | '[' | '{' | '&')))
            && pieces.get(at + 1).is_none_or(|behind| matches!(behind, Piece::Sign(',' | ')' | ']' | '}')))
    };
    let words = pieces.iter().enumerate().filter_map(|(at, piece)| match piece {
        Piece::Word(word) if is_whole(at) => Some(*word),
        Piece::Word(_) | Piece::Text(..) | Piece::Sign(_) => None,
    });
    words.collect()
}

/// The values that an expression puts into its texts.
pub fn holes(expression: &str) -> Vec<Hole<'_>> {
    let pieces = pieces(expression);
    let mut holes = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let Piece::Text(prefix, quote, text) = *piece else { continue };
        let behind = |by: usize| pieces.get(at + by);
        let before = |by: usize| at.checked_sub(by).and_then(|at| pieces.get(at));
        let formatter = match (before(2), before(1)) {
            (Some(Piece::Word(name)), Some(Piece::Sign('('))) => *name,
            _ => "",
        };
        // A template with a tag is put together by the function of that name, which may keep values apart.
        let marks = match (prefix.to_ascii_lowercase().as_str(), quote) {
            ("f" | "rf" | "fr", _) => Some(Marks::Braces),
            ("", '`') => Some(Marks::Dollars),
            (_, '`') => None,
            _ if matches!(formatter, "format!" | "format_args!") => Some(Marks::Braces),
            _ if formatter.ends_with("Sprintf") || formatter == "String.format" => Some(Marks::Percents),
            _ if behind(1) == Some(&Piece::Sign('%')) => Some(Marks::Percents),
            _ if behind(1) == Some(&Piece::Word(".format")) => Some(Marks::Braces),
            (_, '"') => Some(Marks::Hashes),
            _ => None,
        };
        holes.extend(marks.map(|marks| marked(text, marks)).unwrap_or_default());
        if let (Some(Piece::Sign('+')), Some(Piece::Word(value))) = (behind(1), behind(2)) {
            let is_call = |piece: Option<&Piece<'_>>| piece == Some(&Piece::Sign('('));
            let right = if is_call(behind(3)) { "" } else { text_behind(&pieces, at + 3) };
            holes.push(Hole { left: text, value, right });
        }
    }
    holes
}

fn text_behind<'t>(pieces: &[Piece<'t>], at: usize) -> &'t str {
    match (pieces.get(at), pieces.get(at + 1)) {
        (Some(Piece::Sign('+')), Some(Piece::Text(_, _, text))) => text,
        _ => "",
    }
}

fn marked(text: &str, marks: Marks) -> Vec<Hole<'_>> {
    let (open, close) = match marks {
        Marks::Braces => ("{", "}"),
        Marks::Dollars => ("${", "}"),
        Marks::Hashes => ("#{", "}"),
        Marks::Percents => return percents(text),
    };
    let mut holes = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find(open) {
        let start = at + found + open.len();
        // Two braces stand for one.
        if matches!(marks, Marks::Braces) && text[start..].starts_with('{') {
            at = start + 1;
            continue;
        }
        let Some(length) = text[start..].find(close) else { break };
        let end = start + length;
        holes.push(Hole { left: &text[..start - open.len()], value: text[start..end].trim(), right: &text[end + 1..] });
        at = end + 1;
    }
    holes
}

/// Of numbers nothing is said: they can hold nothing else.
fn percents(text: &str) -> Vec<Hole<'_>> {
    let is_text = |at: usize| text[at + 1..].starts_with(['s', 'v', 'r']);
    let places = text.match_indices('%').map(|(at, _)| at).filter(|at| is_text(*at));
    places.map(|at| Hole { left: &text[..at], value: "", right: &text[at + 2..] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_put_into_a_text() {
        for (expression, values) in [
            ("f\"a {x} {{y}} {z!r}\"", &["x", "z!r"][..]),
            ("\"a {x}\"", &[]),
            ("`a ${x.y}`", &["x.y"]),
            ("sql`a ${x.y}`", &[]),
            ("\"a\" + \"b\"", &[]),
            ("\"a\" +\n  x + \"b\"", &["x"]),
            ("\"a %s %d\" % x", &[""]),
            ("fmt.Sprintf(\"a %s\", x)", &[""]),
            ("\"a %s\", x", &[]),
            ("format!(\"a {} {x}\", y)", &["", "x"]),
            ("\"a {}\".format(x)", &[""]),
            ("\"a #{x}\"", &["x"]),
        ] {
            assert_eq!(holes(expression).iter().map(|hole| hole.value).collect::<Vec<_>>(), values, "{expression}");
        }
        assert_eq!(holes("'a = \\'' + x + '\\''")[0], Hole { left: "a = \\'", value: "x", right: "\\'" });
        assert_eq!(arguments("ctx, query, f(x).y, &name"), ["ctx", "query", "x", "name"]);
        assert_eq!(texts("f\"\"\"a\nb\"\"\" + 'c'"), ["a\nb", "c"]);
    }
}
