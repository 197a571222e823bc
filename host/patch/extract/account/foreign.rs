//! Sentences in languages other than English that keep a patch from being meant. As in English, each of them has a word that denies or
//! defers beside one for what is done with a patch, or a fault beside a word that points to the patch.

use bstr::ByteSlice;

/// The words of one language, in small letters: beginnings of words, or parts of a sentence where words are not parted by blanks.
struct Language {
    denials: &'static [&'static str],
    /// What is done with a patch, as somebody asks for it or forbids it.
    acts: &'static [&'static str],
    faults: &'static [&'static str],
    /// Words that point to what stands above.
    above: &'static [&'static str],
    /// Words that begin a condition.
    conditions: &'static [&'static str],
    has_blanks: bool,
}

const LANGUAGES: [Language; 9] = [
    // German
    Language {
        denials: &["nicht", "nichts", "erst", "bevor", "kein", "niemals"],
        acts: &["anwende", "übernehm", "übernomm", "einbauen", "einspiel", "mergen", "committe"],
        faults: &["fehler", "falsch", "irrtum"],
        above: &["oben", "obige", "obigen"],
        conditions: &["falls", "wenn", "sofern"],
        has_blanks: true,
    },
    // French
    Language {
        denials: &["pas", "rien", "avant", "jamais"],
        acts: &["appliquez", "appliquer", "applique", "fusionne"],
        faults: &["erreur", "faute"],
        above: &["ci-dessus", "dessus"],
        conditions: &["si"],
        has_blanks: true,
    },
    // Spanish
    Language {
        denials: &["no", "nada", "antes", "nunca"],
        acts: &["apliques", "apliquen", "aplique", "aplicar", "fusiones"],
        faults: &["error", "errores", "equivo"],
        above: &["arriba", "anterior"],
        conditions: &["si"],
        has_blanks: true,
    },
    // Portuguese
    Language {
        denials: &["não", "nada", "antes", "nunca"],
        acts: &["aplique", "apliquem", "aplicar"],
        faults: &["erro", "erros", "engan"],
        above: &["acima"],
        conditions: &["se", "caso"],
        has_blanks: true,
    },
    // Italian
    Language {
        denials: &["non", "niente", "prima", "mai"],
        acts: &["applicare", "applicate", "applicarlo"],
        faults: &["errore", "sbagli"],
        above: &["sopra"],
        conditions: &["se"],
        has_blanks: true,
    },
    // Russian
    Language {
        denials: &["не", "пока", "прежде", "сначала", "ничего"],
        acts: &["применяй", "применять", "применит", "сливай", "вливай"],
        faults: &["ошибк", "ошибся", "неверн"],
        above: &["выше"],
        conditions: &["если"],
        has_blanks: true,
    },
    // Chinese
    Language {
        denials: &["不要", "别", "勿", "先", "之前", "暂不"],
        acts: &["应用", "合并", "采用", "提交"],
        faults: &["错", "误"],
        above: &["上面", "上述", "上方"],
        conditions: &["如果", "若"],
        has_blanks: false,
    },
    // Japanese
    Language {
        denials: &["ないで", "前に", "まだ", "ません"],
        acts: &["適用", "マージ", "反映"],
        faults: &["間違", "誤り", "ミス"],
        above: &["上の", "上記"],
        conditions: &["もし", "場合は"],
        has_blanks: false,
    },
    // Korean
    Language {
        denials: &["마세요", "말고", "전에", "아직", "마십시오"],
        acts: &["적용", "병합", "머지"],
        faults: &["잘못", "오류", "실수"],
        above: &["위의", "위에", "위 "],
        conditions: &["만약", "경우"],
        has_blanks: false,
    },
];

impl Language {
    fn has(&self, sentence: &str, words: &[&str]) -> bool {
        match self.has_blanks {
            // A short one is a whole word: `no`, `se`.
            true => sentence.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| {
                words.iter().any(|start| word == *start || start.chars().count() > 3 && word.starts_with(start))
            }),
            false => words.iter().any(|part| sentence.contains(part)),
        }
    }
}

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
        ] {
            assert!(holds_back(line.as_bytes()), "{line}");
        }
        for line in ["Der Rabatt wird nicht doppelt gezählt.", "No se pierde ningún dato.", "修正后不会再丢失数据。"]
        {
            assert!(!holds_back(line.as_bytes()), "{line}");
        }
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
