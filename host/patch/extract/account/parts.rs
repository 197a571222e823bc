//! Sentences below a patch that single out a part of it: `the second hunk is superfluous`, `den zweiten Hunk bitte weglassen`, `(the part
//! for b.py is an illustration)`.
//!
//! Whoever speaks below a patch of one part alone tells what it does, or takes it back. The first has a verb right beside the name; what
//! else is said is not told apart, in any language.

use bstr::ByteSlice;

use super::doubt::lowercase;
use super::elsewhere::{bare, is_placed};

/// Beginnings of words, in small letters, that count.
const ORDINALS: [&str; 32] = [
    "first",
    "second",
    "third",
    "fourth",
    "last",
    "latter",
    "1st",
    "2nd",
    "3rd",
    "erst",
    "zweit",
    "dritt",
    "letzt",
    "premi",
    "deuxi",
    "troisi",
    "derni",
    "primer",
    "segund",
    "tercer",
    "últim",
    "terceir",
    "secondo",
    "terzo",
    "ultim",
    "tweede",
    "derde",
    "перв",
    "втор",
    "трет",
    "последн",
    "drug",
];

/// Beginnings of words for what is counted of a patch, and of nothing else beside one.
const NOUNS: [&str; 21] = [
    "hunk",
    "edit",
    "patch",
    "diff",
    "file",
    "änderung",
    "stelle",
    "datei",
    "bloc",
    "bloque",
    "bloco",
    "blok",
    "fichier",
    "cambio",
    "archivo",
    "arquivo",
    "alteraç",
    "modific",
    "измен",
    "правк",
    "блок",
];

/// Counts, and what is counted, in languages that do not part their words.
const COUNTS: [&str; 16] = [
    "第一",
    "第二",
    "第三",
    "最后一",
    "1つ目",
    "2つ目",
    "3つ目",
    "一つ目",
    "二つ目",
    "番目",
    "最後の",
    "첫 번째",
    "두 번째",
    "세 번째",
    "번째",
    "마지막",
];
const COUNTED: [&str; 22] = [
    "处",
    "块",
    "个修改",
    "个补丁",
    "改动",
    "修改",
    "补丁",
    "文件",
    "ハンク",
    "変更",
    "修正",
    "編集",
    "ブロック",
    "パッチ",
    "差分",
    "ファイル",
    "변경",
    "수정",
    "블록",
    "패치",
    "파일",
    "훅",
];

/// Whether a sentence of the line counts a part of a patch, and no verb behind it tells what that does.
pub(super) fn singles_out_a_part(line: &[u8]) -> bool {
    let text = lowercase(line);
    let prose: String = text.split('`').step_by(2).collect();
    prose.split(['!', ';', '?', '。']).flat_map(|part| part.split(". ")).any(|sentence| {
        let words: Vec<&str> =
            sentence.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
        let is_number = |at: usize| words.get(at).is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        // Where the words behind the part begin.
        let end = |at: usize| {
            let begins = |list: &[&str], word: &str| list.iter().any(|start| word.starts_with(start));
            let is_ordinal = at > 0 && begins(&ORDINALS, words[at - 1]);
            let is_numbered = is_number(at + 1) && matches!(words[at], "hunk" | "edit" | "patch" | "diff");
            (begins(&NOUNS, words[at]) && (is_ordinal || is_numbered)).then_some(at + 1 + usize::from(is_numbered))
        };
        // `The second hunk adds the test`; `is` and `was` may go on with anything.
        let is_told = |at: usize| words.get(at).is_some_and(|word| is_verb(word));
        let has_any = |list: &[&str]| list.iter().any(|part| sentence.contains(part));
        let has_counted = has_any(&COUNTS) && has_any(&COUNTED);
        let is_fraction = |at: usize| {
            is_number(at)
                && words[at + 1] == "of"
                && is_number(at + 2)
                && words[at].len() <= words[at + 2].len()
                && words[at] < words[at + 2]
        };
        let is_short_of = (0..words.len().saturating_sub(3))
            .any(|at| is_fraction(at) && NOUNS.iter().any(|noun| words[at + 3].starts_with(noun)));
        (0..words.len()).filter_map(end).any(|at| !is_told(at)) || has_counted || is_short_of
    })
}

/// A verb in the third person: `adds`. `is` and `was` are none, since anything may follow them.
fn is_verb(word: &str) -> bool {
    const OTHERS: [&str; 9] =
        ["unless", "always", "perhaps", "besides", "across", "towards", "afterwards", "sometimes", "alas"];
    word.len() > 3 && word.ends_with('s') && word.is_ascii() && !OTHERS.contains(&word)
}

