//! What a file's schema objects to.

use crate::check::Checker;
use crate::explain::explain;
use crate::kind::Kind;
use crate::problem::Violation;
use crate::value::{self, Value};

/// None when it took too long.
pub fn violations(kind: Kind, values: &[Value]) -> Option<Vec<Violation>> {
    let checker = Checker::new();
    let mut found = Vec::new();
    // A file of comments alone is switched off, and asks nothing of its tool.
    let said = values.iter().filter(|value| !matches!(value.kind, value::Kind::Null));
    for value in said.filter(|value| !checker.holds(kind.schema(), value)) {
        found.extend(explain(&checker, kind.schema(), value));
    }
    (!checker.is_exhausted()).then_some(found)
}
