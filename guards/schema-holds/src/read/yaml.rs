//! YAML: what each tool's parser makes of plain scalars, aliases, merge keys and tags.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, Tag};

use super::{DEPTH, Unread};
use crate::kind;
use crate::value::{self, Kind, Member, Value};

/// Values that a file may stand for once its aliases are written out.
const LARGEST: usize = 100_000;

pub fn read(text: &str, of: kind::Kind) -> Result<Vec<Value<'_>>, Unread> {
    let mut builder = Builder { of, open: Vec::new(), documents: Vec::new(), anchors: Vec::new(), size: 0 };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| match error.kind() {
            ErrorKind::RecursionLimitExceeded => Unread::TooMuch("it nests too deep"),
            _ => Unread::Broken,
        })?;
        let line = u32::try_from(span.start.line()).unwrap_or(u32::MAX);
        builder.take(event, line, span.byte_range().unwrap_or_default())?;
    }
    if builder.documents.is_empty() {
        builder.documents.push(Value { line: 1, span: 0..0, kind: Kind::Null });
    }
    Ok(builder.documents)
}

struct Builder<'t> {
    of: kind::Kind,
    open: Vec<Open<'t>>,
    documents: Vec<Value<'t>>,
    /// Values that aliases stand for, by the parser's number.
    anchors: Vec<(usize, Value<'t>)>,
    size: usize,
}

/// A list or map whose end is still to come.
struct Open<'t> {
    line: u32,
    anchor: usize,
    foreign: bool,
    items: Items<'t>,
}

enum Items<'t> {
    List(Vec<Value<'t>>),
    Map { members: Vec<Member<'t>>, merged: Vec<Member<'t>>, key: Option<(Cow<'t, str>, u32, bool)> },
}

impl<'t> Builder<'t> {
    fn take(&mut self, event: Event<'t>, line: u32, span: Range<usize>) -> Result<(), Unread> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_merge = style == ScalarStyle::Plain && text == "<<";
                if self.wants_key() {
                    if anchor > 0 {
                        self.anchors.push((anchor, Value { line, span, kind: Kind::Text(text.clone()) }));
                    }
                    self.key(text, line, is_merge);
                    return Ok(());
                }
                let kind = scalar(text, style, tag.as_deref(), self.of);
                self.add(Value { line, span, kind }, anchor, 1)
            }
            Event::SequenceStart(_, anchor, tag) => self.enter(line, anchor, tag.as_deref(), Items::List(Vec::new())),
            Event::MappingStart(_, anchor, tag) => {
                let items = Items::Map { members: Vec::new(), merged: Vec::new(), key: None };
                self.enter(line, anchor, tag.as_deref(), items)
            }
            Event::SequenceEnd | Event::MappingEnd => self.leave(),
            Event::Alias(anchor) => {
                let value = self.anchors.iter().rev().find(|(id, _)| *id == anchor).map(|(_, value)| value.clone());
                // An alias inside of what it stands for has no value yet.
                let mut value = value.ok_or(Unread::TooMuch("an alias stands for what it is in"))?;
                (value.line, value.span) = (line, 0..0);
                let size = size(&value);
                match (self.wants_key(), &value.kind) {
                    (true, Kind::Text(text)) => {
                        let text = text.clone();
                        self.key(text, line, false);
                        Ok(())
                    }
                    _ => self.add(value, 0, size),
                }
            }
            _ => Ok(()),
        }
    }

    fn wants_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { items: Items::Map { key: None, .. }, .. }))
    }

    fn key(&mut self, text: Cow<'t, str>, line: u32, is_merge: bool) {
        if let Some(Open { items: Items::Map { key, .. }, .. }) = self.open.last_mut() {
            *key = Some((text, line, is_merge));
        }
    }

    fn enter(&mut self, line: u32, anchor: usize, tag: Option<&Tag>, items: Items<'t>) -> Result<(), Unread> {
        if self.open.len() >= DEPTH {
            return Err(Unread::TooMuch("it nests too deep"));
        }
        self.open.push(Open { line, anchor, foreign: tag.is_some_and(|tag| !tag.is_yaml_core_schema()), items });
        Ok(())
    }

    fn leave(&mut self) -> Result<(), Unread> {
        let Some(Open { line, anchor, foreign, items }) = self.open.pop() else { return Ok(()) };
        let kind = match items {
            _ if foreign => Kind::Open,
            Items::List(items) => Kind::List(items),
            // What is merged stands first, so that the map's own keys win.
            Items::Map { members, mut merged, .. } => {
                merged.extend(members);
                value::map(merged)
            }
        };
        self.add(Value { line, span: 0..0, kind }, anchor, 1)
    }

    fn add(&mut self, value: Value<'t>, anchor: usize, size: usize) -> Result<(), Unread> {
        self.size += size;
        if self.size > LARGEST {
            return Err(Unread::TooMuch("its aliases stand for too much"));
        }
        if anchor > 0 {
            self.anchors.push((anchor, value.clone()));
            self.size += self::size(&value);
        }
        match self.open.last_mut().map(|open| &mut open.items) {
            None => self.documents.push(value),
            Some(Items::List(items)) => items.push(value),
            Some(Items::Map { members, merged, key }) => match key.take() {
                Some((_, _, true)) => merge(merged, value),
                Some((key, line, false)) => members.push(Member { key, line, value }),
                // A list or a map as a key: no tool here takes it.
                None => *key = Some((Cow::Borrowed("?"), value.line, false)),
            },
        }
        Ok(())
    }
}

/// `<<: *one` and `<<: [*one, *two]`; of two, the first wins.
fn merge<'t>(merged: &mut Vec<Member<'t>>, value: Value<'t>) {
    match value.kind {
        Kind::Map(members) => drop(merged.splice(0..0, members)),
        Kind::List(items) => items.into_iter().for_each(|item| merge(merged, item)),
        _ => {}
    }
}

fn size(value: &Value) -> usize {
    match &value.kind {
        Kind::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Kind::Map(members) => 1 + members.iter().map(|member| size(&member.value)).sum::<usize>(),
        _ => 1,
    }
}

fn scalar<'t>(text: Cow<'t, str>, style: ScalarStyle, tag: Option<&Tag>, of: kind::Kind) -> Kind<'t> {
    let plain = style == ScalarStyle::Plain;
    match tag {
        _ if of.is_open(&text) => Kind::Open,
        Some(tag) if !tag.is_yaml_core_schema() => Kind::Open,
        Some(tag) if tag.suffix() == "str" => Kind::Text(text),
        None if !plain => Kind::Text(text),
        _ => resolve(&text, of.is_yaml_1_1()).unwrap_or(Kind::Text(text)),
    }
}

/// What a plain scalar stands for when it is no string.
fn resolve<'t>(text: &str, old: bool) -> Option<Kind<'t>> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" => Kind::Bool(true),
        "false" | "False" | "FALSE" => Kind::Bool(false),
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" if old => Kind::Bool(true),
        "no" | "No" | "NO" | "off" | "Off" | "OFF" if old => Kind::Bool(false),
        ".inf" | "+.inf" | "-.inf" | ".nan" | ".NaN" => Kind::Number(f64::NAN),
        _ => Kind::Number(number(text)?),
    })
}

fn number(text: &str) -> Option<f64> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().map(|number| number as f64);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return u64::from_str_radix(digits, 8).ok().map(|number| number as f64);
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let begins = digits.starts_with(|first: char| first.is_ascii_digit())
        || (digits.starts_with('.') && digits[1..].starts_with(|first: char| first.is_ascii_digit()));
    (begins && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')))
        .then(|| text.parse().ok())?
}
