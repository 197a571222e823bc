//! An outline while it is made: names in sets, until the walk is over.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use guard_sdk::language::{
    Comment, Definition, Focus, ImportStatement, MemberUse, NameUse, Outline, Skip, Span, SwallowedError,
};

/// The fields are those of the contract's `outline`.
#[derive(Default)]
pub struct Draft {
    pub definitions: Vec<Definition>,
    pub inner: Vec<Definition>,
    pub bound: BTreeSet<String>,
    pub top: BTreeSet<String>,
    pub offered: BTreeSet<String>,
    pub globs: BTreeSet<String>,
    pub is_open: bool,
    pub uses: BTreeMap<String, u32>,
    pub members: BTreeMap<(String, String), u32>,
    pub imports: Vec<ImportStatement>,
    pub fixtures_wanted: BTreeMap<String, u32>,
    pub parametrized: BTreeSet<String>,
    pub comments: Vec<Comment>,
    pub dead: Vec<Range<usize>>,
    pub focused: Vec<(String, Skip)>,
    /// Whether a comment says why is told when all is read.
    pub swallowed: Vec<SwallowedError>,
}

impl Draft {
    pub fn use_at(&mut self, name: &str, line: u32) {
        self.uses.entry(name.to_owned()).or_insert(line);
    }

    pub fn member_at(&mut self, object: &str, member: &str, line: u32) {
        self.members.entry((object.to_owned(), member.to_owned())).or_insert(line);
    }

    pub fn finish(mut self) -> Outline {
        for hidden in &mut self.swallowed {
            let lines = hidden.lines.first..=hidden.lines.last;
            let says = |comment: &Comment| comment.text.chars().any(char::is_alphabetic);
            hidden.is_meant |= self.comments.iter().any(|comment| lines.contains(&comment.line) && says(comment));
        }
        self.dead.sort_unstable_by_key(|range| range.start);
        let list = |names: BTreeSet<String>| names.into_iter().collect();
        let uses = |uses: BTreeMap<String, u32>| uses.into_iter().map(|(name, line)| NameUse { name, line }).collect();
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let members = self.members.into_iter();
        Outline {
            definitions: self.definitions,
            inner: self.inner,
            bound: list(self.bound),
            top: list(self.top),
            offered: list(self.offered),
            globs: list(self.globs),
            is_open: self.is_open,
            uses: uses(self.uses),
            members: members.map(|((object, member), line)| MemberUse { object, member, line }).collect(),
            imports: self.imports,
            fixtures_wanted: uses(self.fixtures_wanted),
            parametrized: list(self.parametrized),
            comments: self.comments,
            dead: self.dead.into_iter().map(|dead| Span { start: byte(dead.start), end: byte(dead.end) }).collect(),
            focused: self.focused.into_iter().map(|(title, mark)| Focus { title, mark }).collect(),
            swallowed: self.swallowed,
        }
    }
}
