//! The words with which models say that they leave something out.

/// They name what is left out, or say that it is: at least one of them is in every such phrase.
const SUBJECT: [&str; 16] = [
    "rest",
    "remaining",
    "remainder",
    "existing",
    "other",
    "others",
    "everything",
    "all",
    "more",
    "additional",
    "further",
    "previous",
    "original",
    "etc",
    "snip",
    "snipped",
];
const STATE: [&str; 26] = [
    "unchanged",
    "omitted",
    "elided",
    "truncated",
    "skipped",
    "unmodified",
    "untouched",
    "unaltered",
    "abbreviated",
    "hidden",
    "identical",
    "same",
    "remains",
    "remain",
    "stays",
    "stay",
    "kept",
    "keep",
    "retained",
    "preserved",
    "continues",
    "here",
    "before",
    "shown",
    "snip",
    "snipped",
];

/// What may stand beside them. A phrase with any other word says something else.
const BESIDE: [&str; 114] = [
    "the",
    "of",
    "your",
    "my",
    "our",
    "this",
    "that",
    "these",
    "is",
    "are",
    "as",
    "it",
    "in",
    "and",
    "with",
    "for",
    "to",
    "be",
    "from",
    "a",
    "an",
    "code",
    "file",
    "files",
    "function",
    "functions",
    "method",
    "methods",
    "class",
    "classes",
    "import",
    "imports",
    "test",
    "tests",
    "implementation",
    "implementations",
    "content",
    "contents",
    "logic",
    "body",
    "module",
    "section",
    "sections",
    "component",
    "components",
    "line",
    "lines",
    "definition",
    "definitions",
    "field",
    "fields",
    "prop",
    "props",
    "property",
    "properties",
    "option",
    "options",
    "config",
    "configuration",
    "setting",
    "settings",
    "route",
    "routes",
    "handler",
    "handlers",
    "variable",
    "variables",
    "constant",
    "constants",
    "type",
    "types",
    "interface",
    "interfaces",
    "struct",
    "item",
    "items",
    "entries",
    "entry",
    "rule",
    "rules",
    "style",
    "styles",
    "block",
    "part",
    "parts",
    "script",
    "document",
    "page",
    "text",
    "source",
    "below",
    "above",
    "else",
    "not",
    "no",
    "change",
    "changes",
    "changed",
    "without",
    "brevity",
    "clarity",
    "helper",
    "helpers",
    "attributes",
    "members",
    "arguments",
    "cases",
    "steps",
    "dependencies",
    "elements",
    "go",
    "goes",
    "current",
    "old",
];

/// Those that say that the lines stay: a program that shortens a text does not know that.
const STAYS: [&str; 14] = [
    "existing",
    "unchanged",
    "unmodified",
    "untouched",
    "unaltered",
    "identical",
    "same",
    "remains",
    "remain",
    "stays",
    "stay",
    "retained",
    "preserved",
    "rest",
];

/// Those that say that they do not: `the remaining functions are changed in the same way`.
const CHANGES: [&str; 15] = [
    "updated",
    "changed",
    "modified",
    "adapted",
    "adjusted",
    "converted",
    "fixed",
    "rewritten",
    "new",
    "way",
    "similar",
    "similarly",
    "likewise",
    "analogously",
    "accordingly",
];

/// The mark of Windsurf's editor for lines that stay.
pub(super) const KEPT: &str = "{{ ... }}";

/// Whether the remark of a writer says that the lines which it stands for stay as they are. A program counts what it leaves out.
pub(super) fn says_that_lines_stay(line: &[u8]) -> bool {
    const COMMENTS: [&str; 9] = ["//", "#", "/*", "{/*", "<!--", "--", ";", "%", "*"];
    let text = String::from_utf8_lossy(line.trim_ascii()).to_lowercase();
    if text == KEPT {
        return true;
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_denied = |at: usize| words[..at].iter().rev().take(2).any(|word| matches!(*word, "not" | "no" | "without"));
    let changes = (0..words.len()).any(|at| CHANGES.contains(&words[at]) && !is_denied(at));
    COMMENTS.iter().any(|mark| text.starts_with(mark))
        && !text.contains(|c: char| c.is_ascii_digit())
        && words.iter().any(|word| STAYS.contains(word))
        && !changes
}

/// Whether a remark in another language says that lines are as they were. In letters that the file has nowhere any remark may say so.
pub(super) fn says_as_before(text: &str) -> bool {
    const PHRASES: [&str; 24] = [
        "без изменений",
        "остальное",
        "其余",
        "省略",
        "変更なし",
        "以下同",
        "나머지",
        "기존 코드",
        "wie bisher",
        "wie vorher",
        "wie zuvor",
        "wie gehabt",
        "wie oben",
        "bleibt gleich",
        "unverändert",
        "comme avant",
        "inchangé",
        "como antes",
        "igual que antes",
        "sin cambios",
        "sem alterações",
        "come prima",
        "invariato",
        "ongewijzigd",
    ];
    PHRASES.iter().any(|phrase| text.contains(phrase)) || matches!(text.trim(), "etc" | "etc.")
}

/// What the words of a line say of leaving out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// Something else.
    Other,
    /// Nothing that a phrase of this kind could not have: `code`.
    Vocabulary,
    /// They may be a heading of what follows: `other imports`.
    Possible,
    /// They begin as only an elision does: `rest of the file`.
    Likely,
    /// What is left out, and that it is: `the rest stays the same`.
    Certain,
}

pub(super) fn meaning(text: &str) -> Meaning {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let (mut subjects, mut states, mut others) = (0, 0, 0);
    // `as above` is what `as before` is, and only what is left out is so `for brevity`.
    let pair = |first: &str, second: &[&str]| words.windows(2).any(|two| two[0] == first && second.contains(&two[1]));
    states += usize::from(pair("as", &["above", "below", "is", "usual"]));
    let is_brevity = pair("for", &["brevity", "clarity", "conciseness"]);
    for word in &words {
        let is_subject = SUBJECT.contains(word);
        let is_state = STATE.contains(word);
        subjects += usize::from(is_subject);
        states += usize::from(is_state);
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        others += usize::from(!is_subject && !is_state && !is_number && !BESIDE.contains(word));
    }
    const FIRST: [&str; 9] =
        ["rest", "remaining", "remainder", "existing", "unchanged", "omitted", "snip", "same", "truncated"];
    let first = words.iter().find(|word| !["the", "your", "all", "and"].contains(word));
    let is_rest = words.windows(2).any(|two| two == ["rest", "of"]);
    let begins = first.is_some_and(|word| FIRST.contains(word));
    match (words.is_empty(), others) {
        (true, _) => Meaning::Other,
        (false, 0) if is_rest || is_brevity || (subjects > 0 && states > 0) => Meaning::Certain,
        (false, 0) if begins => Meaning::Likely,
        (false, 1) if begins && subjects > 0 && states > 0 => Meaning::Likely,
        (false, 0) if subjects + states > 0 => Meaning::Possible,
        (false, 1..=3) if begins && is_rest => Meaning::Likely,
        (false, 1..=4) if states > 1 => Meaning::Possible,
        (false, 0) => Meaning::Vocabulary,
        _ => Meaning::Other,
    }
}
