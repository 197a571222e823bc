//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("package-missing", "a manifest newly declares a package that its registry does not have"),
    Rule::new("package-young", "the first version of a newly declared package is younger than `min_age_days`"),
    Rule::new("package-twin", "the name of a newly declared package differs by one letter, or by its separators alone, from that of a popular package or of one that the repository declared before, and the package itself is neither old nor has many versions"),
    Rule::new("packages-unknown", "of some of the newly declared packages it is not known whether they are there, or since when"),
];
