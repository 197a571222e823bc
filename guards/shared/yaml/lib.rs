//! YAML as a tree with line numbers.

use granit_parser::{Event, Parser};

/// Levels and values of the largest file that is read.
const DEPTH: usize = 60;
const LARGEST: usize = 40_000;

#[derive(Debug, Clone)]
pub struct Node {
    /// Where it begins, from 1.
    pub line: u32,
    pub kind: Kind,
}

#[derive(Debug, Clone)]
pub enum Kind {
    Text(String),
    List(Vec<Node>),
    /// In order; of a key, its own line.
    Map(Vec<(String, u32, Node)>),
}

impl Node {
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.members().iter().find(|(name, _, _)| name == key).map(|(_, _, value)| value)
    }

    pub fn members(&self) -> &[(String, u32, Node)] {
        match &self.kind {
            Kind::Map(members) => members,
            _ => &[],
        }
    }

    pub fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text at a key.
    pub fn text_at(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// Every text below, keys left out.
    pub fn texts<'n>(&'n self, into: &mut Vec<(&'n str, u32)>) {
        match &self.kind {
            Kind::Text(text) => into.push((text, self.line)),
            Kind::List(items) => items.iter().for_each(|item| item.texts(into)),
            Kind::Map(members) => members.iter().for_each(|(_, _, value)| value.texts(into)),
        }
    }
}

/// The first document. None: it does not parse, or is too large.
pub fn read(text: &str) -> Option<Node> {
    let mut open: Vec<Open> = Vec::new();
    let mut anchors: Vec<(usize, Node)> = Vec::new();
    let mut size = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.ok()?;
        let line = u32::try_from(span.start.line()).unwrap_or(u32::MAX);
        size += 1;
        if open.len() > DEPTH || size > LARGEST {
            return None;
        }
        let (node, anchor) = match event {
            Event::Scalar(text, _, anchor, _) => (Node { line, kind: Kind::Text(text.into_owned()) }, anchor),
            Event::SequenceStart(_, anchor, _) => {
                open.push(Open { line, anchor, kind: Kind::List(Vec::new()), key: None });
                continue;
            }
            Event::MappingStart(_, anchor, _) => {
                open.push(Open { line, anchor, kind: Kind::Map(Vec::new()), key: None });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Open { line, anchor, kind, .. } = open.pop()?;
                (Node { line, kind }, anchor)
            }
            Event::Alias(anchor) => {
                let (_, node) = anchors.iter().rev().find(|(id, _)| *id == anchor)?;
                size += count(node);
                (Node { line, kind: node.kind.clone() }, 0)
            }
            _ => continue,
        };
        if anchor > 0 {
            size += count(&node);
            anchors.push((anchor, node.clone()));
        }
        match open.last_mut() {
            None => return Some(node),
            Some(Open { kind: Kind::List(items), .. }) => items.push(node),
            Some(Open { kind: Kind::Map(members), key, .. }) => match key.take() {
                None => *key = Some((node.text().unwrap_or("?").to_owned(), node.line)),
                Some((key, line)) if key == "<<" => {
                    members.extend(node.members().iter().cloned().map(|(key, _, value)| (key, line, value)))
                }
                Some((key, line)) => members.push((key, line, node)),
            },
            Some(Open { kind: Kind::Text(_), .. }) => return None,
        }
    }
    None
}

struct Open {
    line: u32,
    anchor: usize,
    kind: Kind,
    key: Option<(String, u32)>,
}

fn count(node: &Node) -> usize {
    match &node.kind {
        Kind::Text(_) => 1,
        Kind::List(items) => 1 + items.iter().map(count).sum::<usize>(),
        Kind::Map(members) => 1 + members.iter().map(|(_, _, value)| count(value)).sum::<usize>(),
    }
}
