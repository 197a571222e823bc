//! Rust, by the grammar that syn knows: the stable one, of any edition, and some of what is not stable yet.

use proc_macro2::{Delimiter, LexError, Spacing, Span, TokenStream, TokenTree};

use super::{Problem, Trouble};

/// As rustc's default `recursion_limit`; the parser here recurses, and a guard's stack ends in a trap.
const MAX_DEPTH: usize = 128;

pub fn read(text: &str) -> Result<(), Trouble> {
    let text = without_shebang(text);
    if text.trim_start().starts_with("---") {
        return Err(Trouble::Foreign("it is a cargo script, whose frontmatter this guard does not know"));
    }
    let tokens: TokenStream = text
        .parse()
        .map_err(|error: LexError| problem(error.span(), "an unclosed or stray delimiter, or no token of Rust"))?;
    let outcome = match depth(tokens.clone()) {
        deep if deep > MAX_DEPTH => Err(Trouble::TooDeep),
        _ => {
            let parsed = syn::parse2::<syn::File>(tokens.clone());
            let outcome = parsed.as_ref().map(|_| ()).map_err(|error| problem(error.span(), &error.to_string()).into());
            // Dropping a long chain of operators recurses. The memory goes with the call.
            std::mem::forget(parsed);
            outcome
        }
    };
    std::mem::forget(tokens);
    outcome
}

fn problem(span: Span, message: &str) -> Problem {
    Problem::on(span.start().line, span.start().column + 1, message)
}

/// The line break stays, so that lines count as before. `#![…]` is an attribute.
fn without_shebang(text: &str) -> &str {
    match text.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => text.find('\n').map_or("", |newline| &text[newline..]),
        _ => text,
    }
}

/// An upper bound of how deep the parser nests: delimiters, angle brackets, and operators that wait for their operand.
fn depth(tokens: TokenStream) -> usize {
    let (mut deepest, mut outer) = (0, 0);
    let mut open = vec![(tokens.into_iter(), Waiting::default())];
    while let Some((tokens, waiting)) = open.last_mut() {
        let Some(token) = tokens.next() else {
            open.pop();
            outer -= open.last().map_or(0, |(_, waiting)| waiting.count());
            continue;
        };
        waiting.see(&token);
        deepest = deepest.max(open.len() + outer + open.last().map_or(0, |(_, waiting)| waiting.count()));
        if let TokenTree::Group(group) = token {
            outer += open.last().map_or(0, |(_, waiting)| waiting.count());
            open.push((group.stream().into_iter(), Waiting::default()));
        }
    }
    deepest
}

/// What waits for its operand between two delimiters.
#[derive(Default)]
struct Waiting {
    operators: usize,
    angles: usize,
    path: usize,
    after_operand: bool,
    after_body: bool,
    after_hash: bool,
    joint: Option<char>,
}

impl Waiting {
    fn count(&self) -> usize {
        self.operators + self.angles + self.path
    }

    fn see(&mut self, token: &TokenTree) {
        if self.after_body && !matches!(token, TokenTree::Punct(punct) if punct.as_char() != '#') {
            // `fn f() {}` is over.
            (self.operators, self.angles) = (0, 0);
        }
        let joint = self.joint.take();
        self.after_body = matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        match token {
            TokenTree::Group(_) | TokenTree::Literal(_) => (self.after_operand, self.path) = (true, 0),
            TokenTree::Ident(ident) => {
                const WAIT: [&str; 12] = [
                    "return", "break", "become", "yield", "move", "static", "const", "mut", "ref", "box", "dyn", "impl",
                ];
                self.after_operand = !WAIT.iter().any(|word| ident == word);
                self.operators += usize::from(!self.after_operand);
            }
            TokenTree::Punct(punct) => {
                let sign = punct.as_char();
                self.joint = (punct.spacing() == Spacing::Joint).then_some(sign);
                match (joint, sign) {
                    (_, ';') => *self = Waiting::default(),
                    (_, ',') => (self.operators, self.path) = (0, 0),
                    (Some('-'), '>') => self.operators += 1,
                    (Some('='), '>') | (_, '#') => {}
                    // A doc comment is `#![doc = "…"]` here, and there are hundreds in a row.
                    (_, '!') if self.after_hash => {}
                    (_, '<') => self.angles += 1,
                    (_, '>') => self.angles = self.angles.saturating_sub(1),
                    (Some(':'), ':') => self.path += 1,
                    (_, ':') => {}
                    (_, '=') => (self.operators, self.path) = (self.operators + 1, 0),
                    _ => {
                        self.operators += usize::from(!self.after_operand);
                        self.path = 0;
                    }
                }
                // `a?` is an operand still.
                self.after_operand = sign == '?' && self.after_operand;
                self.after_hash = sign == '#';
            }
        }
    }
}
