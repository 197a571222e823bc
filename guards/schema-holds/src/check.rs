//! Whether a value holds what a schema asks. The quick answer; why not is told by `explain`.

use std::borrow::Cow;
use std::cell::Cell;

use crate::table::{Keyword, Literal, Node, Properties};
use crate::value::{self, Kind, Member, Value};

/// Nodes asked of values, in one file. A real file takes some thousands; one that is made to take long ends here.
const STEPS: u32 = 5_000_000;

pub struct Checker {
    left: Cell<u32>,
}

impl Checker {
    pub fn new() -> Checker {
        Checker { left: Cell::new(STEPS) }
    }

    /// What was answered since is worth nothing.
    pub fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    pub fn holds(&self, node: Node, value: &Value) -> bool {
        self.spend(1);
        if self.is_exhausted() || matches!(value.kind, Kind::Open) {
            return true;
        }
        node.keywords().all(|keyword| self.keyword(keyword, value))
    }

    /// This keyword alone.
    pub fn keyword(&self, keyword: Keyword, value: &Value) -> bool {
        match (keyword, &value.kind) {
            (Keyword::Never, _) => false,
            (Keyword::Type(types), _) => types.has(value.types()),
            (Keyword::Enum(literals), kind) => match kind {
                Kind::Text(text) => literals.has_text(text),
                Kind::Null => literals.others().any(|literal| literal == Literal::Null),
                Kind::Bool(value) => literals.others().any(|literal| literal == Literal::Bool(*value)),
                Kind::Number(value) => literals.others().any(|literal| literal == Literal::Number(*value)),
                _ => false,
            },
            (Keyword::All(nodes), _) => nodes.iter().all(|node| self.holds(node, value)),
            (Keyword::Any(nodes), _) => nodes.iter().any(|node| self.holds(node, value)),
            (Keyword::One(nodes), _) => match nodes.iter().filter(|node| self.holds(*node, value)).count() {
                0 => false,
                1 => true,
                _ => value.is_open(),
            },
            (Keyword::Not(node), _) => !self.holds(node, value) || value.is_open(),
            (Keyword::If { condition, then, otherwise }, _) => {
                let branch = if self.holds(condition, value) { then } else { otherwise };
                self.holds(branch, value) || value.is_open()
            }
            (keyword, Kind::Number(number)) => match keyword {
                Keyword::Minimum(least) => *number >= least,
                Keyword::Maximum(most) => *number <= most,
                Keyword::Above(limit) => *number > limit,
                Keyword::Below(limit) => *number < limit,
                _ => true,
            },
            (keyword, Kind::Text(text)) => match keyword {
                Keyword::MinLength(least) => text.chars().nth(least.saturating_sub(1)).is_some() || least == 0,
                Keyword::MaxLength(most) => text.chars().nth(most).is_none(),
                Keyword::Pattern(pattern) => pattern.matches(text),
                _ => true,
            },
            (keyword, Kind::List(items)) => self.list(keyword, items),
            (keyword, Kind::Map(members)) => self.map(keyword, members),
            _ => true,
        }
    }

    fn list(&self, keyword: Keyword, items: &[Value]) -> bool {
        match keyword {
            Keyword::Prefix(nodes) => nodes.iter().zip(items).all(|(node, item)| self.holds(node, item)),
            Keyword::Items(from, node) => items.iter().skip(from).all(|item| self.holds(node, item)),
            Keyword::MinItems(least) => items.len() >= least,
            Keyword::MaxItems(most) => items.len() <= most,
            Keyword::Unique => self.twice(items).is_none(),
            Keyword::Contains(node) => items.iter().any(|item| self.holds(node, item)),
            _ => true,
        }
    }

    fn map(&self, keyword: Keyword, members: &[Member]) -> bool {
        let has = |key: &str| value::find(members, key).is_some();
        match keyword {
            Keyword::Properties(properties) => members.iter().all(|member| self.member(properties, member)),
            Keyword::Names(node) => members.iter().all(|member| self.holds(node, &name(member))),
            Keyword::MinProperties(least) => members.len() >= least,
            Keyword::MaxProperties(most) => members.len() <= most,
            Keyword::Required(keys) => keys.iter().all(has),
            Keyword::Dependent(key, needed) => !has(key) || needed.iter().all(has),
            _ => true,
        }
    }

    fn member(&self, properties: Properties, member: &Member) -> bool {
        each_of(properties, &member.key, |node| self.holds(node, &member.value))
    }

    /// The first item that equals one before it.
    pub fn twice<'i, 't>(&self, items: &'i [Value<'t>]) -> Option<&'i Value<'t>> {
        items.iter().enumerate().find_map(|(index, item)| {
            self.spend(index as u32);
            let seen = !self.is_exhausted() && items[..index].iter().any(|before| before.equals(item));
            seen.then_some(item)
        })
    }

    fn spend(&self, steps: u32) {
        self.left.set(self.left.get().saturating_sub(steps));
    }
}

/// Visits the nodes that a member with this key must fit, until one says false; whether none did.
pub fn each_of(properties: Properties, key: &str, mut visit: impl FnMut(Node) -> bool) -> bool {
    let mut known = false;
    let by_pattern = properties.patterns().filter(|(pattern, _)| pattern.matches(key)).map(|(_, node)| node);
    for node in properties.get(key).into_iter().chain(by_pattern) {
        known = true;
        if !visit(node) {
            return false;
        }
    }
    known || visit(properties.rest())
}

/// A key as a value, for `propertyNames`.
pub fn name<'m>(member: &'m Member) -> Value<'m> {
    Value { line: member.line, span: 0..0, kind: Kind::Text(Cow::Borrowed(&member.key)) }
}
