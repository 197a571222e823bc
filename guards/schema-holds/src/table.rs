//! The bundled schemas: nodes of keywords, in statics that the build script made.

mod code;

use std::cmp::Ordering;

mod made {
    use super::Node;
    include!(concat!(env!("OUT_DIR"), "/tables.rs"));
}

pub use made::root;

/// A schema, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(u16);

/// What a node asks of a value: JSON Schema 2020-12, without annotations.
#[derive(Clone, Copy)]
pub enum Keyword {
    Never,
    Type(Types),
    Enum(Literals),
    Minimum(f64),
    Maximum(f64),
    Above(f64),
    Below(f64),
    MinLength(usize),
    MaxLength(usize),
    Pattern(Pattern),
    Prefix(Nodes),
    /// Of the items from here on.
    Items(usize, Node),
    MinItems(usize),
    MaxItems(usize),
    Unique,
    Contains(Node),
    Properties(Properties),
    Names(Node),
    MinProperties(usize),
    MaxProperties(usize),
    Required(Texts),
    /// Who has the first needs the others.
    Dependent(&'static str, Texts),
    All(Nodes),
    Any(Nodes),
    One(Nodes),
    Not(Node),
    If {
        condition: Node,
        then: Node,
        otherwise: Node,
    },
}

impl Node {
    pub fn keywords(self) -> impl Iterator<Item = Keyword> {
        let start = made::NODES[usize::from(self.0)] as usize;
        let mut at = start + 1;
        (0..made::WORDS[start]).map(move |_| {
            let (code, length) = (made::WORDS[at], usize::from(made::WORDS[at + 1]));
            let words = &made::WORDS[at + 2..at + 2 + length];
            at += 2 + length;
            keyword(code, words)
        })
    }
}

fn keyword(code: u16, words: &'static [u16]) -> Keyword {
    let node = |index: usize| Node(words[index]);
    let number = || made::NUMBERS[usize::from(words[0])];
    let count = || usize::from(words[0]);
    match code {
        code::NEVER => Keyword::Never,
        code::TYPE => Keyword::Type(Types(words[0])),
        code::ENUM => Keyword::Enum(Literals(words)),
        code::MINIMUM => Keyword::Minimum(number()),
        code::MAXIMUM => Keyword::Maximum(number()),
        code::ABOVE => Keyword::Above(number()),
        code::BELOW => Keyword::Below(number()),
        code::MIN_LENGTH => Keyword::MinLength(count()),
        code::MAX_LENGTH => Keyword::MaxLength(count()),
        code::PATTERN => Keyword::Pattern(Pattern(words[0])),
        code::PREFIX => Keyword::Prefix(Nodes(words)),
        code::ITEMS => Keyword::Items(count(), node(1)),
        code::MIN_ITEMS => Keyword::MinItems(count()),
        code::MAX_ITEMS => Keyword::MaxItems(count()),
        code::UNIQUE => Keyword::Unique,
        code::CONTAINS => Keyword::Contains(node(0)),
        code::PROPERTIES => Keyword::Properties(Properties(words)),
        code::NAMES => Keyword::Names(node(0)),
        code::MIN_PROPERTIES => Keyword::MinProperties(count()),
        code::MAX_PROPERTIES => Keyword::MaxProperties(count()),
        code::REQUIRED => Keyword::Required(Texts(words)),
        code::DEPENDENT => Keyword::Dependent(text(words[0]), Texts(&words[1..])),
        code::ALL => Keyword::All(Nodes(words)),
        code::ANY => Keyword::Any(Nodes(words)),
        code::ONE => Keyword::One(Nodes(words)),
        code::NOT => Keyword::Not(node(0)),
        code::IF => Keyword::If { condition: node(0), then: node(1), otherwise: node(2) },
        // The build script writes no other.
        _ => Keyword::Never,
    }
}

fn text(index: u16) -> &'static str {
    let index = usize::from(index);
    let start = index.checked_sub(1).map_or(0, |before| made::TEXT_ENDS[before]);
    &made::TEXT[start as usize..made::TEXT_ENDS[index] as usize]
}

