//! Edits in words: a sentence that asks for the change of a file which no edit of the reply touches.

use bstr::ByteSlice;

/// Verbs in the form in which somebody is asked to do it.
const VERBS: [&str; 74] = [
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

/// Whether the line asks for a change.
pub(super) fn asks_for_change(line: &[u8]) -> bool {
    let text = line.to_str_lossy().to_lowercase();
    // A command in code is judged as one.
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let words: Vec<&str> = prose.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_noun = |at: usize| at > 0 && ARTICLES.contains(&words[at - 1]);
    (0..words.len()).any(|at| VERBS.contains(&words[at]) && !is_noun(at))
        || PARTS.iter().any(|part| prose.contains(part))
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
