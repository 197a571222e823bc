//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("manifest-ahead", "a manifest adds or changes a dependency, and the lock file in force for it does not have it so. A warning where the version that npm has locked satisfies the new requirement"),
    Rule::new("digest-stale", "an entry has another version than before, or than another entry, and the same digest"),
    Rule::new("digest-changed", "an entry has the version and the source that it had, and another digest"),
    Rule::new("digest-malformed", "a digest has the wrong length or alphabet for its algorithm"),
    Rule::new("version-mismatch", "the address or the file of an entry names another version than the entry"),
    Rule::new("entry-twice", "two entries stand for the same version of the same package (of pnpm, with the same peers)"),
    Rule::new("dependency-unlocked", "an entry requires a package that the lock file does not have"),
    Rule::new("entry-unneeded", "the change adds an entry that no entry and no manifest requires"),
];
