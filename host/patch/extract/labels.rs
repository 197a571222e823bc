//! Words that say of a text that it is the old one, or the new one: as a label above it, as the head of a column, as the name of a member.

/// Which of two texts of an edit a label is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextSide {
    Old,
    New,
}

/// Labels in small letters, without the marks around them.
const OLD: [&str; 49] = [
    "before",
    "old",
    "old code",
    "old version",
    "current",
    "current code",
    "current version",
    "original",
    "original code",
    "existing code",
    "from",
    "instead of",
    "find",
    "find this",
    "find this code",
    "locate this block",
    "look for",
    "search",
    "search for",
    "vorher",
    "alt",
    "alter code",
    "bisher",
    "avant",
    "ancien code",
    "code actuel",
    "antes",
    "código anterior",
    "código actual",
    "código atual",
    "prima",
    "codice attuale",
    "было",
    "старый код",
    "раньше",
    "修改前",
    "修改前代码",
    "原代码",
    "旧代码",
    "原来",
    "之前",
    "変更前",
    "修正前",
    "変更前のコード",
    "以前",
    "변경 전",
    "수정 전",
    "기존",
    "기존 코드",
];
const NEW: [&str; 60] = [
    "after",
    "new",
    "new code",
    "new version",
    "updated",
    "updated code",
    "change to",
    "changed to",
    "change it to",
    "replace with",
    "replace it with",
    "replacement",
    "fixed",
    "fixed code",
    "corrected",
    "modified",
    "to",
    "use",
    "use this",
    "becomes",
    "make it",
    "and make it",
    "and swap it for",
    "swap it for",
    "proposed",
    "suggested",
    "nachher",
    "neu",
    "neuer code",
    "künftig",
    "après",
    "nouveau code",
    "después",
    "despues",
    "código nuevo",
    "nuevo código",
    "depois",
    "novo código",
    "dopo",
    "nuovo codice",
    "стало",
    "новый код",
    "теперь",
    "修改后",
    "修改后代码",
    "新代码",
    "现在",
    "之后",
    "改为",
    "替换为",
    "変更後",
    "修正後",
    "変更後のコード",
    "以後",
    "변경 후",
    "수정 후",
    "새 코드",
    "변경 후 코드",
    "with",
    "replace by",
];

/// The half of which the label is.
pub(super) fn half(label: &str) -> Option<TextSide> {
    if OLD.contains(&label) {
        return Some(TextSide::Old);
    }
    NEW.contains(&label).then_some(TextSide::New)
}

/// The half of which the text of a member or an element with this name is: `originalContent`, `old_code`, `replaceWith`.
pub(super) fn half_of_member(name: &str) -> Option<TextSide> {
    const OLD: [&str; 6] = ["old", "original", "before", "search", "find", "current"];
    const NEW: [&str; 7] = ["new", "replace", "replacement", "after", "modified", "updated", "with"];
    /// What may stand behind the word.
    const NOUNS: [&str; 11] =
        ["", "text", "code", "content", "contents", "string", "str", "lines", "snippet", "block", "with"];
    let plain: String = name.chars().filter(|c| c.is_ascii_alphabetic()).collect::<String>().to_ascii_lowercase();
    let is_of =
        |words: &[&str]| words.iter().any(|word| plain.strip_prefix(word).is_some_and(|rest| NOUNS.contains(&rest)));
    match (is_of(&OLD), is_of(&NEW)) {
        (true, false) => Some(TextSide::Old),
        (false, true) => Some(TextSide::New),
        (true, true) | (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members() {
        for name in ["old", "oldCode", "original_content", "searchText", "find", "before"] {
            assert_eq!(half_of_member(name), Some(TextSide::Old), "{name}");
        }
        for name in ["new_code", "replaceWith", "replacement_text", "modified", "updated_code", "after"] {
            assert_eq!(half_of_member(name), Some(TextSide::New), "{name}");
        }
        for name in ["name", "path", "newPath", "old_path", "findings", "afterwards", "expected"] {
            assert_eq!(half_of_member(name), None, "{name}");
        }
    }
}
