//! Words right beside one of several patches that keep it from being plainly meant: negations, judgements, choices and conditions.
//!
//! What takes a patch back can be said in any number of ways, but each of them has to deny, judge, compare or leave open, and the
//! words for that are few in every language. They are looked for only where a line speaks of a patch: directly above or below it.

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

/// Beginnings of words and endings, in languages that part their words with blanks.
const STEMS: [&str; 42] = [
    // German
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
    let text = line.to_str_lossy().to_lowercase().replace('’', "'");
    // What is offered at the end of an answer is about the answer.
    let text = text.replace("let me know if", "").replace("if you have", "").replace("if anything", "");
    // Code, names and addresses say nothing.
    let prose = text.split('`').step_by(2).flat_map(str::split_whitespace);
    let is_code =
        |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric()).contains(['.', '/', '@', '_', ':', '=']);
    let words =
        prose.filter(|word| !is_code(word)).flat_map(|word| word.split(|c: char| !c.is_alphanumeric() && c != '\''));
    let mut words = words.filter(|word| !word.is_empty());
    let is_stem = |word: &str, stem: &str| if stem.len() < 5 { word == stem } else { word.starts_with(stem) };
    words.any(|word| WORDS.contains(&word) || word.ends_with("n't") || STEMS.iter().any(|stem| is_stem(word, stem)))
        || PARTS.iter().any(|part| text.contains(part))
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
    let text = line.to_str_lossy().to_lowercase();
    ASKED.iter().any(|asked| text.contains(asked)) || text.trim_end().ends_with(['?', '？']) && text.contains(" or ")
}

/// Whether the line speaks of a patch of the reply, and does not only say what the change does.
pub(super) fn speaks_of_patch(line: &[u8]) -> bool {
    const NOUNS: [&str; 16] = [
        "patch",
        "diff",
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
        "補丁",
        "补丁",
        "パッチ",
    ];
    let text = line.to_str_lossy().to_lowercase();
    NOUNS.iter().any(|noun| text.contains(noun))
}

/// Whether the line strikes out what follows it or stands above it: a mark that is not closed in the line.
pub(super) fn strikes_out(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    let is_fence = text.starts_with(b"~~~");
    let tag = |open: &[u8], close: &[u8]| text.find_iter(open).count() != text.find_iter(close).count();
    !is_fence && text.find_iter("~~").count() % 2 == 1 || tag(b"<del>", b"</del>") || tag(b"<s>", b"</s>")
}
