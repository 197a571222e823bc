//! TOML 1.1, which is TOML 1.0 and a little more: duplicate keys and redefined tables are errors in both.

use toml::de::DeTable;

use super::{Problem, Trouble};

/// What the parser says past 80 levels; it has no other mark of it.
const DEPTH_MESSAGE: &str = "cannot recurse further; max recursion depth met";

pub fn read(text: &str) -> Result<(), Trouble> {
    match DeTable::parse(text) {
        Ok(_) => Ok(()),
        Err(error) if error.message().contains(DEPTH_MESSAGE) => Err(Trouble::TooDeep),
        Err(error) => {
            let offset = error.span().map_or(text.len(), |span| span.start);
            Err(Problem::at(text, offset, error.message()).into())
        }
    }
}