#[derive(Clone, Copy)]
pub struct Nodes(&'static [u16]);

impl Nodes {
    pub fn iter(self) -> impl Iterator<Item = Node> {
        self.0.iter().map(|node| Node(*node))
    }
}

#[derive(Clone, Copy)]
pub struct Texts(&'static [u16]);

impl Texts {
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|index| text(*index))
    }
}

/// A set of JSON's types; an integer is a number too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Types(u16);

impl Types {
    pub const NONE: Types = Types(0);
    pub const NULL: Types = Types(code::NULL);
    pub const BOOLEAN: Types = Types(code::BOOLEAN);
    pub const INTEGER: Types = Types(code::INTEGER);
    pub const NUMBER: Types = Types(code::NUMBER);
    pub const STRING: Types = Types(code::STRING);
    pub const ARRAY: Types = Types(code::ARRAY);
    pub const OBJECT: Types = Types(code::OBJECT);

    pub fn has(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }

    pub fn with(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    pub fn without(self, other: Types) -> Types {
        Types(self.0 & !other.0)
    }
}

#[derive(Clone, Copy)]
pub struct Literals(&'static [u16]);

/// A value of an `enum` that is no text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    Null,
    Bool(bool),
    Number(f64),
}

impl Literals {
    pub fn texts(self) -> Texts {
        Texts(&self.0[1..1 + usize::from(self.0[0])])
    }

    pub fn others(self) -> impl Iterator<Item = Literal> {
        self.0[1 + usize::from(self.0[0])..].iter().map(|word| match *word {
            0 => Literal::Null,
            1 => Literal::Bool(false),
            2 => Literal::Bool(true),
            number => Literal::Number(made::NUMBERS[usize::from(number) - 3]),
        })
    }

    pub fn has_text(self, wanted: &str) -> bool {
        find(self.texts().0, 1, wanted).is_some()
    }
}

#[derive(Clone, Copy)]
pub struct Properties(&'static [u16]);

impl Properties {
    /// Of the keys that are neither named nor fit a pattern.
    pub fn rest(self) -> Node {
        Node(self.0[0])
    }

    pub fn patterns(self) -> impl Iterator<Item = (Pattern, Node)> {
        self.0[2..self.names_at()].chunks_exact(2).map(|pair| (Pattern(pair[0]), Node(pair[1])))
    }

    pub fn named(self) -> impl Iterator<Item = (&'static str, Node)> {
        self.0[self.names_at()..].chunks_exact(2).map(|pair| (text(pair[0]), Node(pair[1])))
    }

    pub fn get(self, key: &str) -> Option<Node> {
        let named = &self.0[self.names_at()..];
        find(named, 2, key).map(|index| Node(named[index + 1]))
    }

    fn names_at(self) -> usize {
        2 + 2 * usize::from(self.0[1])
    }
}

/// Where the text stands in a sorted list with one at every `step`.
fn find(list: &[u16], step: usize, wanted: &str) -> Option<usize> {
    let (mut low, mut high) = (0, list.len() / step);
    while low < high {
        let middle = low.midpoint(high);
        match text(list[middle * step]).cmp(wanted) {
            Ordering::Equal => return Some(middle * step),
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    None
}

/// A regular expression of ECMA-262, as the table of an automaton.
#[derive(Clone, Copy)]
pub struct Pattern(u16);

impl Pattern {
    pub fn source(self) -> &'static str {
        text(made::PATTERNS[usize::from(self.0)].0)
    }

    /// Whether it matches anywhere in the text.
    pub fn matches(self, subject: &str) -> bool {
        let words = &made::WORDS[made::PATTERNS[usize::from(self.0)].1 as usize..];
        let (width, runs) = (usize::from(words[0]) + 1, usize::from(words[1]));
        let (runs, table) = words[2..].split_at(2 * runs);
        let (runs, _) = runs.as_chunks::<2>();
        let next = |state: u16, column: usize| table[(usize::from(state) - 2) * width + column];
        let class = |byte: u8| usize::from(runs[runs.partition_point(|run| run[0] <= u16::from(byte)) - 1][1]);
        let mut state = 2;
        for byte in subject.bytes() {
            state = next(state, class(byte));
            if state < 2 {
                return state == 1;
            }
        }
        next(state, width - 1) == 1
    }
}
