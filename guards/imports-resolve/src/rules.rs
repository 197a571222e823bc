//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("module-missing", "an import, `require`, `use` or `mod` names a file or module that is not in the candidate, and that no build, language or package can bring"),
    Rule::new("name-missing", "an import takes a name out of a file of the candidate that does not have it"),
    Rule::new("package-unknown", "an import names a package that no manifest, workspace or lock file has, and that the base imports nowhere"),
    Rule::new("marked-generated", "a file of the base gets a mark of generated files (`DO NOT EDIT`, `@generated`) in its first 12 lines, and its later imports would not be judged"),
    Rule::new("not-judged", "info: a file was not judged, because the change needs more than one call can look up"),
];
