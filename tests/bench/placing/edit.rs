//! One file's change, as its lines and as hunks with any number of context lines.

use std::fmt::Write;

/// A change of one text file, both sides in UTF-8.
#[derive(Clone, Debug)]
pub struct Edit {
    pub path: String,
    pub before: String,
    pub after: String,
}

#[derive(Clone, Debug)]
pub struct Hunk {
    /// First line of the old and of the new side, from 1, as a `@@` header counts.
    pub old: usize,
    pub new: usize,
    /// What git writes behind the second `@@`.
    pub heading: String,
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// `' '`, `'-'` or `'+'`.
    pub sign: char,
    pub text: String,
    /// The file ends here, without a newline.
    pub is_open: bool,
}

impl Line {
    pub fn new(sign: char, text: impl Into<String>) -> Self {
        Line { sign, text: text.into(), is_open: false }
    }
}

impl Hunk {
    pub fn count(&self, side: char) -> usize {
        self.lines.iter().filter(|line| line.sign == ' ' || line.sign == side).count()
    }

    /// `@@ -1,3 +1,3 @@ heading`, without a newline.
    pub fn header(&self) -> String {
        let (old, new) = (self.count('-'), self.count('+'));
        format!("@@ -{},{old} +{},{new} @@ {}", self.old, self.new, self.heading).trim_end().to_owned()
    }

    pub fn body(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            let marker = if line.is_open { "\\ No newline at end of file\n" } else { "" };
            let _ = write!(text, "{}{}\n{marker}", line.sign, line.text);
        }
        text
    }

    /// Header and body.
    pub fn text(&self) -> String {
        self.header() + "\n" + &self.body()
    }

    /// The lines of one side: `'-'` the old, `'+'` the new one.
    pub fn side(&self, side: char) -> Vec<&str> {
        self.lines.iter().filter(|line| line.sign == ' ' || line.sign == side).map(|line| line.text.as_str()).collect()
    }

    /// The same as text, each line with a newline.
    pub fn side_text(&self, side: char) -> String {
        self.side(side).iter().map(|line| format!("{line}\n")).collect()
    }

    /// The positions of lines with `sign` that `wanted` takes.
    pub fn positions(&self, sign: char, wanted: impl Fn(&str) -> bool) -> Vec<usize> {
        (0..self.lines.len()).filter(|at| self.lines[*at].sign == sign && wanted(&self.lines[*at].text)).collect()
    }
}

impl Edit {
    pub fn new(path: &str, before: impl Into<String>, after: impl Into<String>) -> Self {
        Edit { path: path.to_owned(), before: before.into(), after: after.into() }
    }

    pub fn hunks(&self, context: u32) -> Vec<Hunk> {
        let mut options = git2::DiffOptions::new();
        options.context_lines(context);
        let (old, new) = (self.before.as_bytes(), self.after.as_bytes());
        let patch = git2::Patch::from_buffers(old, None, new, None, Some(&mut options)).expect("two texts");
        (0..patch.num_hunks()).map(|at| hunk(&patch, at)).collect()
    }

    /// The edit of which one hunk, with context, is all. For plain edits.
    pub fn only(&self, hunk: &Hunk) -> Edit {
        let lines: Vec<&str> = self.before.split_inclusive('\n').collect();
        let begin = hunk.old - 1;
        let after = lines[..begin].concat() + &hunk.side_text('+') + &lines[begin + hunk.count('-')..].concat();
        Edit { after, ..self.clone() }
    }

    /// `--- a/path` and `+++ b/path`.
    pub fn names(&self) -> String {
        format!("--- a/{0}\n+++ b/{0}\n", self.path)
    }

    /// A unified diff without a `diff --git` line.
    pub fn unified(&self, context: u32) -> String {
        self.names() + &self.hunks(context).iter().map(Hunk::text).collect::<String>()
    }

    /// The same with each hunk changed.
    pub fn unified_with(&self, mut change: impl FnMut(&Hunk) -> String) -> String {
        self.names() + &self.hunks(3).iter().map(&mut change).collect::<String>()
    }

    /// Git's own diff.
    pub fn git(&self) -> String {
        let path = std::path::Path::new(&self.path);
        let (old, new) = (self.before.as_bytes(), self.after.as_bytes());
        let mut patch = git2::Patch::from_buffers(old, Some(path), new, Some(path), None).expect("two texts");
        String::from_utf8(patch.to_buf().expect("a diff").to_vec()).expect("two texts in UTF-8")
    }

    /// Nothing in it that reads as a fence or a marker, line feeds only, and a newline at both ends: what most kinds want, since
    /// each damages one thing at a time.
    pub fn is_plain(&self) -> bool {
        let odd = ["```", "~~~", "<<<<<", ">>>>>", "=====", "*** ", "--- ", "+++ ", "<think", "-------", "@@"];
        [&self.before, &self.after].iter().all(|text| {
            text.ends_with('\n')
                && !text.contains(['\r', '\u{feff}', '\u{c}'])
                && text.lines().all(|line| !odd.iter().any(|start| line.trim_start().starts_with(start)))
        }) && squeezed(&self.before) != squeezed(&self.after)
    }

    /// Whether a line of either side looks as if it left something out.
    pub fn has_dots(&self) -> bool {
        self.before.contains("...")
            || self.after.contains("...")
            || self.before.contains('…')
            || self.after.contains('…')
    }

    /// SEARCH and REPLACE halves, one pair a hunk. None where a half would not say where it belongs.
    pub fn blocks(&self, context: u32) -> Option<Vec<(String, String)>> {
        let hunks = self.hunks(context);
        let blocks = hunks.iter().map(|hunk| {
            let old = hunk.side('-');
            let alone = places(&self.before, &old) == 1 && old.iter().any(|line| line.trim().len() > 3);
            alone.then(|| (hunk.side_text('-'), hunk.side_text('+')))
        });
        blocks.collect()
    }
}

fn hunk(patch: &git2::Patch, at: usize) -> Hunk {
    let (info, count) = patch.hunk(at).expect("a hunk");
    let header = String::from_utf8_lossy(info.header()).trim_end().to_owned();
    let mut hunk = Hunk {
        old: info.old_start() as usize,
        new: info.new_start() as usize,
        heading: header[2..].split_once("@@").map_or(String::new(), |(_, heading)| heading.trim().to_owned()),
        lines: Vec::new(),
    };
    for nth in 0..count {
        let line = patch.line_in_hunk(at, nth).expect("a line");
        if matches!(line.origin(), ' ' | '-' | '+') {
            let text = String::from_utf8_lossy(line.content()).into_owned();
            let is_open = !text.ends_with('\n');
            hunk.lines.push(Line { sign: line.origin(), text: text.trim_end_matches('\n').to_owned(), is_open });
        }
    }
    hunk
}

/// The text without any white space.
pub fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// How often `lines` stand in `text`, white space at both ends of a line aside.
pub fn places(text: &str, lines: &[&str]) -> usize {
    near_places(text, lines, 0)
}

/// How often `lines` stand in `text` with at most `slack` of them other.
pub fn near_places(text: &str, lines: &[&str], slack: usize) -> usize {
    let file: Vec<&str> = text.lines().map(str::trim).collect();
    let wanted: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    let fits = |window: &&[&str]| window.iter().zip(&wanted).filter(|(a, b)| a != b).take(slack + 1).count() <= slack;
    if wanted.is_empty() { file.len() + 1 } else { file.windows(wanted.len()).filter(fits).count() }
}

/// How many characters of `text` are letters.
pub fn letters(text: &str) -> usize {
    text.chars().filter(|character| character.is_ascii_alphabetic()).count()
}
