//! How deep a parser of JavaScript would nest, and its brackets, told from the bytes: its own lexer is not to be had apart from it.

use crate::Bracket;

/// Close to an upper bound in what people write: open brackets, tags, and operators that wait for their operand. Regular
/// expressions and tags are told by the byte before; who sets out to can hide a nesting from it.
pub fn depth(text: &str) -> usize {
    scan(text, None).deepest
}

/// Those of code, with the `${` of templates; in order. Told as [`depth`] is.
pub fn brackets(text: &str) -> Vec<Bracket> {
    scan(text, Some(Vec::new())).brackets.unwrap_or_default()
}

fn scan(text: &str, brackets: Option<Vec<Bracket>>) -> Scan<'_> {
    let (bytes, open) = (text.as_bytes(), vec![Level::default()]);
    let mut scan = Scan { bytes, at: 0, open, outer: 0, operand: false, deepest: 0, brackets };
    while scan.at < scan.bytes.len() {
        scan.step();
        scan.deepest =
            scan.deepest.max(scan.open.len() + scan.outer + scan.open.last().map_or(0, |level| level.waiting));
    }
    scan
}

#[derive(Default)]
struct Level {
    /// Operators, words and tags that wait for what follows them.
    waiting: usize,
    /// Opened by `${`: a template goes on behind it.
    in_template: bool,
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    open: Vec<Level>,
    /// What waits in all levels but the last.
    outer: usize,
    /// Whether the last token ends an operand.
    operand: bool,
    deepest: usize,
    /// Kept only when they are asked for.
    brackets: Option<Vec<Bracket>>,
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn step(&mut self) {
        let (byte, next) = (self.peek(0), self.peek(1));
        match byte {
            b'\n' => self.line_end(),
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'/' if next == b'/' => self.skip_until(b"\n", 0),
            b'/' if next == b'*' => self.skip_until(b"*/", 2),
            b'/' if self.at > 0 && self.bytes[self.at - 1] == b'<' => self.close_tag(),
            b'/' if next == b'>' => self.close_tag(),
            b'/' if !self.operand => self.regex(),
            b'"' | b'\'' => self.string(byte),
            b'`' => self.template(),
            b'(' | b'[' | b'{' => self.enter(false),
            b')' | b']' | b'}' => self.leave(),
            b';' | b',' => self.settle(),
            b'<' if next == b'>' || next.is_ascii_alphabetic() => self.wait(),
            b'=' if next == b'>' => {
                self.at += 1;
                self.wait();
            }
            b'=' if next == b'=' => self.operator(3),
            // An attribute of a tag.
            b'=' if matches!(next, b'"' | b'\'' | b'{') => self.operator(1),
            b'?' if next == b'.' || next == b'?' => self.operator(2),
            b'*' if next == b'*' => self.wait(),
            b'=' | b'?' | b':' => self.wait(),
            b'!' | b'~' | b'+' | b'-' if !self.operand => self.wait(),
            _ if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80 => self.word(),
            _ => self.operator(1),
        }
    }

    fn operator(&mut self, bytes: usize) {
        self.at += bytes;
        self.operand = false;
    }

    fn wait(&mut self) {
        if let Some(level) = self.open.last_mut() {
            level.waiting += 1;
        }
        self.operator(1);
    }

    fn settle(&mut self) {
        if let Some(level) = self.open.last_mut() {
            level.waiting = 0;
        }
        self.operator(1);
    }

    fn close_tag(&mut self) {
        if let Some(level) = self.open.last_mut() {
            // `</` was not counted, `<a` was.
            level.waiting = level.waiting.saturating_sub(1);
        }
        self.at += 1;
        self.operand = true;
    }

    /// Of the bracket here.
    fn keep(&mut self) {
        let bracket = Bracket { at: self.at, sign: self.peek(0) };
        self.brackets.iter_mut().for_each(|brackets| brackets.push(bracket));
    }

    fn enter(&mut self, in_template: bool) {
        self.keep();
        self.outer += self.open.last().map_or(0, |level| level.waiting);
        self.open.push(Level { waiting: 0, in_template });
        self.operator(1);
    }

    fn leave(&mut self) {
        self.keep();
        self.at += 1;
        self.operand = true;
        if self.open.len() > 1 {
            let level = self.open.pop().unwrap_or_default();
            self.outer -= self.open.last().map_or(0, |level| level.waiting);
            if level.in_template {
                self.template_text();
            }
        }
    }

    /// A line that ends an operand, before one that begins with a word, ends a statement; `else` goes on with it.
    fn line_end(&mut self) {
        let ahead = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let goes_on = self.bytes[self.at + ahead..].starts_with(b"else");
        if self.operand && !goes_on && self.peek(ahead).is_ascii_alphabetic() {
            let (at, operand) = (self.at, self.operand);
            self.settle();
            (self.at, self.operand) = (at, operand);
        }
        self.at += ahead;
    }

    fn word(&mut self) {
        let start = self.at;
        let in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
        while in_word(self.peek(0)) {
            self.at += 1;
        }
        match &self.bytes[start..self.at] {
            // A type, not an operator: `(): void`, `() => void`.
            b"void" if self.bytes[..start].trim_ascii_end().ends_with(b":") => self.operand = true,
            b"void" if self.bytes[..start].trim_ascii_end().ends_with(b"=>") => self.operand = true,
            b"typeof" | b"void" | b"delete" | b"await" | b"new" | b"keyof" | b"else" | b"async" | b"infer" => {
                self.at -= 1;
                self.wait();
            }
            // A statement in a statement without a block.
            b"if" | b"for" | b"while" | b"with" | b"do" if self.operand => {
                self.at -= 1;
                self.wait();
            }
            b"return" | b"throw" | b"case" | b"in" | b"of" | b"instanceof" | b"yield" => self.operand = false,
            _ => self.operand = true,
        }
    }

    fn string(&mut self, quote: u8) {
        self.at += 1;
        while !matches!(self.peek(0), 0 | b'\n') && self.peek(0) != quote {
            self.at += if self.peek(0) == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        self.operand = true;
    }

    /// What does not end on its line is no regular expression.
    fn regex(&mut self) {
        let (start, mut class) = (self.at, false);
        self.at += 1;
        loop {
            match self.peek(0) {
                0 | b'\n' => {
                    self.at = start;
                    return self.operator(1);
                }
                b'\\' => self.at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        self.operand = true;
    }

    fn template(&mut self) {
        self.at += 1;
        self.template_text();
    }

    fn template_text(&mut self) {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b'$', b'{') => {
                    self.at += 1;
                    return self.enter(true);
                }
                (b'`', _) => break,
                (b'\\', _) => self.at += 1,
                (0, _) if self.at >= self.bytes.len() => return,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        self.operand = true;
    }

    fn skip_until(&mut self, end: &[u8], open: usize) {
        let rest = self.bytes.get(self.at + open..).unwrap_or_default();
        let length = rest.windows(end.len()).position(|window| window == end).unwrap_or(rest.len());
        self.at += open + length + if end == b"\n" { 0 } else { end.len() };
    }
}
