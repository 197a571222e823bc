//! Files that a reply says it changes, in a list or in one breath with others. Those that no edit touches are missing.

use bstr::ByteSlice;

/// Beginnings of verbs in the form in which somebody says what was done, or of what is done.
const DONE: [&str; 14] = [
    "updat", "modif", "chang", "edit", "touch", "adjust", "rewr", "refactor", "creat", "add", "fix", "patch", "extend",
    "adapt",
];

/// What stands between two names of one breath.
const JOINTS: [&str; 14] =
    ["and", "as", "well", "plus", "&", "also", "a", "an", "the", "one", "in", "matching", "similar", "another"];

/// Whether the words say that files were changed: `I updated two files`, `Files modified (2):`.
fn says_done(words: &[&str]) -> bool {
    let is_done = |word: &&str| {
        DONE.iter().any(|verb| word.starts_with(verb))
            && (word.ends_with("ed")
                || word.ends_with("te")
                || word.ends_with("ten")
                || word.ends_with("es")
                || *word == "change")
    };
    words.iter().any(is_done)
}

/// Whether a sentence of the line says that files were changed, and names one that is edited in one breath with one that is not.
pub(super) fn joins_another(line: &[u8], is_other: impl Fn(&str) -> bool, is_edited: impl Fn(&str) -> bool) -> bool {
    let text = line.to_str_lossy().to_lowercase();
    text.split(". ").flat_map(|part| part.split([';', '!', '?'])).any(|sentence| {
        let words: Vec<&str> = sentence.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
        let names: Vec<usize> = (0..words.len()).filter(|at| is_other(words[*at]) || is_edited(words[*at])).collect();
        names.windows(2).any(|two| {
            let is_joined = words[two[0] + 1..two[1]].iter().all(|word| JOINTS.contains(word));
            let differ = is_other(words[two[0]]) != is_other(words[two[1]]);
            is_joined && differ && says_done(&words[two[0].saturating_sub(REACH)..two[0]])
        })
    })
}

/// Words before the first name in which its verb stands.
const REACH: usize = 8;

/// Whether the line heads a list of the files that a reply changes.
pub(super) fn heads_list(line: &[u8]) -> bool {
    let text = line.to_str_lossy().to_lowercase();
    let words: Vec<&str> = text.split_whitespace().map(bare).collect();
    let is_due = words
        .windows(3)
        .any(|three| three[..2] == ["need", "to"] && DONE.iter().any(|verb| three[2].starts_with(verb)));
    words.iter().any(|word| word.starts_with("file")) && (is_due || says_done(&words)) && words.len() <= LABEL
}

/// More words are a sentence about something else.
const LABEL: usize = 10;

/// The name that an item of a list begins with, if what follows it, in brackets or behind a dash or a colon, does not deny a change.
pub(super) fn listed(line: &[u8]) -> Option<&[u8]> {
    let text = line.trim_ascii();
    let item = text.strip_prefix(b"- ").or(text.strip_prefix(b"* ")).or(text.strip_prefix(b"+ "));
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let numbered = text[digits..].strip_prefix(b". ").filter(|_| digits > 0);
    let item = item.or(numbered)?.trim_ascii();
    let end = item.iter().position(|byte| *byte == b' ').unwrap_or(item.len());
    let (word, rest) = item.split_at(end);
    let rest = rest.to_str_lossy();
    let rest = rest.trim();
    let is_told = rest.is_empty() || rest.starts_with(['(', '-', '–', '—', ':']) || word.ends_with(b":");
    let is_denied = rest.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| {
        matches!(word, "no" | "not" | "unchanged" | "read" | "only" | "already" | "unmodified" | "reference" | "none")
    });
    let word = word.trim_with(|c| matches!(c, '`' | '*' | '.' | ',' | ':'));
    (!word.is_empty() && is_told && !is_denied).then_some(word)
}

/// Whether a sentence says that others are changed as the edit of the reply does it: `the other two are changed analogously`.
pub(super) fn goes_for_others(line: &[u8]) -> bool {
    const ALIKE: [&str; 10] = [
        "analogously",
        "analogous",
        "likewise",
        "similarly",
        "identically",
        "analog",
        "ebenso",
        "аналогично",
        "idem",
        "análogamente",
    ];
    const OTHERS: [&str; 18] = [
        "callers",
        "sites",
        "usages",
        "occurrences",
        "consumers",
        "other",
        "others",
        "rest",
        "remaining",
        "elsewhere",
        "anderen",
        "übrigen",
        "autres",
        "otros",
        "otras",
        "demás",
        "остальных",
        "других",
    ];
    // Languages that write their words together.
    const ALIKE_PARTS: [&str; 5] = ["同理", "同样修改", "同様に", "같은 방식", "똑같이"];
    const OTHERS_PARTS: [&str; 6] = ["其他", "其它", "其余", "他の", "残り", "다른"];
    const AGAIN: [&str; 4] = ["apply", "repeat", "do", "make"];
    const SCHEME: [&str; 5] = ["scheme", "pattern", "treatment", "recipe", "procedure"];
    let text = line.to_str_lossy().to_lowercase();
    let has = |words: &[&str]| text.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word));
    let has_part = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
    let first = text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty() && *word != "please");
    let begins = first.is_some_and(|word| AGAIN.contains(&word));
    let is_asked = begins && (has(&["same"]) || first == Some("repeat"));
    // `Do likewise for the async variant` is about another place, whatever it is.
    let is_likewise = begins && has(&ALIKE) && has(&["for"]);
    // `The other handlers follow the same pattern`, not `the same pattern is used in other modules`.
    let follows = has(&["follow"]) && has(&["same"]) && has(&SCHEME);
    let goes_on = text.contains("and so on for the");
    let is_parts = has_part(&ALIKE_PARTS) && has_part(&OTHERS_PARTS);
    (has(&ALIKE) || is_asked || follows || goes_on) && has(&OTHERS) || is_likewise || is_parts
}

