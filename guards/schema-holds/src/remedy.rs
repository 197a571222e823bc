//! What to write in the place of a value that is wrong: the same as a string, or without its quotes. Only what holds is offered.

use guard_sdk::{Edit, Finding};

use crate::problem::{Problem, Violation};
use crate::read::read;
use crate::sides::Sides;
use crate::table::Types;
use crate::violations::violations;

/// The value as the file should spell it.
pub struct Remedy<'v> {
    violation: &'v Violation,
    pub text: String,
}

impl<'v> Remedy<'v> {
    /// None when no spelling of the value is taken in its place.
    pub fn for_violation(sides: &Sides, violation: &'v Violation) -> Option<Remedy<'v>> {
        let written = sides.after.get(violation.span.clone()).filter(|written| !written.is_empty())?;
        let text = spellings(violation, written).into_iter().find(|text| mends(sides, violation, text))?;
        Some(Remedy { violation, text })
    }

    pub fn add_to(self, finding: Finding, sides: &Sides) -> Finding {
        let Some(mark) = sides.mark else { return finding };
        let bytes = self.violation.span.start + mark..self.violation.span.end + mark;
        let title = format!("Write {}", self.text);
        finding.fix(title, vec![Edit::replace(sides.path, bytes, self.text)])
    }
}

fn spellings(violation: &Violation, written: &str) -> Vec<String> {
    match &violation.problem {
        // The number that is read is not always what is written: 3.10 is 3.1.
        Problem::Shape { is, .. } if is.has(Types::NUMBER) => {
            let mut spellings = vec![format!("\"{written}\"")];
            if is_python_version(violation) {
                spellings.push(format!("\">={written}\""));
            }
            spellings
        }
        Problem::Shape { is, .. } if is.has(Types::STRING) => {
            let bare = written.trim_matches(['"', '\'']);
            let is_literal = bare == "true" || bare == "false" || bare.parse::<u64>().is_ok();
            if is_literal { vec![bare.to_owned()] } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

/// Whether a version of Python is asked for, which needs an operator before it.
pub fn is_python_version(violation: &Violation) -> bool {
    violation.path == "project.requires-python"
}

fn mends(sides: &Sides, violation: &Violation, text: &str) -> bool {
    let mended = format!("{}{text}{}", &sides.after[..violation.span.start], &sides.after[violation.span.end..]);
    let Ok(values) = read(sides.kind, sides.syntax, &mended) else { return false };
    violations(sides.kind, &values).is_some_and(|left| !left.iter().any(|one| one.path == violation.path))
}
