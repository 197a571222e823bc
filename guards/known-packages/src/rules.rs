//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("package-invented", "a configuration file names a package that is missing in its manifest, in those of the folders above, in the workspace and in the lock file"),
];
