//! One test.

use outline::Asleep;

pub struct Test {
    /// With the group, class or module that it stands in.
    pub name: String,
    pub asleep: Option<Asleep>,
}
