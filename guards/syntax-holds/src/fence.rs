//! A file that came as it stood in the reply: wrapped whole in a Markdown code fence.

use std::ops::Range;

/// The bytes of the fence's two lines; one of them is empty when only the other came along.
#[derive(Debug, PartialEq)]
pub struct Fence {
    pub open: Range<usize>,
    pub close: Range<usize>,
}

impl Fence {
    /// A fence on the first line that says anything, and one on the last.
    pub fn around(text: &str) -> Option<Fence> {
        let fence = Fence::before(text)?;
        let end = text.trim_end().len();
        let start = text[..end].rfind('\n')? + 1;
        let first = text[fence.open.clone()].trim_start();
        let mark = first.len() - first.trim_start_matches(['`', '~']).len();
        let last = text[start..end].trim();
        let closes = start >= fence.open.end && last.len() >= mark && last.chars().all(|c| first.starts_with(c));
        closes.then_some(Fence { close: start..text.len(), ..fence })
    }

    /// A fence on the first line that says anything.
    pub fn before(text: &str) -> Option<Fence> {
        let start = text.len() - text.trim_start().len();
        let end = text[start..].find('\n').map_or(text.len(), |newline| start + newline + 1);
        let line = text[start..end].trim_end();
        let info = ["```", "~~~"].iter().find_map(|mark| line.strip_prefix(mark))?;
        (!info.contains('`')).then_some(Fence { open: 0..end, close: text.len()..text.len() })
    }

    /// A bare fence on the last line that says anything.
    pub fn behind(text: &str) -> Option<Fence> {
        let start = text.trim_end().rfind('\n')? + 1;
        let line = text[start..].trim_end();
        let fence = line.len() >= 3 && ["`", "~"].iter().any(|mark| line.chars().all(|c| mark.starts_with(c)));
        fence.then_some(Fence { open: 0..0, close: start..text.len() })
    }

    /// What stands between.
    pub fn inside<'t>(&self, text: &'t str) -> &'t str {
        &text[self.open.end..self.close.start]
    }

    /// Whether the fence that opens is the one that closes, and not the first and the last of several.
    pub fn is_one(&self, text: &str) -> bool {
        !self
            .inside(text)
            .lines()
            .any(|line| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~"))
    }
}

/// Files where a fence may be the content: documents, prompts, templates of them, recorded output and commands with it.
pub fn may_be_fenced(path: &str) -> bool {
    const EXTENSIONS: [&str; 35] = [
        "md", "markdown", "mdown", "mkd", "mdx", "mdc", "qmd", "rmd", "rst", "txt", "text", "adoc", "asciidoc", "org",
        "tex", "typ", "prompt", "j2", "jinja", "jinja2", "tmpl", "tpl", "hbs", "mustache", "liquid", "ejs", "snap",
        "stdout", "stderr", "out", "expected", "golden", "trycmd", "livemd", "cheatmd",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str()),
        // Dockerfile, .gitignore; but a README may be anything.
        _ => !(name.starts_with('.') || name.to_ascii_lowercase().ends_with("file")),
    }
}
