//! Reads JSON with mistakes in it, when there is one best way to read it.
//!
//! The only hard question is which quote ends a string. A quote may end it when what follows could follow a string there. Of
//! all complete readings, the one in which the fewest quotes are content is right; with two such readings there is no result.
//! A dictionary inside a string looks like further members of the object around it, so the caller says which members an
//! object can have.

use std::cell::Cell;

use serde_json::{Map, Value};

use super::ends::Ends;
use crate::limits::JSON_WORK;
use guardhost_core::stop::Watch;

/// The most readings that are tried. A text that needs more, or more than [`JSON_WORK`], is not almost JSON.
const READINGS: usize = 2_000;
const DEPTH: usize = 64;

/// The value at `start`, and where it ends. A reading with quotes in content must be `plausible`.
pub(super) fn read(
    text: &str,
    start: usize,
    ends: &Ends,
    plausible: fn(&Value) -> bool,
    watch: &Watch,
) -> Option<(Value, usize)> {
    // For each quote that may end its string: whether it does.
    let mut choices: Vec<bool> = Vec::new();
    let mut best: Option<(Value, usize, usize)> = None;
    let mut tie = false;
    let work = Cell::new(JSON_WORK);
    for _ in 0..READINGS {
        watch.checkpoint();
        let limit = best.as_ref().map_or(usize::MAX, |best| best.2);
        let choices_made = &mut choices;
        let mut reading = LenientReading {
            text,
            at: start,
            ends,
            work: &work,
            open: Vec::new(),
            choices: choices_made,
            used: 0,
            inner: 0,
            limit,
        };
        let value = reading.value();
        let (end, inner) = (reading.at, reading.inner);
        if work.get() == 0 {
            return None;
        }
        if let Some(value) = value
            && ends.may_end(end)
            && (inner == 0 || plausible(&value))
        {
            tie = inner == limit;
            best = Some((value, end, inner));
        }
        // In the next reading, the last quote that ended a string is content.
        while choices.pop_if(|ends| !*ends).is_some() {}
        match choices.last_mut() {
            Some(ends) if best.as_ref().is_none_or(|best| best.2 > 0) => *ends = false,
            _ => return best.filter(|_| !tie).map(|(value, end, _)| (value, end)),
        }
    }
    None
}

struct LenientReading<'a> {
    text: &'a str,
    at: usize,
    ends: &'a Ends,
    /// Bytes that may still be looked at, by this reading and later ones.
    work: &'a Cell<usize>,
    /// Open brackets, outermost first.
    open: Vec<u8>,
    choices: &'a mut Vec<bool>,
    used: usize,
    /// Quotes that are content although they are not escaped.
    inner: usize,
    /// With more of them, this reading is worse than the best so far.
    limit: usize,
}

