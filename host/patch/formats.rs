//! The patch formats: one row each. Every stage that asks how a patch begins, or what its hunks say, asks this table.

use guardhost_core::change::PatchFormat;

/// Lines around a patch that belong to no format. Between them nothing else is looked at.
pub(crate) const START: &str = "<<<AI_DIFF_START>>>";
pub(crate) const END: &str = "<<<AI_DIFF_END>>>";

/// What one format is. Lines are given by their first bytes.
pub(crate) struct FormatRow {
    /// Each hunk has a line number.
    pub is_numbered: bool,
    /// The hunks of a file are listed from top to bottom.
    pub is_ordered: bool,
    /// The first line, as [`begins_patch`] takes it: words of introduction do not begin so.
    pub first_lines: &'static [&'static str],
    /// Lines by which `repair` tells a patch from prose.
    pub headers: &'static [&'static str],
    /// Headers in the shortest spelling that the parser takes: from them `extract` learns the reply's line endings.
    pub loose_headers: &'static [&'static str],
    /// Headers that look like nothing else, so that `repair` takes characters without width out of them.
    pub markers: &'static [&'static str],
    /// Lines after the first: if they follow a written-out `\n`, a whole patch was put on one line.
    pub inner_lines: &'static [&'static str],
    /// Headers that are never first. Where no patch was found, they show that the beginning of one is missing.
    pub leftovers: &'static [&'static str],
}

/// The rows of all formats, and of spellings that have no format of their own.
static TABLE: [&FormatRow; 8] =
    [&V4A, &GIT_DIFF, &UNIFIED_DIFF, &SEARCH_REPLACE, &TAGS, &JSON_LIST, &STR_REPLACE, &WHOLE_FILE];

static V4A: FormatRow = FormatRow {
    is_numbered: false,
    is_ordered: true,
    first_lines: &["*** Begin Patch"],
    headers: &["*** "],
    loose_headers: &["*** "],
    markers: &["*** Begin Patch", "*** End Patch", "*** Add File:", "*** Update File:", "*** Delete File:"],
    inner_lines: &["*** "],
    leftovers: &["*** End Patch", "*** Move to:"],
};

static GIT_DIFF: FormatRow = FormatRow {
    is_numbered: true,
    is_ordered: true,
    first_lines: &["diff --git "],
    headers: &["diff --git "],
    loose_headers: &["diff --git "],
    markers: &["diff --git "],
    inner_lines: &["diff --git ", "similarity index "],
    leftovers: &[],
};

static UNIFIED_DIFF: FormatRow = FormatRow {
    is_numbered: true,
    is_ordered: true,
    first_lines: &["--- ", "Index: "],
    headers: &["--- ", "+++ ", "@@ "],
    loose_headers: &["--- ", "+++ ", "@@"],
    markers: &[],
    inner_lines: &["+++ ", "@@"],
    leftovers: &["+++ "],
};

static SEARCH_REPLACE: FormatRow = FormatRow {
    is_numbered: false,
    is_ordered: false,
    first_lines: &["<<<", "------- SEARCH"],
    headers: &["<<<<<<< SEARCH", "------- SEARCH"],
    loose_headers: &["<<<<<", ">>>>>", "------- SEARCH", "+++++++ REPLACE"],
    markers: &["<<<<<<< SEARCH", ">>>>>>> REPLACE", "------- SEARCH", "+++++++ REPLACE"],
    inner_lines: &["=======\\n"],
    leftovers: &[">>>>>>> REPLACE", "+++++++ REPLACE"],
};

/// SEARCH/REPLACE and whole files in tags: `<search>…</search><replace>…</replace>`, `<file path="…">…</file>`.
static TAGS: FormatRow = FormatRow {
    is_numbered: false,
    is_ordered: false,
    first_lines: &["<search>", "<old_str>", "<old_string>", "<file path="],
    headers: &[],
    loose_headers: &["<search>", "<old_str>", "<old_string>", "<file path="],
    markers: &[],
    inner_lines: &[],
    leftovers: &["</replace>", "</new_str>", "</new_string>"],
};

static JSON_LIST: FormatRow = FormatRow {
    is_numbered: false,
    is_ordered: false,
    first_lines: &["{", "["],
    headers: &[],
    loose_headers: &[],
    markers: &[],
    inner_lines: &[],
    leftovers: &[],
};

static STR_REPLACE: FormatRow = FormatRow { ..JSON_LIST };

/// A file in a fence is a patch only where the reply has no other.
static WHOLE_FILE: FormatRow = FormatRow {
    is_numbered: false,
    is_ordered: false,
    first_lines: &["```", "~~~"],
    headers: &[],
    loose_headers: &["```", "~~~"],
    markers: &[],
    inner_lines: &[],
    leftovers: &[],
};

pub(crate) fn row(format: PatchFormat) -> &'static FormatRow {
    match format {
        PatchFormat::V4a => &V4A,
        PatchFormat::GitDiff => &GIT_DIFF,
        PatchFormat::UnifiedDiff => &UNIFIED_DIFF,
        PatchFormat::SearchReplace => &SEARCH_REPLACE,
        PatchFormat::JsonList => &JSON_LIST,
        PatchFormat::WholeFile => &WHOLE_FILE,
        PatchFormat::StrReplace => &STR_REPLACE,
    }
}

/// Whether `line`, indented or not, is the first of a patch or of a fence around one. What a reply says before it is its
/// rationale.
pub fn begins_patch(line: &str) -> bool {
    is_first_line(line.trim_start().as_bytes())
}

/// The same for a line without indentation.
pub(crate) fn is_first_line(line: &[u8]) -> bool {
    begins_with(line, |row| row.first_lines)
}

/// Whether `line` begins with one of the lines that `column` gives, of any format.
pub(crate) fn begins_with(line: &[u8], column: fn(&FormatRow) -> &'static [&'static str]) -> bool {
    TABLE.iter().flat_map(|row| column(row)).any(|beginning| line.starts_with(beginning.as_bytes()))
}
