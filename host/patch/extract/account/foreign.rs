//! Sentences in languages other than English that keep a patch from being meant. As in English, each of them has a word that denies or
//! defers beside one for what is done with a patch, or a fault beside a word that points to the patch.

use super::languages::{LANGUAGES, Language};
use bstr::ByteSlice;

/// Whether a sentence of the line asks not to use the patch, or not yet.
pub(super) fn holds_back(line: &[u8]) -> bool {
    any(line, |language, sentence| language.has(sentence, language.denials) && language.has(sentence, language.acts))
}

/// Whether a sentence of a line below a patch finds a fault in what stands above.
pub(super) fn finds_fault(line: &[u8]) -> bool {
    any(line, |language, sentence| language.has(sentence, language.faults) && language.has(sentence, language.above))
}

/// Whether the last sentence of the line begins with a condition.
pub(super) fn begins_condition(line: &[u8]) -> bool {
    let text = line.to_str_lossy().to_lowercase();
    let last = text.split(['.', '!', '?', '。']).rfind(|part| part.chars().any(char::is_alphanumeric));
    let last = last.unwrap_or_default().trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = last.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    const ENGLISH: [&str; 4] = ["if", "unless", "assuming", "provided"];
    ENGLISH.contains(&first)
        || LANGUAGES.iter().any(|language| match language.has_blanks {
            true => language.conditions.contains(&first),
            false => language.conditions.iter().any(|word| last.starts_with(word)),
        })
}

/// Whether a sentence of the line makes the use of the patch depend on something: `If nobody needs the old one, apply this.`
pub(super) fn applies_on_condition(line: &[u8]) -> bool {
    const OBJECTS: [&str; 10] = [
        "this",
        "that",
        "it",
        "the following",
        "the patch",
        "the diff",
        "the change",
        "the edit",
        "what follows",
        "below",
    ];
    let text = line.to_str_lossy().to_lowercase();
    let prose: String = text.split('`').step_by(2).collect();
    prose.split(['.', '!', '?']).any(|sentence| {
        let is_of_patch = || OBJECTS.iter().any(|object| sentence.contains(&format!("apply {object}")));
        begins_condition(sentence.as_bytes()) && is_of_patch()
    })
}

/// Whether the last clause of the line has a word that denies, in any language.
pub(super) fn denies_at_the_end(line: &[u8]) -> bool {
    const ENGLISH: [&str; 5] = ["not", "never", "don't", "mustn't", "isn't"];
    let text = line.to_str_lossy().to_lowercase().replace(['’', '*', '_'], "'").replace("''", "");
    let prose: String = text.split('`').step_by(2).collect();
    let clause = prose.trim_end_matches(|c: char| !c.is_alphanumeric());
    let clause = clause.rsplit([',', ';', '.', '—', '，', '、', '。']).next().unwrap_or_default();
    // Languages that do not part their words.
    if ["不要", "不是", "别", "勿", "ません", "ないで", "마세요", "아닙니다"].iter().any(|part| clause.contains(part))
    {
        return true;
    }
    let is_denial = |word: &str| {
        let word = word.trim_matches('\'');
        ENGLISH.contains(&word)
            || matches!(word, "nicht" | "kein" | "keinen" | "keinem" | "keine" | "pas" | "não" | "не")
    };
    // `A patch to never return 0:` says what the patch is for.
    let words: Vec<&str> =
        clause.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    (0..words.len()).any(|at| is_denial(words[at]) && (at == 0 || words[at - 1] != "to"))
}

fn any(line: &[u8], is_such: impl Fn(&Language, &str) -> bool) -> bool {
    let text = line.to_str_lossy().to_lowercase();
    // Code says nothing of the reply.
    let prose: String = text.split('`').step_by(2).collect();
    prose
        .split(['.', '!', '?', ';', '。', '！', '？'])
        .any(|sentence| LANGUAGES.iter().any(|language| is_such(language, sentence)))
}

#[cfg(test)]
mod tests {
    use super::super::languages::is_unreadable;
    use super::{applies_on_condition, begins_condition, denies_at_the_end, finds_fault, holds_back};

    #[test]
    fn what_holds_a_patch_back() {
        for line in [
            "Bitte noch nicht anwenden.",
            "Finalement, ne l'appliquez pas : cela casse les autres appels.",
            "No apliques nada antes de confirmar.",
            "Не применяйте это.",
            "应用之前请先确认。",
            "まだ適用しないでください。",
            "아직 적용하지 마세요.",
            "Nie stosuj tego jeszcze.",
            "Pas dit nog niet toe.",
            "Bunu henüz uygulama.",
            "لا تطبق هذا التصحيح بعد.",
            "Tillämpa inte detta ännu.",
            "Zatím to neaplikuj.",
            "Đừng áp dụng thay đổi này.",
            "इसे अभी लागू न करें।",
            "Jangan terapkan ini dulu.",
            "อย่าเพิ่งใช้แพตช์นี้",
        ] {
            assert!(holds_back(line.as_bytes()), "{line}");
        }
        for line in [
            "Der Rabatt wird nicht doppelt gezählt.",
            "No se pierde ningún dato.",
            "修正后不会再丢失数据。",
            "Nie gubi już danych.",
            "De korting wordt niet dubbel geteld.",
            "Proměnná se nepoužívá.",
            "यह अब लागू नहीं होता।",
        ] {
            assert!(!holds_back(line.as_bytes()), "{line}");
        }
        assert!(
            is_unreadable("ჯერ არ გამოიყენოთ.".as_bytes()) && !is_unreadable("Nie stosuj, не применяйте".as_bytes())
        );
        assert!(finds_fault("Achtung, oben ist mir ein Fehler unterlaufen.".as_bytes()));
        assert!(!finds_fault("Der Fehler ist damit behoben.".as_bytes()));
    }

    #[test]
    fn conditions() {
        assert!(applies_on_condition(b"It depends. If nobody needs it, apply the following; otherwise keep the code."));
        assert!(!applies_on_condition(b"If the list is empty, apply a discount of 0."));
        assert!(!applies_on_condition(b"Apply this to fix it. If anything is left, tell me."));
    }

    #[test]
    fn introductions() {
        assert!(begins_condition("Falls ihr noch Version 1 einsetzt, gilt dies hier:".as_bytes()));
        assert!(!begins_condition("Si la liste est vide, la fonction échoue. Voici le correctif :".as_bytes()));
        assert!(denies_at_the_end(b"A common mistake is the following, which you must **not** do:"));
        assert!(denies_at_the_end("Nur als Beispiel, so nicht einbauen:".as_bytes()));
        assert!(!denies_at_the_end(b"This is the problem. Patch to never return 0:"));
        assert!(!denies_at_the_end(b"The name is not checked, so I added a test:"));
    }
}
