//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("import-dropped", "the change removes or narrows an import, and code that it leaves still uses the name"),
    Rule::new("definition-dropped", "the change removes or renames a function, class, parameter or variable, and code that it leaves still uses the old name"),
    Rule::new("name-unbound", "code that the change brings in uses a name that nothing binds"),
    Rule::new("export-unbound", "`__all__` now lists a name that the module does not bind"),
    Rule::new("not-judged", "info: a file was not judged, because the change is larger than one call can read"),
];
