//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("ruby-syntax", "a `.rb`, `.rake`, `.gemspec` or `.ru` file, a `Gemfile`, `Rakefile`, `Podfile`, `Vagrantfile`, `Brewfile` or `Guardfile` does not parse, or nests deeper than 200 brackets; or it parsed before, and now has more than 256 KiB, or a line of more than 16 KiB"),
];
