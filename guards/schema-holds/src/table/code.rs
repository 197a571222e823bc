//! The words that keywords are written in; the build script writes them and `table.rs` reads them.
//!
//! A node is its number of keywords, then each keyword: its code, the number of words that follow, those words. Words
//! name nodes, texts, numbers and patterns by their index.

pub const NEVER: u16 = 0;
/// A set of the bits below.
pub const TYPE: u16 = 1;
/// How many texts, the texts sorted, then other values: 0 null, 1 false, 2 true, 3 and up numbers.
pub const ENUM: u16 = 2;
pub const MINIMUM: u16 = 3;
pub const MAXIMUM: u16 = 4;
pub const ABOVE: u16 = 5;
pub const BELOW: u16 = 6;
pub const MIN_LENGTH: u16 = 7;
pub const MAX_LENGTH: u16 = 8;
pub const PATTERN: u16 = 9;
pub const PREFIX: u16 = 10;
/// How many items are another keyword's, then the node of the rest.
pub const ITEMS: u16 = 11;
pub const MIN_ITEMS: u16 = 12;
pub const MAX_ITEMS: u16 = 13;
pub const UNIQUE: u16 = 14;
pub const CONTAINS: u16 = 15;
/// The node of the rest, how many patterns, pairs of pattern and node, pairs of text and node sorted by text.
pub const PROPERTIES: u16 = 16;
pub const NAMES: u16 = 17;
pub const MIN_PROPERTIES: u16 = 18;
pub const MAX_PROPERTIES: u16 = 19;
pub const REQUIRED: u16 = 20;
/// The text that asks, then those it asks for.
pub const DEPENDENT: u16 = 21;
pub const ALL: u16 = 22;
pub const ANY: u16 = 23;
pub const ONE: u16 = 24;
pub const NOT: u16 = 25;
/// Three nodes: condition, then, else.
pub const IF: u16 = 26;

pub const NULL: u16 = 1;
pub const BOOLEAN: u16 = 2;
pub const INTEGER: u16 = 4;
pub const NUMBER: u16 = 8;
pub const STRING: u16 = 16;
pub const ARRAY: u16 = 32;
pub const OBJECT: u16 = 64;