/// Whether a sentence of the line names one of several edited files, and does not tell what is there or what was done to it.
pub(super) fn leaves_a_part_open(line: &[u8], is_named: impl Fn(&str) -> bool) -> bool {
    /// What is done to a part that is taken back.
    const UNDONE: [&str; 12] = [
        "dropped",
        "removed",
        "discarded",
        "reverted",
        "skipped",
        "omitted",
        "excluded",
        "ignored",
        "rejected",
        "needed",
        "unrelated",
        "abandoned",
    ];
    /// Words right behind a name with which something is told of it.
    const TOLD: [&str; 4] = ["now", "only", "then", "also"];
    let text = lowercase(line);
    // What introduces a quotation is about that.
    if text.trim_end().ends_with([':', '：']) {
        return false;
    }
    text.split(['!', ';', '?', '。']).flat_map(|part| part.split(". ")).any(|sentence| {
        let words: Vec<&str> = sentence.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
        let Some(at) = words.iter().position(|word| is_named(word)) else { return false };
        let (before, behind) = (&words[..at], &words[at + 1..]);
        let is_done = |word: &&str| word.len() > 4 && word.is_ascii() && word.ends_with("ed");
        let is_undone = words.iter().any(|word| UNDONE.contains(word));
        let is_made = before.iter().rev().take(REACH).any(is_done);
        let mut next = behind.iter().skip_while(|word| TOLD.contains(word));
        // Behind a name that heads a line of a list stands what was done there.
        let rest = sentence.split_once(words[at]).map_or("", |(_, rest)| rest);
        let is_label = rest.trim_start_matches(['`', '*', '"', ' ']).starts_with([':', '-', '–', '—', '|']);
        let is_told = is_label && before.len() < 2 || next.next().is_some_and(|word| is_verb(word));
        is_undone || !(words.len() == 1 || is_made || is_told || is_placed(before, behind))
    })
}

/// Words before a name in which its verb stands: `I updated the tests in b.py`.
const REACH: usize = 5;

/// How many places a sentence says that the change has: `Three spots need the change`.
pub(super) fn told_places(line: &[u8]) -> Option<usize> {
    const NUMBERS: [&str; 8] = ["two", "three", "four", "five", "six", "seven", "eight", "nine"];
    const PLACES: [&str; 8] = ["places", "spots", "locations", "sites", "hunks", "occurrences", "lines", "files"];
    const NEED: [&str; 8] = ["need", "needed", "require", "changed", "fixed", "updated", "affected", "adjusted"];
    let text = line.to_str_lossy().to_lowercase();
    text.split(". ").find_map(|sentence| {
        let words: Vec<&str> = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let at = (1..words.len()).find(|at| PLACES.contains(&words[*at]))?;
        // `need` may be of what stands there; the verb is right behind the noun.
        let is_due = words[at + 1..].iter().take(3).any(|word| NEED.contains(word));
        let number = words[at.saturating_sub(2)..at].iter().rev().find_map(|word| {
            NUMBERS.iter().position(|name| name == word).map(|at| at + 2).or_else(|| word.parse().ok())
        });
        number.filter(|_| is_due)
    })
}

#[cfg(test)]
mod tests {
    use super::{leaves_a_part_open, singles_out_a_part, told_places};

    #[test]
    fn one_file_of_several() {
        let is_open = |line: &str| leaves_a_part_open(line.as_bytes(), |word| word == "src/b.py");
        for line in [
            "(The `src/b.py` part is only for illustration.)",
            "Descarta el cambio de `src/b.py`.",
            "Laat de wijziging in `src/b.py` maar weg.",
            "The change in `src/b.py` was dropped.",
            "`src/b.py` の変更は参考用です。",
        ] {
            assert!(is_open(line), "{line}");
        }
        for line in [
            "- `src/b.py`: the new value is used",
            "I also updated the test in `src/b.py`.",
            "`src/b.py` now imports it.",
            "This follows from `src/b.py`.",
        ] {
            assert!(!is_open(line), "{line}");
        }
    }

    #[test]
    fn parts_that_are_counted() {
        for line in [
            "PS: Den zweiten Hunk bitte weglassen.",
            "The second hunk is superfluous.",
            "补充：第二处修改请忽略。",
            "Only the first edit, please.",
            "N.B.: hunk 2 is for another version.",
            "Applied 1 of 2 hunks.",
        ] {
            assert!(singles_out_a_part(line.as_bytes()), "{line}");
        }
        for line in
            ["The second hunk adds the test.", "The second line of the file is blank.", "Die zweite Zeile fehlt."]
        {
            assert!(!singles_out_a_part(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn places_that_are_counted() {
        assert_eq!(told_places(b"Three spots need the change."), Some(3));
        assert_eq!(told_places(b"The helper is used in three places."), None);
    }
}
