//! Files in another shape than most: names with blanks, carriage returns, a byte order mark. The replies are made as for any
//! other file, since models see neither line endings nor byte order marks.

use super::corpus::Source;
use super::trial::{Files, Trial, Want};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// As they are in the clone.
    AsIs,
    /// Folder and file have a blank in their names.
    Blanks,
    /// Folder and file have letters beyond ASCII in their names.
    Letters,
    /// All lines end in CR LF.
    Crlf,
    /// The file begins with a byte order mark.
    Bom,
}

impl Shape {
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "as-is" => Shape::AsIs,
            "blanks" => Shape::Blanks,
            "letters" => Shape::Letters,
            "crlf" => Shape::Crlf,
            "bom" => Shape::Bom,
            _ => return None,
        })
    }

    /// The source with names of this shape.
    pub fn with_names(self, mut source: Source) -> Source {
        let (folder, start) = match self {
            Shape::Blanks => ("My Samples", "My "),
            Shape::Letters => ("größe", "é"),
            Shape::AsIs | Shape::Crlf | Shape::Bom => return source,
        };
        for edit in &mut source.edits {
            let (above, name) = edit.path.rsplit_once('/').unwrap_or(("", &edit.path));
            let above = if above.is_empty() { String::new() } else { format!("{above}/") };
            edit.path = format!("{folder}/{above}{start}{name}");
        }
        source
    }

    /// The trial with contents of this shape, where it has a result and every file of that was there before.
    pub fn with_contents(self, trial: Trial) -> Option<Trial> {
        let (line_feed, mark): (&str, &[u8]) = match self {
            Shape::AsIs | Shape::Blanks | Shape::Letters => return Some(trial),
            Shape::Crlf => ("\r\n", b""),
            Shape::Bom => ("\n", b"\xef\xbb\xbf"),
        };
        let shaped = |mut files: Files| {
            for file in files.values_mut() {
                let text = String::from_utf8_lossy(&file.bytes).replace('\n', line_feed);
                file.bytes = [mark, text.as_bytes()].concat();
            }
            files
        };
        let is_plain = |files: &Files| !files.values().any(|file| file.bytes.contains(&b'\r') || file.bytes.is_empty());
        let is_known = |files: &Files| files.keys().all(|path| trial.tree.contains_key(path));
        let fits = is_plain(&trial.tree)
            && trial.shown.as_ref().is_none_or(is_plain)
            && match &trial.want {
                Want::Result(files) | Want::AllOrNothing(files) => is_plain(files) && is_known(files),
                Want::Refusal => true,
            };
        fits.then(|| Trial {
            tree: shaped(trial.tree.clone()),
            want: match trial.want.clone() {
                Want::Result(files) => Want::Result(shaped(files)),
                Want::Refusal => Want::Refusal,
                Want::AllOrNothing(files) => Want::AllOrNothing(shaped(files)),
            },
            shown: trial.shown.clone().map(shaped),
            ..trial
        })
    }
}
