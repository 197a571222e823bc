//! Tokens of known forms.

use regex_automata::nfa::thompson::{self, pikevm};
use regex_automata::util::syntax;
use regex_automata::{Input, nfa::thompson::pikevm::PikeVM};

use crate::Secret;
use crate::keywords::Keywords;
use crate::patterns::PATTERNS;
use crate::random;

/// Bytes before and behind a keyword in which its token is looked for.
const BEFORE: usize = 64;
const BEHIND: usize = 1_100;

pub struct Scanner {
    keywords: Keywords,
    /// By pattern; compiled when its keyword is first seen.
    engines: Vec<Option<(PikeVM, pikevm::Cache)>>,
}

impl Scanner {
    pub fn new() -> Self {
        Scanner { keywords: Keywords::new(), engines: PATTERNS.iter().map(|_| None).collect() }
    }

    pub fn tokens(&mut self, line: &str) -> Vec<Secret> {
        let mut secrets: Vec<Secret> = Vec::new();
        // Where each pattern has been looked for already, so that no byte is read twice by one pattern.
        let mut read: Vec<(usize, usize)> = Vec::new();
        for (index, at) in self.keywords.find(line.as_bytes()) {
            if read.iter().any(|(pattern, end)| *pattern == index && at < *end) {
                continue;
            }
            let (start, end) = (floor(line, at.saturating_sub(BEFORE)), floor(line, (at + BEHIND).min(line.len())));
            read.retain(|(pattern, _)| *pattern != index);
            read.push((index, end));
            let Some(value) = self.matched(index, &line[start..end]) else { continue };
            let is_known = |secret: &Secret| secret.value.contains(value.as_str()) || value.contains(&secret.value);
            if random::entropy(&value) < PATTERNS[index].entropy || secrets.iter().any(is_known) {
                continue;
            }
            let what = format!("a credential ({})", PATTERNS[index].id.replace('-', " "));
            secrets.push(Secret { rule: "token-added", what, value });
        }
        secrets
    }

    /// The first secret of that form.
    fn matched(&mut self, index: usize, text: &str) -> Option<String> {
        let engine = &mut self.engines[index];
        if engine.is_none() {
            let vm = pikevm::Builder::new()
                .syntax(syntax::Config::new().unicode(false).utf8(false))
                .thompson(thompson::Config::new().utf8(false))
                .build(PATTERNS[index].regex)
                .ok()?;
            let cache = vm.create_cache();
            *engine = Some((vm, cache));
        }
        let (vm, cache) = engine.as_mut()?;
        let mut captures = vm.create_captures();
        vm.captures(cache, Input::new(text), &mut captures);
        let span = captures.get_group(1).or_else(|| captures.get_group(0))?;
        Some(text.get(span.start..span.end)?.to_owned())
    }
}

/// The last boundary of a character at or before `at`.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expression_compiles() {
        for pattern in PATTERNS {
            let built =
                pikevm::Builder::new().syntax(syntax::Config::new().unicode(false).utf8(false)).build(pattern.regex);
            assert!(built.is_ok(), "{}: {:?}", pattern.id, built.err());
        }
    }
}
