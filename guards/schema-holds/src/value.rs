//! What a configuration file says, whatever it is written in.

use std::borrow::Cow;
use std::ops::Range;

use crate::table::Types;

#[derive(Debug, Clone)]
pub struct Value<'t> {
    /// Where it begins, from 1.
    pub line: u32,
    /// The bytes that it takes up in the file; empty where they are not known, and of what a file does not write out.
    pub span: Range<usize>,
    pub kind: Kind<'t>,
}

#[derive(Debug, Clone)]
pub enum Kind<'t> {
    Null,
    Bool(bool),
    Number(f64),
    /// A date of TOML's too.
    Text(Cow<'t, str>),
    List(Vec<Value<'t>>),
    /// Sorted by key, each key once: see [`map`].
    Map(Vec<Member<'t>>),
    /// Becomes a value only when the tool runs: an expression, a variable, a template's action. It may become anything.
    Open,
}

#[derive(Debug, Clone)]
pub struct Member<'t> {
    pub key: Cow<'t, str>,
    pub line: u32,
    pub value: Value<'t>,
}

impl<'t> Value<'t> {
    pub fn types(&self) -> Types {
        match &self.kind {
            Kind::Null => Types::NULL,
            Kind::Bool(_) => Types::BOOLEAN,
            Kind::Number(number) if number.fract() == 0.0 => Types::NUMBER.with(Types::INTEGER),
            Kind::Number(_) => Types::NUMBER,
            Kind::Text(_) => Types::STRING,
            Kind::List(_) => Types::ARRAY,
            Kind::Map(_) => Types::OBJECT,
            Kind::Open => Types::NONE,
        }
    }

    pub fn get(&self, key: &str) -> Option<&Value<'t>> {
        match &self.kind {
            Kind::Map(members) => find(members, key).map(|member| &member.value),
            _ => None,
        }
    }

    /// Whether anything in it is known only when the tool runs.
    pub fn is_open(&self) -> bool {
        match &self.kind {
            Kind::Open => true,
            Kind::List(items) => items.iter().any(Value::is_open),
            Kind::Map(members) => members.iter().any(|member| member.value.is_open()),
            _ => false,
        }
    }

    /// As `uniqueItems` compares.
    pub fn equals(&self, other: &Value) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Null, Kind::Null) => true,
            (Kind::Bool(one), Kind::Bool(two)) => one == two,
            (Kind::Number(one), Kind::Number(two)) => one == two,
            (Kind::Text(one), Kind::Text(two)) => one == two,
            (Kind::List(one), Kind::List(two)) => {
                one.len() == two.len() && one.iter().zip(two).all(|(one, two)| one.equals(two))
            }
            (Kind::Map(one), Kind::Map(two)) => {
                let there = |member: &Member| other.get(&member.key).is_some_and(|value| member.value.equals(value));
                one.len() == two.len() && one.iter().all(there)
            }
            _ => false,
        }
    }
}

/// A map of members in the order of the file; of two with one key, the later.
pub fn map(mut members: Vec<Member>) -> Kind {
    members.sort_by(|one, two| one.key.cmp(&two.key));
    members.dedup_by(|later, kept| {
        let same = later.key == kept.key;
        if same {
            std::mem::swap(later, kept);
        }
        same
    });
    Kind::Map(members)
}

pub fn find<'m, 't>(members: &'m [Member<'t>], key: &str) -> Option<&'m Member<'t>> {
    members.binary_search_by(|member| (*member.key).cmp(key)).ok().map(|index| &members[index])
}
