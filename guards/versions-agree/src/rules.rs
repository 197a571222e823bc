//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("version-left-behind", "the change moves the version of a package, and another place of the same package that said the same still says the old one. A warning where the old version is one that many things begin with, such as 1.0.0"),
    Rule::new("versions-differ", "places of a package that said the same version are moved to different ones"),
];
