//! Words right beside one of several patches that keep it from being plainly meant: negations, judgements, choices and conditions.
//!
//! What takes a patch back can be said in any number of ways, but each of them has to deny, judge, compare or leave open, and the
//! words for that are few in every language. They are looked for only where a line speaks of a patch: directly above or below it.

use super::alternatives::COUNTED;
use bstr::ByteSlice;

/// Whole words. Prose between two patches that says what comes next has none of them.
const WORDS: [&str; 93] = [
    "not",
    "never",
    "no",
    "cannot",
    "without",
    "instead",
    "rather",
    "however",
    "but",
    "or",
    "either",
    "neither",
    "nor",
    "wrong",
    "bad",
    "broken",
    "worse",
    "incorrect",
    "incorrectly",
    "mistaken",
    "mistake",
    "naive",
    "tempting",
    "avoid",
    "ignore",
    "unnecessary",
    "unneeded",
    "redundant",
    "obsolete",
    "outdated",
    "superseded",
    "skip",
    "drop",
    "revert",
    "undo",
    "rollback",
    "abandon",
    "discard",
    "reject",
    "rejected",
    "withdrawn",
    "optional",
    "optionally",
    "alternative",
    "alternatively",
    "otherwise",
    "unless",
    "if",
    "might",
    "maybe",
    "perhaps",
    "possibly",
    "prefer",
    "preferred",
    "choose",
    "pick",
    "which",
    "whichever",
    "compare",
    "comparison",
    "contrast",
    "versus",
    "vs",
    "previous",
    "previously",
    "original",
    "originally",
    "earlier",
    "attempt",
    "tried",
    "draft",
    "sketch",
    "example",
    "illustration",
    "hypothetical",
    "hypothetically",
    "upstream",
    "reference",
    "fails",
    "failed",
    "critique",
    "oops",
    "sorry",
    "wait",
    "actually",
    "correction",
    "simpler",
    "better",
    "thought",
    "idea",
    "considered",
    "could",
    "would",
];

/// Words that judge whatever they stand beside: a sentence that tells what code does has none of them.
const JUDGEMENTS: [&str; 26] = [
    "rather",
    "wrong",
    "worse",
    "mistaken",
    "mistake",
    "naive",
    "tempting",
    "unneeded",
    "superseded",
    "abandon",
    "withdrawn",
    "alternatively",
    "maybe",
    "perhaps",
    "prefer",
    "preferred",
    "draft",
    "sketch",
    "hypothetical",
    "hypothetically",
    "critique",
    "oops",
    "sorry",
    "actually",
    "correction",
    "illustration",
];

/// Words before those that a change is described with: `This change makes …`, `These edits will add …`.
const CHANGES: [&str; 12] = [
    "change",
    "changes",
    "edit",
    "edits",
    "update",
    "updates",
    "modification",
    "modifications",
    "fix",
    "implementation",
    "approach",
    "patch",
];

/// Verbs behind them that judge the change, and do not say what it does.
const VERDICTS: [&str; 12] =
    ["is", "are", "was", "were", "may", "might", "could", "would", "breaks", "fails", "won't", "isn't"];

/// Beginnings of a sentence that announces the edit below it.
const ANNOUNCEMENTS: [&str; 9] = ["now", "next", "then", "finally", "also", "lastly", "additionally", "first", "let's"];

/// Beginnings of words and endings, in languages that part their words with blanks.
const STEMS: [&str; 47] = [
    // English
    "revert",
    "broke",
    "already",
    "kidding",
    "negat", // German
    "nicht",
    "kein",
    "falsch",
    "ignorier",
    "stattdessen",
    "sondern",
    "oder",
    "verwirf",
    "verwerf",
    "vergiss",
    "fehlerhaft",
    "sonst", // French
    "pas",
    "plutôt",
    "sinon",
    "mauvais",
    "annul",
    "oubli",
    "incorrect", // Spanish, Portuguese, Italian
    "ningun",
    "ignor",
    "descart",
    "equivoc",
    "olvid",
    "mejor",
    "melhor",
    "não",
    "non",
    "invece",
    "opción",
    "opção",
    "sbagliat", // Russian, Ukrainian
    "не",
    "нет",
    "или",
    "вместо",
    "игнор",
    "невер",
    "неправ",
    "отмен",
    "вариант",
    "лучше",
];

/// Anywhere: languages that write their words together.
const PARTS: [&str; 30] = [
    // Chinese
    "不",
    "别",
    "勿",
    "错",
    "或",
    "而是",
    "改用",
    "忽略",
    "忽视",
    "撤",
    "误",
    "方案",
    "取消",
    "代替", // Japanese
    "ない",
    "ません",
    "間違",
    "代わり",
    "または",
    "案",
    "取り消",
    "無視",
    "誤", // Korean
    "않",
    "말고",
    "아니",
    "잘못",
    "대신",
    "또는",
    "무시",
];

/// Whether the line keeps a patch beside it from being plainly meant.
pub(super) fn is_doubtful(line: &[u8]) -> bool {
    let text = lowercase(line);
    let is_stem = |word: &str, stem: &str| if stem.len() < 5 { word == stem } else { word.starts_with(stem) };
    let is_doubt =
        |word: &str| WORDS.contains(&word) || word.ends_with("n't") || STEMS.iter().any(|stem| is_stem(word, stem));
    words(&text).any(is_doubt) || PARTS.iter().any(|part| text.contains(part))
}

