//! Tests of Go that skip themselves, told from the row of tokens: strings and comments are left out, braces are counted.

use guard_sdk::language::{Skip, SkipKind};

use crate::test::Test;

enum Token<'t> {
    Word(&'t str),
    /// A string, without its quotes.
    Text(&'t str),
    Sign(u8),
    /// The end of a line, where a statement may end.
    Line,
}

/// A pair of braces that is open.
struct Block<'t> {
    /// The test whose body it is, and what its `*testing.T` is called.
    test: Option<(usize, &'t str)>,
    /// The line of a `return` that was its last statement so far.
    returned: Option<u32>,
}

/// Functions `Test…`, and functions that `t.Run` is given, each with its mark.
pub fn tests(text: &str) -> Vec<Test> {
    let mut tests: Vec<Test> = Vec::new();
    let mut open: Vec<Block> = Vec::new();
    let never = text.lines().take_while(|line| !line.starts_with("package ")).zip(1..);
    let mut never = never.filter(|(line, _)| matches!(line.trim(), "//go:build ignore" | "// +build ignore"));
    let never = never.next().map(|(line, number)| Skip::new(SkipKind::Skipped, number, line.trim()));
    let tokens = tokens(text);
    for at in 0..tokens.len() {
        let (token, line) = &tokens[at];
        // The first token of a statement: behind a brace, a semicolon or the end of a line.
        let first = at == 0 || matches!(tokens[at - 1].0, Token::Line | Token::Sign(b'{' | b'}' | b';'));
        match token {
            Token::Sign(b'{') => {
                let test = function(&tokens[..at], &open, &tests).map(|(name, handle)| {
                    tests.push(Test { name, skip: never.clone() });
                    (tests.len() - 1, handle)
                });
                open.push(Block { test, returned: None });
            }
            Token::Sign(b'}') => drop(open.pop()),
            Token::Word(word) if first => {
                let Some(Block { test: Some((index, handle)), returned }) = open.last_mut() else { continue };
                let test = &mut tests[*index];
                if let Some(line) = returned {
                    test.skip.get_or_insert_with(|| Skip::new(SkipKind::Cut, *line, "return"));
                } else if *word == "return" {
                    *returned = Some(*line);
                } else if word == handle
                    && let [(Token::Sign(b'.'), _), (Token::Word(call @ ("Skip" | "Skipf" | "SkipNow")), _), rest @ ..] =
                        &tokens[at + 1..]
                {
                    let reason = match rest {
                        [_, (Token::Text(reason), _), ..] => *reason,
                        _ => "",
                    };
                    let mark = || Skip::new(SkipKind::Skipped, *line, format!("{handle}.{call}")).because(reason);
                    test.skip.get_or_insert_with(mark);
                }
            }
            _ => {}
        }
    }
    tests
}

/// The name of the test whose body begins behind these tokens, and what its handle is called: `func TestX(t *testing.T)`, or
/// `t.Run("x", func(t *testing.T)`.
fn function<'t>(before: &[(Token<'t>, u32)], open: &[Block], tests: &[Test]) -> Option<(String, &'t str)> {
    let [
        head @ ..,
        (Token::Sign(b'('), _),
        (Token::Word(handle), _),
        (Token::Sign(b'*'), _),
        (Token::Word("testing"), _),
        (Token::Sign(b'.'), _),
        (Token::Word("T" | "B" | "F"), _),
        (Token::Sign(b')'), _),
    ] = before
    else {
        return None;
    };
    match head {
        [.., (Token::Word("func"), _), (Token::Word(name), _)] if open.is_empty() => {
            let is_test = ["Test", "Benchmark", "Fuzz"].iter().any(|start| name.starts_with(start));
            is_test.then(|| ((*name).to_owned(), *handle))
        }
        [
            ..,
            (Token::Word("Run"), _),
            (Token::Sign(b'('), _),
            (Token::Text(title), _),
            (Token::Sign(b','), _),
            (Token::Word("func"), _),
        ] => {
            let around =
                open.iter().rev().find_map(|block| block.test.as_ref()).map(|(index, _)| &tests[*index].name)?;
            Some((format!("{around}/{title}"), *handle))
        }
        _ => None,
    }
}

fn tokens(text: &str) -> Vec<(Token<'_>, u32)> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1u32);
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'\n' => {
                tokens.push((Token::Line, line));
                line += 1;
            }
            b'/' if bytes.get(at) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(text.len(), |end| at + end);
            }
            b'/' if bytes.get(at) == Some(&b'*') => {
                at = text[at..].find("*/").map_or(text.len(), |end| at + end + 2);
                line += count_lines(&bytes[start..at]);
            }
            b'`' => {
                let end = text[at..].find('`').map_or(text.len(), |end| at + end);
                tokens.push((Token::Text(&text[at..end]), line));
                line += count_lines(&bytes[at..end]);
                at = (end + 1).min(text.len());
            }
            b'"' | b'\'' => {
                let mut escaped = false;
                let end = bytes[at..].iter().position(|other| {
                    let ends = !escaped && (*other == byte || *other == b'\n');
                    escaped = !escaped && *other == b'\\';
                    ends
                });
                let end = end.map_or(text.len(), |end| at + end);
                tokens.push((Token::Text(&text[at..end]), line));
                // A string that is not closed ends with its line.
                at = if bytes.get(end) == Some(&byte) { end + 1 } else { end };
            }
            b' ' | b'\t' | b'\r' => {}
            _ if is_word(byte) => {
                while bytes.get(at).is_some_and(|byte| is_word(*byte)) {
                    at += 1;
                }
                tokens.push((Token::Word(&text[start..at]), line));
            }
            sign => tokens.push((Token::Sign(sign), line)),
        }
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn count_lines(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.iter().filter(|byte| **byte == b'\n').count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests_ {
    use super::tests;

    fn skipped(text: &str) -> String {
        let marks = tests(text).into_iter().map(|test| match test.skip {
            Some(mark) => format!("{}:{}:{}", test.name, mark.line, mark.mark),
            None => test.name,
        });
        marks.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_skips_itself() {
        let of = |body: &str| skipped(&format!("package a\n\nfunc TestA(t *testing.T) {{\n{body}\n}}\n"));
        assert_eq!(of("\tt.Skip(\"later\")\n\trun(t)"), "TestA:4:t.Skip");
        assert_eq!(of("\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\trun(t)"), "TestA");
        assert_eq!(of("\t// t.Skip()\n\tx := `{\nt.Skip()\n`\n\ty := \"}\\\"\"\n\tt.SkipNow()"), "TestA:9:t.SkipNow");
        assert_eq!(of("\trun(t)\n\treturn\n\tmore(t)"), "TestA:5:return");
        assert_eq!(of("\tif a {\n\t\treturn\n\t}\n\tmore(t)\n\treturn"), "TestA");
        assert_eq!(of("\tt.Run(\"b\", func(t *testing.T) {\n\t\tt.Skipf(\"\")\n\t})"), "TestA TestA/b:5:t.Skipf");
        assert_eq!(
            skipped(
                "//go:build ignore\n\npackage a\nfunc TestA(t *testing.T) {\n}\nfunc help(t *testing.T) { t.Skip() }"
            ),
            "TestA:1://go:build ignore"
        );
    }
}
