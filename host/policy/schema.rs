//! The JSON Schema of `guards.toml`, and the copy of it that a repository keeps for editors.
//!
//! Editors that use Taplo find the schema by a comment in the first line. It names a file, not a web address, so that it works
//! offline and fits the version of the host that wrote it.

/// `docs/guards.schema.json` of this version.
pub const SCHEMA: &str = include_str!("../../docs/guards.schema.json");
/// Where a repository keeps the copy. The folder is protected: no patch may write to it.
pub const SCHEMA_FILE: &str = ".guards/guards.schema.json";
/// The first line of every `guards.toml` that the host creates.
pub const SCHEMA_LINE: &str = "#:schema ./.guards/guards.schema.json";

/// Whether the host keeps the copy up to date for this `guards.toml`: its first line is [`SCHEMA_LINE`].
pub fn uses_schema_copy(guards_toml: &str) -> bool {
    guards_toml.lines().next().is_some_and(|line| line.trim_end() == SCHEMA_LINE)
}
