//! Edits in words: a sentence that asks for the change of a file which no edit of the reply touches.

use bstr::ByteSlice;
use guardhost_core::change::RepoPath;

/// Verbs in the form in which somebody is asked to do it.
const VERBS: [&str; 80] = [
    "bump",
    "adjust",
    "adapt",
    "empty",
    "extend",
    "regenerate",
    "delete",
    "remove",
    "rename",
    "move",
    "add",
    "insert",
    "append",
    "prepend",
    "replace",
    "change",
    "update",
    "edit",
    "modify",
    "put",
    "make",
    "set",
    "drop",
    "copy",
    "run",
    "lösche",
    "löschen",
    "entferne",
    "ändere",
    "ersetze",
    "füge",
    "benenne",
    "verschiebe",
    "supprime",
    "supprimez",
    "remplace",
    "remplacez",
    "ajoute",
    "ajoutez",
    "renomme",
    "renommez",
    "modifie",
    "modifiez",
    "elimina",
    "borra",
    "cambia",
    "reemplaza",
    "añade",
    "agrega",
    "renombra",
    "mueve",
    "apague",
    "remova",
    "altere",
    "substitua",
    "adicione",
    "renomeie",
    "mova",
    "cancella",
    "sostituisci",
    "aggiungi",
    "rinomina",
    "sposta",
    "удали",
    "удалите",
    "замени",
    "замените",
    "измени",
    "измените",
    "добавь",
    "добавьте",
    "переименуй",
    "переименуйте",
    "переместите",
    "verwijder",
    "wijzig",
    "vervang",
    "usuń",
    "zmień",
    "zamień",
];

const PARTS: [&str; 19] = [
    "删除",
    "改为",
    "替换",
    "修改",
    "添加",
    "重命名",
    "移动",
    "更改",
    "削除",
    "変更",
    "置換",
    "追加",
    "修正",
    "移動",
    "삭제",
    "변경",
    "수정",
    "추가",
    "교체",
];

/// Words before a verb that make a noun of it: `this change`, `the update`.
const ARTICLES: [&str; 14] =
    ["the", "this", "that", "a", "an", "no", "any", "my", "your", "our", "each", "every", "to", "not"];

/// Words with which somebody says what the reply does, or has seen.
const SPEAKERS: [&str; 12] =
    ["i'll", "i’ll", "we'll", "we’ll", "i", "we", "let's", "let’s", "looking", "these", "this", "here's"];

/// Words before a file that something is taken from, or compared with.
const SOURCES: [&str; 10] = ["from", "by", "with", "like", "see", "on", "than", "per", "using", "imports"];

/// Verbs that take something out of the file behind `from`.
const REMOVALS: [&str; 3] = ["remove", "delete", "drop"];

/// Whether the line asks for a change of the file that `is_other` finds in its words: one that no edit of the reply touches.
/// `is_edited`: a file that one does.
pub(super) fn asks_for_change(line: &[u8], is_other: impl Fn(&str) -> bool, is_edited: impl Fn(&str) -> bool) -> bool {
    let text = line.to_str_lossy().to_lowercase();
    if PARTS.iter().any(|part| without_code(&text).contains(part)) {
        return true;
    }
    sentences(&text).any(|sentence| {
        // A command in code is judged as one; a name in code is a name.
        let words: Vec<&str> = sentence.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
        let is_noun = |at: usize| {
            at > 0 && ARTICLES.contains(&words[at - 1]) && !(words[at - 1] == "to" && asks(&words[..at - 1]))
        };
        let is_verb = |at: &usize| VERBS.contains(&words[*at]) && !is_noun(*at);
        let others: Vec<usize> = (0..words.len()).filter(|at| is_other(words[*at])).collect();
        if others.is_empty() {
            return false;
        }
        // What speaks for itself announces the edits of the reply: only the first file behind its verb is meant.
        let speaks = words.iter().take(6).any(|word| SPEAKERS.contains(word));
        let target = |verb: usize| (verb + 1..words.len()).find(|&at| is_other(words[at]) || is_edited(words[at]));
        let is_source = |at: usize, verb: usize| {
            let before = words[..at].iter().rev().find(|word| !ARTICLES.contains(word));
            before.is_some_and(|word| SOURCES.contains(word)) && !REMOVALS.contains(&words[verb])
        };
        if is_owed(&words) {
            return true;
        }
        match speaks {
            true => (0..words.len())
                .filter(is_verb)
                .any(|verb| target(verb).is_some_and(|at| is_other(words[at]) && !is_source(at, verb))),
            false => {
                (0..words.len()).filter(is_verb).any(|verb| others.iter().any(|&at| at < verb || !is_source(at, verb)))
            }
        }
    })
}