/// Whether the line judges a patch beside it, and does not only tell what code does.
pub(super) fn judges(line: &[u8]) -> bool {
    words(&lowercase(line)).any(|word| JUDGEMENTS.contains(&word))
}

/// Whether the line tells what the patch above it does, or announces the next edit by the code that it is about.
pub(super) fn describes(line: &[u8]) -> bool {
    let text = lowercase(line);
    let first: Vec<&str> = words(&text).take(4).collect();
    let is_told = match first.as_slice() {
        ["this" | "these", noun, "will", verb, ..] => CHANGES.contains(noun) && *verb != "not",
        ["this" | "these", noun, verb, ..] => CHANGES.contains(noun) && !VERDICTS.contains(verb),
        _ => false,
    };
    // `Then, on top of that, never return 0:` goes on, and `Step 2: never return 0`, whatever the code is not to do.
    let is_counted =
        |noun: &str, count: &str| COUNTED.contains(&noun) && count.bytes().all(|byte| byte.is_ascii_digit());
    let goes_on = match first.as_slice() {
        [noun, count, ..] if is_counted(noun, count) => text.contains(&format!("{noun} {count}: ")),
        [word, ..] => {
            ANNOUNCEMENTS.contains(word) && text.contains(&format!("{word}, ")) && text.trim_end().ends_with(':')
        }
        [] => false,
    };
    let is_announced = first.first().is_some_and(|word| ANNOUNCEMENTS.contains(word))
        && text.contains('`')
        && text.trim_end().ends_with(':');
    is_told || is_announced || goes_on && !offers_choice(line)
}

/// The line in small letters, without phrases that are no doubt: what is offered at the end of an answer is about the answer.
pub(super) fn lowercase(line: &[u8]) -> String {
    let mut text = line.to_str_lossy().to_lowercase().replace('’', "'");
    for phrase in ["let me know if", "if you have", "if anything", "don't forget"] {
        text = text.replace(phrase, "");
    }
    text
}

/// The words of a text in small letters. Code, names and addresses say nothing.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split('`').step_by(2).flat_map(str::split_whitespace);
    let is_code =
        |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric()).contains(['.', '/', '@', '_', ':', '=']);
    let words = prose
        .filter(move |word| !is_code(word))
        .flat_map(|word| word.split(|c: char| !c.is_alphanumeric() && c != '\''));
    words.filter(|word| !word.is_empty())
}

/// Whether the line may leave the choice between the patches beside it, or say when one of them holds.
pub(super) fn offers_choice(line: &[u8]) -> bool {
    let is_open = |word: &str| {
        matches!(
            word,
            "or" | "either" | "option" | "optional" | "otherwise" | "unless" | "if" | "might" | "maybe" | "could"
        ) || matches!(word, "perhaps" | "would" | "choose" | "pick" | "whichever" | "versus" | "vs" | "oder" | "или")
            || matches!(word, "alternative" | "alternatively" | "falls" | "wenn")
    };
    words(&lowercase(line)).any(|word| is_open(word) || word.ends_with("n't"))
}

/// Whether the line asks which of the patches is wanted.
pub(super) fn asks_for_choice(line: &[u8]) -> bool {
    const ASKED: [&str; 10] = [
        "which one",
        "which of",
        "which you",
        "prefer",
        "choose",
        "pick",
        "tell me which",
        "let me know which",
        "either one",
        "your call",
    ];
    // `Would you like me to make any other changes or improvements?` is about what is still to come.
    const FURTHER: [&str; 6] = ["any other", "any further", "anything", "else", "further", "additional"];
    let text = prose(line);
    let is_choice = line.to_str_lossy().trim_end().ends_with(['?', '？']) && text.contains(" or ");
    has_any(&text, &ASKED) || is_choice && !has_any(&text, &FURTHER)
}

/// Whether the line speaks of a patch of the reply, and does not only say what the change does.
pub(super) fn speaks_of_patch(line: &[u8]) -> bool {
    const NOUNS: [&str; 15] = [
        "patch",
        "patches",
        "diff",
        "diffs",
        "hunk",
        "version",
        "attempt",
        "draft",
        "former",
        "latter",
        "first one",
        "second one",
        "last one",
        "above",
        "previous",
    ];
    const PARTS: [&str; 3] = ["補丁", "补丁", "パッチ"];
    let text = prose(line);
    has_any(&text, &NOUNS) || PARTS.iter().any(|part| text.contains(part))
}

/// The words of the line, in small letters, with one blank between them and around them.
pub(super) fn prose(line: &[u8]) -> String {
    let text = line.to_str_lossy().to_lowercase();
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .fold(" ".to_owned(), |all, word| all + word + " ")
}

pub(super) fn has_any(prose: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| prose.contains(&format!(" {phrase} ")))
}

/// Whether the line strikes out what it says, or what follows it or stands above it.
pub(super) fn strikes_out(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    let is_fence = text.starts_with(b"~~~");
    let has_tag =
        [&b"<del>"[..], b"</del>", b"<s>", b"</s>", b"<strike>", b"</strike>"].iter().any(|tag| text.contains_str(tag));
    let is_open_comment = text.find_iter("<!--").count() != text.find_iter("-->").count();
    !is_fence && text.contains_str("~~") || has_tag || is_open_comment
}