/// Whether a sentence that begins with an edited file says that it is to go, or to have another name.
pub(super) fn is_to_go(line: &[u8], is_edited: impl Fn(&str) -> bool) -> bool {
    const GONE: [&str; 5] = ["deleted", "removed", "renamed", "moved", "dropped"];
    let text = line.to_str_lossy().to_lowercase();
    let words: Vec<&str> = text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let is_due = |at: usize| {
        let before = &words[at.saturating_sub(3)..at];
        GONE.contains(&words[at])
            && before.last() == Some(&"be")
            && before.iter().any(|word| matches!(*word, "must" | "should" | "to" | "can"))
    };
    let told = || (0..words.len()).any(is_due);
    // `Delete a.py; nothing needs it.` is about the file, `Remove a.py from the list` is not.
    let mut raw = text.split_whitespace();
    let is_order = raw.next().is_some_and(|verb| matches!(verb, "delete" | "remove"))
        && raw.next().is_some_and(|name| {
            is_edited(bare(name)) && (name.ends_with([';', '.', ',', '!']) || raw.next().is_none())
        });
    is_order || words.first().is_some_and(|word| is_edited(word)) && told()
}

/// How many changes a sentence says that the reply makes: `I made three changes`.
pub(super) fn told_changes(line: &[u8]) -> Option<usize> {
    const NUMBERS: [&str; 8] = ["two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let text = line.to_str_lossy().to_lowercase();
    let words: Vec<&str> = text.split_whitespace().map(bare).collect();
    let number =
        |word: &str| NUMBERS.iter().position(|name| *name == word).map(|at| at + 2).or_else(|| word.parse().ok());
    let is_told = words.iter().any(|word| matches!(*word, "made" | "make" | "makes"));
    let noun = |word: &str| matches!(word, "changes" | "edits" | "modifications" | "updates");
    let at = (1..words.len()).find(|at| noun(words[*at]))?;
    words[at.saturating_sub(2)..at].iter().find_map(|word| number(word)).filter(|_| is_told)
}

/// The new file that a sentence says goes with the patch: the word behind `new module` or `new file`, or a path right behind a word for
/// making it.
pub(super) fn new_files(line: &[u8]) -> Vec<String> {
    const KINDS: [&str; 6] = ["file", "module", "class", "script", "component", "helper"];
    const MAKES: [&str; 12] = [
        "create",
        "creates",
        "created",
        "creating",
        "erstelle",
        "lege",
        "crée",
        "créez",
        "crea",
        "cria",
        "создай",
        "создайте",
    ];
    const BESIDE: [&str; 6] = ["a", "the", "new", "file", "called", "named"];
    let text = line.to_str_lossy();
    let words: Vec<&str> = text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    // A file in a folder: `.env` and the like are for whoever reads the reply to make.
    let is_path = |word: &&str| word.contains('/') && word.rsplit('/').next().is_some_and(|name| name.contains('.'));
    // What introduces the text below is judged with that.
    let is_heading = line.trim_ascii_end().ends_with(b":");
    let is_made = |at: usize| {
        let mut before = words[..at].iter().rev().map(|word| word.to_lowercase());
        let is_new = at > 1 && words[at - 2].eq_ignore_ascii_case("new") && KINDS.contains(&words[at - 1]);
        is_new
            || !is_heading
                && before
                    .find(|word| !BESIDE.contains(&word.as_str()))
                    .is_some_and(|word| MAKES.contains(&word.as_str()))
    };
    (0..words.len()).filter(|at| is_path(&words[*at]) && is_made(*at)).map(|at| words[at].to_owned()).collect()
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '/' | '&')).trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::{heads_list, joins_another, listed, new_files};

    #[test]
    fn one_breath() {
        let joins = |line: &str| joins_another(line.as_bytes(), |word| word == "b.py", |word| word == "a.py");
        assert!(joins("I updated two files, `a.py` and `b.py`:"));
        assert!(joins("Edited a.py, b.py"));
        assert!(!joins("I updated `a.py`; `b.py` needs nothing."));
        assert!(!joins("The function moved from `a.py` to `b.py`."));
        assert!(!joins("`a.py` and `b.py` use it."));
    }

    #[test]
    fn lists_and_new_files() {
        assert!(heads_list(b"Files modified (2):") && heads_list(b"**Changed files**"));
        assert!(!heads_list(b"The file has two parts:"));
        assert_eq!(listed(b"- `src/a.py` (one line)"), Some(&b"src/a.py"[..]));
        assert_eq!(listed(b"- src/a.py (not needed)"), None);
        assert_eq!(new_files(b"It needs the new module `src/c.py`, which is below."), ["src/c.py"]);
        assert!(new_files(b"Then create a new `.env` file.").is_empty());
    }
}
