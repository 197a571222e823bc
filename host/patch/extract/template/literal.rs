//! Python's literals, exactly as Python reads them: strings in every spelling, numbers, `True`, `False` and `None`, lists, tuples and
//! dictionaries. What is no literal is not read.
//!
//! Format: the Python language reference, "String and Bytes literals".

use serde_json::{Map, Value};

/// Brackets inside one another. An edit has three.
const DEPTH: usize = 16;

pub(in super::super) struct Literal<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Literal<'t> {
    /// Reads from the byte `at` of the text.
    pub fn new(text: &'t str, at: usize) -> Self {
        Literal { text, at, depth: 0 }
    }

    /// The byte behind what was read.
    pub fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_blank(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Whether nothing more stands in the text.
    pub fn is_at_end(&self) -> bool {
        self.rest().trim_start().is_empty()
    }

    /// Whether the next byte that is no blank is this one.
    pub fn is_at(&mut self, byte: u8) -> bool {
        self.skip_blank();
        self.rest().as_bytes().first() == Some(&byte)
    }

    /// The same, and goes on behind it.
    pub fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.is_at(byte);
        self.at += usize::from(is_there);
        is_there
    }

    /// The identifier that comes next.
    pub fn name(&mut self) -> Option<&'t str> {
        self.skip_blank();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        (end > 0 && !rest.starts_with(|c: char| c.is_ascii_digit())).then(|| &rest[..end])
    }

    /// The literal that comes next; None where it is none, or ends with the text.
    pub fn value(&mut self) -> Option<Value> {
        self.skip_blank();
        match self.rest().as_bytes().first()? {
            b'{' => self.within(b'}', |reader, object: &mut Map<String, Value>| {
                let name = reader.strings()?;
                let value = if reader.takes(b':') { reader.value()? } else { return None };
                // Either of two members of one name may be meant.
                object.insert(name, value).is_none().then_some(())
            }),
            b'[' => self.within(b']', entry),
            b'(' => self.within(b')', entry),
            b'"' | b'\'' => self.strings().map(Value::String),
            b'r' | b'R' | b'u' | b'U' => self.strings().map(Value::String),
            byte if byte.is_ascii_digit() || *byte == b'-' => self.number(),
            _ => match self.name()? {
                "True" | "true" => Some(Value::Bool(true)),
                "False" | "false" => Some(Value::Bool(false)),
                "None" | "null" => Some(Value::Null),
                _ => None,
            },
        }
    }

    /// What stands between two brackets, with a comma behind each entry; the last one may have none.
    fn within<T: Default + Into<Value>>(
        &mut self,
        close: u8,
        entry: impl Fn(&mut Self, &mut T) -> Option<()>,
    ) -> Option<Value> {
        self.depth += 1;
        self.at += 1;
        let mut all = T::default();
        while !self.takes(close) {
            (self.depth <= DEPTH).then_some(())?;
            entry(self, &mut all)?;
            (self.takes(b',') || self.is_at(close)).then_some(())?;
        }
        self.depth -= 1;
        Some(all.into())
    }

    fn number(&mut self) -> Option<Value> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).unwrap_or(rest.len());
        self.at += end;
        serde_json::from_str(&rest[..end]).ok()
    }

    /// Strings one after the other, which are one.
    fn strings(&mut self) -> Option<String> {
        self.skip_blank();
        let mut text = self.string()?;
        loop {
            let before = self.at;
            self.skip_blank();
            if !self.rest().starts_with(['"', '\'']) {
                self.at = before;
                return Some(text);
            }
            text.push_str(&self.string()?);
        }
    }

    fn string(&mut self) -> Option<String> {
        let is_raw = self.rest().starts_with(['r', 'R']);
        let quoted = self.rest().trim_start_matches(['r', 'R', 'u', 'U']);
        // One letter at most stands before the quotation mark.
        let prefix = self.rest().len() - quoted.len();
        let quote = quoted.chars().next().filter(|quote| prefix <= 1 && matches!(quote, '"' | '\''))?;
        let three: String = std::iter::repeat_n(quote, 3).collect();
        let close = if quoted.starts_with(&three) { three } else { quote.to_string() };
        self.at += prefix + close.len();
        let mut text = String::new();
        loop {
            if self.rest().starts_with(&close) {
                self.at += close.len();
                return Some(text);
            }
            let c = self.rest().chars().next()?;
            self.at += c.len_utf8();
            match c {
                '\\' if is_raw => {
                    text.push('\\');
                    let next = self.rest().chars().next()?;
                    self.at += next.len_utf8();
                    text.push(next);
                }
                '\\' => self.escape(&mut text)?,
                '\n' if close.len() == 1 => return None,
                c => text.push(c),
            }
        }
    }

    /// What stands behind a backslash. Python keeps one that begins no escape.
    fn escape(&mut self, text: &mut String) -> Option<()> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        let plain = match c {
            '\n' => return Some(()),
            '\\' | '\'' | '"' => c,
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            'x' => self.code(2, 16)?,
            'u' => self.code(4, 16)?,
            'U' => self.code(8, 16)?,
            '0'..='7' => {
                self.at -= 1;
                let digits = self.rest().bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
                self.code(digits, 8)?
            }
            // The name of a character.
            'N' => return None,
            c => {
                text.push('\\');
                c
            }
        };
        text.push(plain);
        Some(())
    }

    fn code(&mut self, digits: usize, radix: u32) -> Option<char> {
        let code = u32::from_str_radix(self.rest().get(..digits)?, radix).ok()?;
        self.at += digits;
        char::from_u32(code)
    }
}

fn entry(reader: &mut Literal, list: &mut Vec<Value>) -> Option<()> {
    list.push(reader.value()?);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::Literal;
    use serde_json::json;

    fn value(text: &str) -> Option<serde_json::Value> {
        let mut reader = Literal::new(text, 0);
        reader.value().filter(|_| reader.is_at_end())
    }

    #[test]
    fn literals_are_read_as_python_reads_them() {
        let text = r#"{'a': "it's", "b": [1, True, None,], 'c': r'\d', 'd': '\x41\101\d\'', 'e': ('x' "y"),}"#;
        let read = json!({"a": "it's", "b": [1, true, null], "c": r"\d", "d": "AA\\d'", "e": ["xy"]});
        assert_eq!(value(text), Some(read));
        assert_eq!(value("\"\"\"one\n\"two\" \\\nthree\"\"\""), Some(json!("one\n\"two\" three")));
    }

    #[test]
    fn what_is_no_literal_is_not_read() {
        for text in
            ["f'{x}'", "b'x'", "name", "'open", "'a\nb'", "{'a': 1, 'a': 2}", "[1", "'\\N{DASH}'", "1 + 2", "rr'a'"]
        {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
