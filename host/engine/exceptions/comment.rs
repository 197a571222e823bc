//! The comment `guardhost: allow RULE reason`, on the line of a finding or alone on the line above it.

use std::fmt;

use guardhost_core::renamed_guards::means;
use serde::{Deserialize, Serialize};

const MARK: &str = "guardhost: allow ";

/// Which comments count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CommentTrust {
    /// Also those that the change adds: for changes of people.
    Any,
    /// Only those that stand in the base, and the change may add none: for changes of models.
    #[default]
    Base,
    /// None.
    None,
}

/// A comment that allows a rule in its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowComment<'a> {
    /// The rule, or `GUARD/RULE`; several with commas between them.
    pub rule: &'a str,
    pub reason: &'a str,
}

impl<'a> AllowComment<'a> {
    /// Each that it names.
    pub fn rules(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.rule.split(',').filter(|rule| !rule.is_empty())
    }

    pub fn names(&self, guard: &str, rule: &str) -> bool {
        self.rules().any(|each| match each.split_once('/') {
            Some((of, named)) => means(of, guard) && named == rule,
            None => each == rule,
        })
    }
}

impl fmt::Display for AllowComment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{MARK}{} {}", self.rule, self.reason)
    }
}

/// Whether the text may hold such a comment.
pub fn mentions(text: &str) -> bool {
    text.contains(MARK)
}

/// Where the mark of the first such comment begins, in bytes.
pub(super) fn mark(text: &str) -> Option<usize> {
    text.find(MARK)
}

/// All comments of a text, with their lines, from 1.
pub fn all(text: &str) -> impl Iterator<Item = (u32, AllowComment<'_>)> {
    (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, parse(line)?)))
}

/// The comment that belongs to a line, out of the line and the one above it, and its own number.
pub fn beside<'a>(line: &'a str, above: Option<&'a str>, number: u32) -> Option<(u32, AllowComment<'a>)> {
    if let Some(comment) = parse(line) {
        return Some((number, comment));
    }
    let above = above.filter(|line| is_alone(line))?;
    Some((number - 1, parse(above)?))
}

/// A comment without a reason is none.
fn parse(line: &str) -> Option<AllowComment<'_>> {
    let (_, rest) = line.split_once(MARK)?;
    let (rule, reason) = rest.trim_start().split_once(char::is_whitespace)?;
    let reason = reason.trim();
    let reason = ["*/", "-->", "#}", "%>"].iter().find_map(|end| reason.strip_suffix(end)).unwrap_or(reason).trim_end();
    let is_rule = !rule.is_empty() && rule.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-/_.,".contains(&byte));
    (is_rule && reason.chars().any(char::is_alphanumeric)).then_some(AllowComment { rule, reason })
}

/// Nothing but signs of a comment stands before the mark.
pub(super) fn is_alone(line: &str) -> bool {
    line.split_once(MARK).is_some_and(|(before, _)| !before.chars().any(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::beside;

    fn found(text: &str, number: u32) -> Option<(u32, String)> {
        let lines: Vec<&str> = text.lines().collect();
        let index = number as usize - 1;
        let above = index.checked_sub(1).map(|above| lines[above]);
        beside(lines[index], above, number).map(|(at, comment)| (at, comment.to_string()))
    }

    #[test]
    fn a_comment_belongs_to_its_line_or_to_the_next() {
        let same = "a\nkey = 1  # guardhost: allow secret-added a public test key\nb\n";
        let said = "guardhost: allow secret-added a public test key".to_owned();
        assert_eq!(found(same, 2), Some((2, said.clone())));
        assert_eq!(found(same, 1), None);
        // It stands beside code, so it does not reach the next line.
        assert_eq!(found(same, 3), None);
        let above = "/* guardhost: allow secret-added a public test key */\nkey\n";
        assert_eq!(found(above, 2), Some((1, said.clone())));
        let both = "x = 1  // guardhost: allow a/b,secret-added both are wrong here\n";
        let (_, comment) = beside(both, None, 1).unwrap();
        assert!(comment.names("a", "b") && comment.names("any", "secret-added") && !comment.names("c", "b"));
        assert_eq!(found("<!-- guardhost: allow secret-added a public test key -->\nkey\n", 2), Some((1, said)));
    }

    #[test]
    fn without_a_rule_and_a_reason_it_is_none() {
        for line in
            ["# guardhost: allow", "# guardhost: allow rule", "# guardhost: allow rule --", "# guardhost: allow <b> x"]
        {
            assert_eq!(found(line, 1), None, "{line}");
        }
    }
}
