//! What a file is written in, as far as characters of a program's making may be meant in it.

use crate::apply::left_out::is_prose;
use guardhost_core::change::RepoPath;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Prose,
    /// Elements and templates: `&lt;` and typographic quotes are text of theirs.
    Markup,
    /// A shell, a Makefile, TeX and other languages in which a backslash stands before anything.
    Backslashes,
    /// Settings and data, whose values need no quotes.
    Data,
    Code,
}

impl Written {
    /// Whether the language has strings and comments for whatever is no part of it.
    pub fn is_strict(self) -> bool {
        matches!(self, Written::Code | Written::Backslashes)
    }
}

impl Written {
    pub fn to(path: &RepoPath) -> Self {
        const MARKUP: [&str; 30] = [
            ".html", ".htm", ".xhtml", ".xml", ".svg", ".vue", ".svelte", ".astro", ".jsx", ".tsx", ".php", ".erb",
            ".ejs", ".hbs", ".j2", ".jinja", ".njk", ".twig", ".liquid", ".cshtml", ".razor", ".jsp", ".xaml",
            ".plist", ".csproj", ".props", ".targets", ".resx", ".ipynb", ".po",
        ];
        const BACKSLASHES: [&str; 26] = [
            ".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd", ".mk", ".tex", ".sty", ".vim", ".m", ".hs",
            ".elm", ".clj", ".cljs", ".el", ".lisp", ".scm", ".rkt", ".pl", ".pm", ".awk", ".sed", ".nix", ".tcl",
        ];
        const DATA: [&str; 12] = [
            ".yml",
            ".yaml",
            ".properties",
            ".ini",
            ".cfg",
            ".conf",
            ".csv",
            ".tsv",
            ".env",
            ".strings",
            ".log",
            ".snap",
        ];
        let name = path.file_name().to_ascii_lowercase();
        let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end.as_bytes()));
        match () {
            () if is_prose(path) => Written::Prose,
            () if ends(&MARKUP) => Written::Markup,
            () if ends(&DATA) => Written::Data,
            // `Makefile`, `Dockerfile`, `.gitignore`
            () if ends(&BACKSLASHES) || !name.iter().skip(1).any(|byte| *byte == b'.') => Written::Backslashes,
            () => Written::Code,
        }
    }
}