/// Whether the words before `to` ask for what is behind it: `remember to`, `don't forget to`, `you need to`; not `no need to`.
fn asks(before: &[&str]) -> bool {
    const ASKING: [&str; 10] =
        ["remember", "need", "needs", "have", "has", "want", "sure", "necessary", "required", "important"];
    let is_denial = |word: Option<&&str>| {
        word.is_some_and(|word| {
            matches!(*word, "no" | "not" | "never") || word.ends_with("n't") || word.ends_with("n’t")
        })
    };
    let denied = is_denial(before.iter().rev().nth(1));
    match before.last() {
        Some(&"forget") => denied,
        Some(word) => ASKING.contains(word) && !denied,
        None => false,
    }
}

/// Whether the words say of a file that a change of it is still due: `a.py should be renamed`, `the same goes for a.py`.
fn is_owed(words: &[&str]) -> bool {
    const DUE: [&str; 8] = ["should", "must", "needs", "need", "has", "have", "can", "ought"];
    const DONE: [&str; 20] = [
        "renamed",
        "deleted",
        "removed",
        "moved",
        "changed",
        "updated",
        "edited",
        "modified",
        "replaced",
        "adjusted",
        "adapted",
        "extended",
        "reverted",
        "split",
        "dropped",
        "converted",
        "bumped",
        "fixed",
        "go",
        "change",
    ];
    const PHRASES: [&[&str]; 9] = [
        &["same", "goes", "for"],
        &["same", "applies", "to"],
        &["same", "holds", "for"],
        &["needs", "the", "same"],
        &["need", "the", "same"],
        &["needs", "a", "similar"],
        &["still", "needs"],
        &["analogous"],
        &["analogously"],
    ];
    // Verbs that oblige, in languages whose verbs of change have too many forms to list.
    const OBLIGED: [&str; 20] = [
        "muss",
        "müssen",
        "sollte",
        "sollten",
        "soll",
        "doit",
        "doivent",
        "faut",
        "devrait",
        "debe",
        "deben",
        "deve",
        "devem",
        "bisogna",
        "нужно",
        "надо",
        "следует",
        "должен",
        "należy",
        "moet",
    ];
    const DENIALS: [&str; 9] = ["nicht", "kein", "keine", "pas", "no", "não", "non", "не", "niet"];
    let is_due = |at: usize| {
        let behind: Vec<&str> = words[at + 1..]
            .iter()
            .filter(|word| !matches!(**word, "also" | "be" | "to" | "then"))
            .take(1)
            .copied()
            .collect();
        DUE.contains(&words[at]) && behind.first().is_some_and(|done| DONE.contains(done))
    };
    let obliges = words.iter().any(|word| OBLIGED.contains(word)) && !words.iter().any(|word| DENIALS.contains(word));
    obliges
        || (0..words.len()).any(is_due)
        || PHRASES.iter().any(|phrase| words.windows(phrase.len()).any(|window| window == *phrase))
}

/// Whether the line tells what the reply does or what was seen, in words of its own.
pub(super) fn tells(line: &[u8]) -> bool {
    let text = line.to_str_lossy().to_lowercase();
    let mut words = text.split_whitespace().map(bare).filter(|word| !word.is_empty());
    let is_long = words.clone().count() > TOLD;
    super::doubt::describes(line) || is_long && words.any(|word| SPEAKERS.contains(&word))
}

/// Words of a line that is shorter may be all that is said of a change.
const TOLD: usize = 8;

/// The sentences of a line. A dot inside of a name ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(". ").flat_map(|part| part.split(['!', ';', '?']))
}

/// Whether the sentence takes something from the file, or compares with it.
pub(super) fn is_source(sentence: &str, path: &RepoPath) -> bool {
    let text = sentence.to_lowercase();
    let name = path.file_name().to_str_lossy().to_lowercase();
    let words: Vec<&str> = text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| word.ends_with(&name)).unwrap_or_default();
    let before = words[..at].iter().rev().find(|word| !ARTICLES.contains(word));
    before.is_some_and(|word| SOURCES.contains(word)) && !words.iter().any(|word| REMOVALS.contains(word))
}

/// The word without the marks around it.
pub(super) fn bare(word: &str) -> &str {
    let is_mark = |kept: &'static str| move |c: char| !c.is_alphanumeric() && !kept.contains(c);
    word.trim_start_matches(is_mark("./_")).trim_end_matches(is_mark("/_"))
}

fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// Whether the line puts one text in place of another, or has texts that are no names: struck out, in quotation marks, in code, behind
/// an arrow, in the cells of a table.
pub(super) fn has_texts(line: &[u8], is_name: impl Fn(&[u8]) -> bool) -> bool {
    let text = line.trim_ascii();
    let quoted = |mark: u8| text.split(move |byte| *byte == mark).skip(1).step_by(2);
    let pairs = |mark: u8| text.iter().filter(|byte| **byte == mark).count() / 2;
    let mut texts = quoted(b'`').take(pairs(b'`')).chain(quoted(b'"').take(pairs(b'"')));
    let is_call = text.contains(&b'(') && text.contains(&b'=') && text.contains(&b'\'');
    text.contains_str("~~")
        || text.starts_with(b"|")
        || text.contains_str(" => ")
        || is_call
        || texts.any(|text| !text.trim_ascii().is_empty() && !is_name(text))
}
