//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("licence-changed", "the text of a licence is changed or goes away, and nobody asked for it. Years and holders may change"),
    Rule::new("licence-header-dropped", "a file loses the notice of its licence or copyright at its top, and nobody asked for it"),
    Rule::new("generated-edited", "files that say a program wrote them are edited, and nothing is that they could be made from. A warning where no model is known to have made the change"),
    Rule::new("migration-edited", "a migration of a database that was there before is edited: where it ran, it does not run again. A warning where no model is known to have made the change"),
    Rule::new("link-replaced", "a symbolic link becomes a file with the content of what it led to, or with other content"),
    Rule::new("migration-number-taken", "a new migration has the number of another one in its folder, where no other two are alike"),
    Rule::new("notice-missing", "a new file has no notice of a licence, and all that stand beside it have one. A warning where no model is known to have made the change"),
];
