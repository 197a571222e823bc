//! What stands on the frame of an edit beside its name: words on its fence, attributes of its tag, the tags of its mail's subject. It is
//! said of the edit, and harmless only if it is known, or says nothing against it.

use super::super::names;
use super::Seen;
use super::closer::Closer;
use super::standing::{is_out_of_force, is_verdict};
use crate::fence::Fence;
use bstr::ByteSlice;

/// Attributes that say where an edit goes, and which it is.
const NAMES: [&str; 16] = [
    "path",
    "file",
    "filename",
    "file_path",
    "filepath",
    "name",
    "id",
    "src",
    "href",
    "class",
    "to",
    "from",
    "target",
    "source",
    "title",
    "xmlns",
];

/// Attributes whose values say what is there. The ones of [`super::super::xml`] and of tags of a page are among them.
const KINDS: [&str; 20] = [
    "lang",
    "language",
    "type",
    "kind",
    "version",
    "encoding",
    "charset",
    "index",
    "number",
    "n",
    "count",
    "line",
    "lines",
    "start",
    "end",
    "start_line",
    "end_line",
    "mode",
    "operation",
    "action",
];

/// Attributes that describe the edit in words.
const WORDS: [&str; 9] =
    ["description", "summary", "reason", "explanation", "comment", "intent", "instruction", "instructions", "style"];

impl Closer<'_> {
    /// Leaves frames of edits that say something against them.
    pub(super) fn find_reserved_frames(&mut self) {
        let lines = self.closing.lines;
        let mut found = Vec::new();
        for (nth, (range, seen)) in self.open.runs.iter().enumerate() {
            let at = match seen {
                Seen::Edit { .. } | Seen::Block(_) if self.is_edit(nth) => range.start..range.start + 1,
                Seen::Frame | Seen::Unread { .. } => range.clone(),
                Seen::Edit { .. } | Seen::Block(_) | Seen::Reading => continue,
            };
            for at in at {
                if let Some(why) = against(lines[at]).filter(|_| self.is_edit(nth) || self.edit_below(at).is_some()) {
                    found.push((at, why));
                }
            }
        }
        found.into_iter().for_each(|(at, why)| self.leave(at, &why));
    }
}

/// Why a line that frames an edit may say that it is not meant.
fn against(line: &[u8]) -> Option<String> {
    let text = line.trim_ascii();
    if let Some(fence) = Fence::open(text, 0).filter(|fence| !fence.is_tag()) {
        let info = fence.info.to_str_lossy();
        let is_name = |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric()).contains(['/', '.', ':']);
        let said: String =
            info.split_whitespace().skip(1).filter(|word| !is_name(word)).map(|word| format!("{word} ")).collect();
        return is_out_of_force(&said)
            .then(|| "says that the edit in this fence is not to be made; send only what is meant".into());
    }
    let summary = text.split_once_str("<summary>").map(|(_, rest)| rest.split_str("</").next().unwrap_or_default());
    if let Some(summary) = summary.filter(|summary| is_verdict(summary)) {
        return Some(format!("says `{}` of what it folds away; send only what is meant", summary.to_str_lossy()));
    }
    let is_tag = text.first() == Some(&b'<') && text.get(1).is_some_and(u8::is_ascii_alphabetic);
    if !is_tag {
        return None;
    }
    for (name, value) in attributes(&text.to_str_lossy()) {
        let name = name.to_ascii_lowercase();
        let is_path = NAMES.contains(&name.as_str()) || names::plausible(value.as_bytes(), &[]).is_some();
        let is_known = is_path || KINDS.contains(&name.as_str()) || WORDS.contains(&name.as_str()) || is_flag(&name);
        if !is_known && !value.is_empty() {
            return Some(format!("has an attribute `{name}` that is not read here, and may change what is meant"));
        }
        let is_said = !is_path || matches!(name.as_str(), "title" | "class");
        if is_said && !WORDS.contains(&name.as_str()) && !is_flag(&name) && is_out_of_force(&value) {
            return Some(format!("says `{value}` of the edit in this tag; send only what is meant"));
        }
    }
    None
}

/// Switches of the calls that are read, which are judged where they are read.
fn is_flag(name: &str) -> bool {
    matches!(name, "replace_all" | "replaceall" | "overwrite" | "create" | "open" | "string")
        || name.starts_with("data-")
}

/// The attributes of the tag that the line begins with.
fn attributes(tag: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut rest = tag.find(|c: char| c.is_whitespace() || c == '>').map_or("", |at| &tag[at..]);
    loop {
        rest = rest.trim_start();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':'))).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        if name.is_empty() {
            return found;
        }
        let Some(value) = behind.strip_prefix('=') else {
            rest = behind;
            found.push((name, String::new()));
            continue;
        };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let inner = quote.map_or(value, |_| &value[1..]);
        let is_end = |c: char| quote.map_or(c.is_whitespace() || c == '>', |quote| c == quote);
        let end = inner.find(is_end).unwrap_or(inner.len());
        found.push((name, inner[..end].to_owned()));
        rest = inner[end..].strip_prefix(['"', '\'']).unwrap_or(&inner[end..]);
    }
}

/// Whether the line is the subject of a mail whose tags say that its patch is not to be used: `Subject: [RFC PATCH]`.
pub(super) fn is_reserved_subject(line: &[u8]) -> bool {
    let text = line.to_str_lossy();
    let Some(mut rest) = text.trim().strip_prefix("Subject:").map(str::trim_start) else { return false };
    while let Some((tags, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        if is_out_of_force(tags) {
            return true;
        }
        rest = behind.trim_start();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{against, is_reserved_subject};

    #[test]
    fn frames() {
        for line in [
            "```diff (do not apply)",
            "```diff title=\"rejected approach\"",
            "<file path=\"a.py\" status=\"rejected\">",
            "<patch optional=\"yes\">",
            "<edit type='example'>",
            "<details><summary>Rejected</summary>",
        ] {
            assert!(against(line.as_bytes()).is_some(), "{line}");
        }
        for line in [
            "```diff",
            "```diff src/old/no.py",
            "```python title=\"src/a.py\"",
            "<file path=\"old/draft.py\">",
            "<boltAction type=\"file\" filePath=\"src/a.js\">",
            "<parameter name=\"content\">",
            "<details open>",
            "<summary>Rejected logins are counted</summary>",
        ] {
            assert!(against(line.as_bytes()).is_none(), "{line}");
        }
        assert!(is_reserved_subject(b"Subject: [RFC PATCH] Adjust") && is_reserved_subject(b"Subject: [DRAFT] x"));
        assert!(!is_reserved_subject(b"Subject: [PATCH v2 1/1] Drop old names"));
    }
}
