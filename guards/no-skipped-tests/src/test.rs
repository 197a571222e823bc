//! One test.

use guard_sdk::language::Skip;

pub struct Test {
    /// With the group, class or module that it stands in.
    pub name: String,
    pub skip: Option<Skip>,
}
