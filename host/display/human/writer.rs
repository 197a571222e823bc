//! A page of text: indentation, labels and as much colour as the terminal shows.

use anstyle::{AnsiColor, Style};

use super::super::Appearance;
use super::MAX_TEXT;
use super::line::TextRow;
use super::wrap::{leading_spaces, wrap};
use guardhost_report::escape;

pub const PLAIN: Style = Style::new();
pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const RED: Style = AnsiColor::Red.on_default().bold();
pub const GREEN: Style = AnsiColor::Green.on_default();
pub const YELLOW: Style = AnsiColor::Yellow.on_default();
pub const CYAN: Style = AnsiColor::Cyan.on_default();

/// Columns of the last column of a table, below which its text is wrapped at [`NARROW`].
const MIN_LAST: usize = 24;
const NARROW: usize = 4;

/// Columns of the labels of [`PageWriter::field`].
pub const LABEL: usize = 11;

pub struct PageWriter<'a> {
    pub look: &'a Appearance,
    /// Spaces before every line.
    pub indent: usize,
    out: String,
}

impl<'a> PageWriter<'a> {
    pub fn new(look: &'a Appearance) -> Self {
        PageWriter { look, indent: 0, out: String::new() }
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.out.into_bytes()
    }

    pub fn paint(&self, style: Style, text: &str) -> String {
        if self.look.color && !text.is_empty() && style != PLAIN {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    /// Wrapped on a terminal; what does not fit is indented below.
    pub fn line(&mut self, text: &str) {
        self.hanging(text, &" ".repeat(leading_spaces(text) + 2));
    }

    /// Wrapped on a terminal; further lines begin with `hang`.
    pub fn hanging(&mut self, text: &str, hang: &str) {
        let parts = match self.look.width {
            Some(width) => wrap(text, width.saturating_sub(self.indent), hang),
            None => vec![text.to_owned()],
        };
        parts.iter().for_each(|part| self.verbatim(part));
    }

    /// Never wrapped: code, and commands to copy.
    pub fn verbatim(&mut self, text: &str) {
        let text = text.trim_end();
        // A GitHub runner takes a line that starts with `::` for a command, and a table cell may start with it.
        let text = &match text.trim_start().strip_prefix("::") {
            Some(_) => text.replacen("::", ": :", 1),
            None => text.to_owned(),
        };
        self.out.extend(std::iter::repeat_n(' ', if text.is_empty() { 0 } else { self.indent }));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A row of a table: what does not fit is indented below its last column, unless that is too narrow.
    pub fn row(&mut self, row: &TextRow) {
        let room = self.look.width.map_or(row.last, |width| width.saturating_sub(self.indent + MIN_LAST));
        let hang = if row.last <= room { row.last } else { NARROW };
        self.hanging(&row.text, &" ".repeat(hang));
    }

    /// One empty line; none at the top of the page or after another.
    pub fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// `label: text`. Further lines of the text follow behind a bar, so that none of them looks like a line of the page.
    pub fn labelled(&mut self, label: &str, text: &str, style: Style) {
        let text = escape::block(text, MAX_TEXT);
        let mut lines = text.lines();
        let first = self.paint(style, lines.next().unwrap_or_default());
        self.line(&format!("{label}: {first}"));
        self.barred("  ", lines);
    }

    /// `  label      text`: labels form a column. `text` must be escaped, on one line.
    pub fn field(&mut self, label: &str, text: &str) {
        let label = self.paint(DIM, &format!("{label:LABEL$}"));
        self.hanging(&format!("  {label}{text}"), &" ".repeat(2 + LABEL));
    }

    /// A command to copy, in the column of the fields. `command` must be escaped, on one line.
    pub fn command(&mut self, label: &str, command: &str) {
        let label = self.paint(DIM, &format!("{label:LABEL$}"));
        self.verbatim(&format!("  {label}{}", self.paint(CYAN, command)));
    }

    /// `lines` must be escaped.
    pub fn barred<'t>(&mut self, indent: &str, lines: impl Iterator<Item = &'t str>) {
        let bar = self.paint(DIM, self.sign("│", "|"));
        for line in lines {
            let hang = format!("{indent}{bar} {}", " ".repeat(leading_spaces(line)));
            self.hanging(&format!("{indent}{bar} {line}"), &hang);
        }
    }

    /// Everything that `write` adds is indented further.
    pub fn inside(&mut self, indent: usize, write: impl FnOnce(&mut Self)) {
        self.indent += indent;
        write(self);
        self.indent -= indent;
    }

    /// The first, or the second on a terminal that shows only ASCII.
    pub fn sign(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.look.unicode { unicode } else { ascii }
    }
}
