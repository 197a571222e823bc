//! A git diff, as the recorder writes it, into files, hunks and numbered lines.

#[derive(Debug, Clone, Default)]
pub struct ChangedFileView {
    /// None for a new file.
    pub old: Option<String>,
    /// None for a deleted one.
    pub new: Option<String>,
    pub binary: bool,
    pub hunks: Vec<HunkView>,
}

#[derive(Debug, Clone)]
pub struct HunkView {
    /// What follows the second `@@`.
    pub section: String,
    pub lines: Vec<DiffLine>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideView {
    Both,
    Removed,
    Added,
    /// `\ No newline at end of file`.
    Remark,
}

#[derive(Debug, Clone)]
pub struct DiffLine {
    pub side: SideView,
    /// From 1.
    pub old: Option<u32>,
    pub new: Option<u32>,
    pub text: String,
}

impl ChangedFileView {
    /// The name that findings have for it.
    pub fn path(&self) -> &str {
        self.new.as_deref().or(self.old.as_deref()).unwrap_or_default()
    }

    pub fn count(&self, side: SideView) -> usize {
        self.hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.side == side).count()
    }
}

impl HunkView {
    /// It changes nothing: it stands beside lines that are changed, or has a finding.
    pub fn is_around(&self) -> bool {
        self.lines.iter().all(|line| line.side == SideView::Both)
    }
}

impl DiffLine {
    /// A line of a hunk, without numbers.
    pub fn from_text(line: &str) -> Self {
        let side = match line.as_bytes().first() {
            Some(b'-') => SideView::Removed,
            Some(b'+') => SideView::Added,
            Some(b'\\') => SideView::Remark,
            _ => SideView::Both,
        };
        DiffLine { side, old: None, new: None, text: line.get(1..).unwrap_or_default().to_owned() }
    }
}

/// The files of a git diff. Lines that belong to no file are left out.
pub fn change(diff: &str) -> Vec<ChangedFileView> {
    let mut files: Vec<ChangedFileView> = Vec::new();
    let mut lines = diff.split('\n').peekable();
    while let Some(line) = lines.next() {
        if let Some(names) = line.strip_prefix("diff --git ") {
            let (old, new) = both_names(names);
            files.push(ChangedFileView { old, new, ..ChangedFileView::default() });
            continue;
        }
        let Some(file) = files.last_mut() else { continue };
        if let Some(name) = line.strip_prefix("--- ") {
            file.old = side_name(name, "a/");
        } else if let Some(name) = line.strip_prefix("+++ ") {
            file.new = side_name(name, "b/");
        } else if let Some(name) = line.strip_prefix("rename from ").or_else(|| line.strip_prefix("copy from ")) {
            file.old = Some(unquoted(name));
        } else if let Some(name) = line.strip_prefix("rename to ").or_else(|| line.strip_prefix("copy to ")) {
            file.new = Some(unquoted(name));
        } else if line.starts_with("new file mode") {
            file.old = None;
        } else if line.starts_with("deleted file mode") {
            file.new = None;
        } else if line.starts_with("Binary files ") || line.starts_with("GIT binary patch") {
            file.binary = true;
        } else if let Some(head) = HunkHead::read(line) {
            file.hunks.push(head.body(&mut lines));
        }
    }
    files
}

/// The files of `diff` with the lines that stand around its hunks: `around` is a diff of the same change whose hunks change nothing.
pub fn with_surroundings(diff: &str, around: Option<&str>) -> Vec<ChangedFileView> {
    let mut files = change(diff);
    for other in around.map(change).unwrap_or_default() {
        let Some(file) = files.iter_mut().find(|file| file.path() == other.path()) else { continue };
        file.hunks.extend(other.hunks.into_iter().filter(HunkView::is_around));
        file.hunks.sort_by_key(|hunk| hunk.lines.iter().find_map(|line| line.new));
    }
    files
}

struct HunkHead {
    old: u32,
    old_lines: u32,
    new: u32,
    new_lines: u32,
    section: String,
}

impl HunkHead {
    /// `@@ -12,3 +12,4 @@ section`.
    fn read(line: &str) -> Option<Self> {
        let (ranges, section) = line.strip_prefix("@@ -")?.split_once(" @@")?;
        let (old, new) = ranges.split_once(" +")?;
        let range = |text: &str| match text.split_once(',') {
            Some((start, lines)) => Some((start.parse().ok()?, lines.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        };
        let ((old, old_lines), (new, new_lines)) = (range(old)?, range(new)?);
        Some(HunkHead { old, old_lines, new, new_lines, section: section.trim().to_owned() })
    }

    /// As many lines as the head says, whatever they look like.
    fn body<'a>(mut self, lines: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> HunkView {
        let mut hunk = HunkView { section: std::mem::take(&mut self.section), lines: Vec::new() };
        loop {
            let remark = lines.peek().is_some_and(|line| line.starts_with('\\'));
            if !remark && self.old_lines == 0 && self.new_lines == 0 {
                return hunk;
            }
            let Some(line) = lines.next() else { return hunk };
            let line = DiffLine::from_text(line);
            let (in_old, in_new) = match line.side {
                SideView::Both => (true, true),
                SideView::Removed => (true, false),
                SideView::Added => (false, true),
                SideView::Remark => (false, false),
            };
            hunk.lines.push(DiffLine { old: in_old.then_some(self.old), new: in_new.then_some(self.new), ..line });
            self.old = self.old.saturating_add(u32::from(in_old));
            self.new = self.new.saturating_add(u32::from(in_new));
            self.old_lines = self.old_lines.saturating_sub(u32::from(in_old));
            self.new_lines = self.new_lines.saturating_sub(u32::from(in_new));
        }
    }
}

/// `a/NAME b/NAME`: without quotes both names have the same length, since a rename has lines of its own.
fn both_names(names: &str) -> (Option<String>, Option<String>) {
    let (old, new) = match names.strip_prefix('"').and_then(|rest| rest.find("\" ")) {
        Some(end) => names.split_at(end + 2),
        None => match names.is_char_boundary(names.len() / 2) {
            true => names.split_at(names.len() / 2),
            false => return (None, None),
        },
    };
    (side_name(old, "a/"), side_name(new.trim_start(), "b/"))
}

fn side_name(name: &str, prefix: &str) -> Option<String> {
    // git ends a name with white space in it by a tab.
    let name = unquoted(name.trim_end_matches('\t'));
    name.strip_prefix(prefix).map(str::to_owned)
}

/// A name that git quoted as C does: `"a\303\244.txt"`.
fn unquoted(name: &str) -> String {
    let Some(inner) = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) else { return name.to_owned() };
    let (mut bytes, mut rest) = (Vec::new(), inner.bytes().peekable());
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b't') => bytes.push(b'\t'),
            Some(b'n') => bytes.push(b'\n'),
            Some(b'r') => bytes.push(b'\r'),
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    if let Some(next) = rest.next_if(|next| (b'0'..=b'7').contains(next)) {
                        value = value * 8 + u32::from(next - b'0');
                    }
                }
                bytes.push(value as u8);
            }
            Some(other) => bytes.push(other),
            None => bytes.push(b'\\'),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
