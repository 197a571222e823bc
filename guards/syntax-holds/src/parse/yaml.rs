//! YAML 1.2, with what PyYAML lets pass besides: many documents, any tag. The parser keeps its own stack and bounds it.

use granit_parser::{ErrorKind, Parser};

use super::{Problem, Trouble};

pub fn read(text: &str) -> Result<(), Trouble> {
    for event in Parser::new_from_str(text) {
        if let Err(error) = event {
            return Err(match error.kind() {
                ErrorKind::RecursionLimitExceeded => Trouble::TooDeep,
                _ => Problem::on(error.marker().line(), error.marker().col() + 1, error.info()).into(),
            });
        }
    }
    Ok(())
}