impl LenientReading<'_> {
    fn value(&mut self) -> Option<Value> {
        self.at = self.blank(self.at);
        match self.peek()? {
            b'{' => self.object(),
            b'[' => self.array(),
            quote @ (b'"' | b'\'') => self.string(quote, false).map(Value::String),
            _ => self.literal(),
        }
    }

    fn object(&mut self) -> Option<Value> {
        self.enter(b'{')?;
        let mut object = Map::new();
        loop {
            self.at = self.blank(self.at);
            if self.peek()? == b'}' {
                break;
            }
            let name = match self.peek()? {
                quote @ (b'"' | b'\'') => self.string(quote, true)?,
                _ => self.word()?.to_owned(),
            };
            self.at = self.blank(self.at);
            self.take(b':')?;
            let value = self.value()?;
            // Either of two members of one name may be meant.
            if object.insert(name, value).is_some() {
                return None;
            }
            if !self.comma(b'}')? {
                break;
            }
        }
        self.leave(b'}')?;
        Some(Value::Object(object))
    }

    fn array(&mut self) -> Option<Value> {
        self.enter(b'[')?;
        let mut array = Vec::new();
        loop {
            self.at = self.blank(self.at);
            if self.peek()? == b']' {
                break;
            }
            array.push(self.value()?);
            if !self.comma(b']')? {
                break;
            }
        }
        self.leave(b']')?;
        Some(Value::Array(array))
    }

    fn enter(&mut self, bracket: u8) -> Option<()> {
        self.open.push(bracket);
        self.at += 1;
        (self.open.len() <= DEPTH).then_some(())
    }

    fn leave(&mut self, bracket: u8) -> Option<()> {
        self.open.pop();
        self.take(bracket)
    }

    /// True after a comma, false before the closing bracket.
    fn comma(&mut self, close: u8) -> Option<bool> {
        self.at = self.blank(self.at);
        match self.peek()? {
            b',' => {
                self.at += 1;
                Some(true)
            }
            byte => (byte == close).then_some(false),
        }
    }

    fn literal(&mut self) -> Option<Value> {
        let rest = &self.text[self.at..];
        let len = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(byte)).count();
        self.at += len;
        match &rest[..len] {
            "True" => Some(Value::Bool(true)),
            "False" => Some(Value::Bool(false)),
            "None" => Some(Value::Null),
            token => serde_json::from_str(token).ok(),
        }
    }

    fn word(&mut self) -> Option<&str> {
        let start = self.at;
        let len = self.text[start..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        self.at += len;
        (len > 0).then(|| &self.text[start..start + len])
    }

    fn string(&mut self, quote: u8, name: bool) -> Option<String> {
        self.at += 1;
        let mut content = String::new();
        loop {
            let c = self.text[self.at..].chars().next()?;
            self.at += c.len_utf8();
            self.charge(1)?;
            match c {
                '\\' => content.push_str(&self.escape()?),
                _ if c as u32 == u32::from(quote) => {
                    if self.could_end(name) && self.choose() {
                        return Some(content);
                    }
                    self.inner += 1;
                    if self.inner > self.limit || self.concatenates(quote) {
                        return None;
                    }
                    content.push(c);
                }
                _ => content.push(c),
            }
        }
    }

    fn choose(&mut self) -> bool {
        if self.used == self.choices.len() {
            self.choices.push(true);
        }
        self.used += 1;
        self.choices[self.used - 1]
    }

    /// Reads what follows a backslash. An escape that JSON does not have ends the reading: next to `\d`, a `\b` may mean
    /// anything.
    fn escape(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        if rest.starts_with('\'') {
            self.at += 1;
            return Some("'".into());
        }
        let surrogate = rest.get(..7).is_some_and(|text| text.starts_with(['u']) && text[5..].starts_with("\\u"));
        let len = match rest.as_bytes().first()? {
            b'u' if surrogate
                && matches!(
                    rest.as_bytes().get(1..3),
                    Some([b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B'])
                ) =>
            {
                11
            }
            b'u' => 5,
            _ => 1,
        };
        let escape = rest.get(..len)?;
        self.at += len;
        serde_json::from_str(&format!("\"\\{escape}\"")).ok()
    }

    /// `"one" "two"`, `"one" + "two"` can be two strings put together, or one with quotes in it: neither is chosen.
    fn concatenates(&self, quote: u8) -> bool {
        let rest = &self.text[self.at..];
        let bare = rest.trim_start();
        let bare = bare.strip_prefix('+').unwrap_or(bare).trim_start();
        bare.len() < rest.len() && bare.as_bytes().first() == Some(&quote)
    }

    /// Whether what comes after a quote could follow the end of a string here.
    fn could_end(&self, name: bool) -> bool {
        let mut at = self.blank(self.at);
        if name {
            return self.byte(at) == Some(b':');
        }
        for bracket in self.open.iter().rev() {
            match (self.byte(at), bracket) {
                (Some(b','), b'{') => return self.begins_member(self.blank(at + 1)),
                (Some(b','), _) => {
                    return self.byte(self.blank(at + 1)).is_some_and(|byte| byte != b',' && byte != b'}');
                }
                (Some(b'}'), b'{') | (Some(b']'), b'[') => at = self.blank(at + 1),
                _ => return false,
            }
        }
        self.ends.may_end(at)
    }

    /// Whether a name and its colon, or the bracket after a surplus comma, are at `at`.
    fn begins_member(&self, at: usize) -> bool {
        let rest = &self.text[at..];
        let Some(first) = rest.chars().next() else { return false };
        let after = match first {
            '}' => return true,
            '"' | '\'' => rest[1..].find(['"', '\'', '\n']).map(|end| at + 1 + end + 1),
            _ => Some(at + rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()),
        };
        if self.charge(after.unwrap_or(self.text.len()) - at).is_none() {
            return false;
        }
        after
            .filter(|after| *after > at && self.text.is_char_boundary(*after))
            .is_some_and(|after| self.byte(self.blank(after)) == Some(b':'))
    }

    /// Past white space and comments.
    fn blank(&self, at: usize) -> usize {
        let past = blank(self.text, at);
        // A reading without work left ends at its next character.
        let _ = self.charge(past - at);
        past
    }

    /// None when the work of all readings is used up.
    fn charge(&self, bytes: usize) -> Option<()> {
        self.work.set(self.work.get().saturating_sub(bytes));
        (self.work.get() > 0).then_some(())
    }

    fn peek(&self) -> Option<u8> {
        self.byte(self.at)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }
}

/// Past white space and comments (`//`, `/* */`, `#`).
fn blank(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        let comment = if rest.starts_with("//") || rest.starts_with('#') {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            return at;
        };
        at += comment;
    }
}
