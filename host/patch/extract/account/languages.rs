//! Words of languages other than English that a sentence has which holds a patch back, finds a fault in it, or sets a condition.

use std::ops::RangeInclusive;

use bstr::ByteSlice;

/// The words of one language, in small letters: beginnings of words, or parts of a sentence where words are not parted by blanks.
pub(super) struct Language {
    pub denials: &'static [&'static str],
    /// What is done with a patch, as somebody asks for it or forbids it.
    pub acts: &'static [&'static str],
    pub faults: &'static [&'static str],
    /// Words that point to what stands above.
    pub above: &'static [&'static str],
    /// Words that begin a condition.
    pub conditions: &'static [&'static str],
    pub has_blanks: bool,
}

pub(super) const LANGUAGES: [Language; 27] = [
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
    // Dutch
    Language {
        denials: &["niet", "nog", "nooit", "eerst"],
        acts: &["toepassen", "mergen", "pas", "overnemen"],
        faults: &["fout", "verkeerd"],
        above: &["hierboven", "bovenstaand"],
        conditions: &["als", "indien"],
        has_blanks: true,
    },
    // Polish
    Language {
        denials: &["nie", "jeszcze", "nigdy"],
        acts: &["stosuj", "zastosuj", "scalaj", "aplikuj", "wdrażaj"],
        faults: &["błąd", "błędn"],
        above: &["powyżej", "powyższ"],
        conditions: &["jeśli", "jeżeli"],
        has_blanks: true,
    },
    // Czech, Slovak
    Language {
        denials: &["nepoužívej", "neaplikuj", "neslučuj", "zatím"],
        acts: &["neaplikuj", "nepoužívej", "neslučuj", "aplikuj"],
        faults: &["chyb"],
        above: &["výše", "vyššie"],
        conditions: &["pokud", "jestli", "ak"],
        has_blanks: true,
    },
    // Ukrainian
    Language {
        denials: &["не", "поки", "спочатку"],
        acts: &["застосов", "зливай"],
        faults: &["помилк"],
        above: &["вище"],
        conditions: &["якщо"],
        has_blanks: true,
    },
    // Swedish, Danish, Norwegian
    Language {
        denials: &["inte", "ikke", "ännu", "endnu", "ennå"],
        acts: &["tillämp", "anvend", "använd", "flett", "merge"],
        faults: &["fel", "feil", "fejl"],
        above: &["ovan", "ovenfor"],
        conditions: &["om", "hvis"],
        has_blanks: true,
    },
    // Finnish
    Language {
        denials: &["älä", "älkää", "vielä"],
        acts: &["käyttöön", "käytä", "yhdistä", "ota"],
        faults: &["virhe", "väärin"],
        above: &["yllä"],
        conditions: &["jos"],
        has_blanks: true,
    },
    // Hungarian
    Language {
        denials: &["ne", "még"],
        acts: &["alkalmaz", "olvaszd"],
        faults: &["hiba", "hibás"],
        above: &["fenti", "fent"],
        conditions: &["ha"],
        has_blanks: true,
    },
    // Romanian
    Language {
        denials: &["nu", "încă"],
        acts: &["aplica", "aplicați", "îmbina"],
        faults: &["greșit", "eroare"],
        above: &["sus"],
        conditions: &["dacă"],
        has_blanks: true,
    },
    // Catalan
    Language {
        denials: &["no", "encara"],
        acts: &["apliqu", "fusion"],
        faults: &["error"],
        above: &["dalt", "anterior"],
        conditions: &["si"],
        has_blanks: true,
    },
    // Turkish
    Language {
        denials: &["henüz", "sakın"],
        acts: &["uygulama", "birleştirme"],
        faults: &["hata", "yanlış"],
        above: &["yukarıda"],
        conditions: &["eğer"],
        has_blanks: true,
    },
    // Indonesian, Malay
    Language {
        denials: &["jangan", "belum"],
        acts: &["terapkan", "gunakan", "gabungkan"],
        faults: &["salah", "keliru"],
        above: &["atas"],
        conditions: &["jika", "kalau"],
        has_blanks: true,
    },
    // Vietnamese
    Language {
        denials: &["đừng", "chưa"],
        acts: &["áp dụng", "gộp"],
        faults: &["sai", "lỗi"],
        above: &["bên trên", "ở trên"],
        conditions: &["nếu"],
        has_blanks: false,
    },
    // Greek
    Language {
        denials: &["μην"],
        acts: &["εφαρμόσ", "συγχωνεύσ", "χρησιμοποιήσ"],
        faults: &["λάθος"],
        above: &["παραπάνω"],
        conditions: &["αν", "εάν"],
        has_blanks: true,
    },
    // Arabic
    Language {
        denials: &["لا", "قبل"],
        acts: &["تطبق", "تدمج"],
        faults: &["خطأ"],
        above: &["أعلاه"],
        conditions: &["إذا"],
        has_blanks: true,
    },
    // Hebrew
    Language {
        denials: &["אל", "עדיין"],
        acts: &["תחיל", "תמזג", "תשתמש"],
        faults: &["שגיאה", "טעות"],
        above: &["למעלה"],
        conditions: &["אם"],
        has_blanks: true,
    },
    // Persian
    Language {
        denials: &["نکن", "هنوز"],
        acts: &["اعمال", "ادغام"],
        faults: &["اشتباه", "خطا"],
        above: &["بالا"],
        conditions: &["اگر"],
        has_blanks: true,
    },
    // Hindi
    Language {
        denials: &["न करें", "मत"],
        acts: &["लागू", "मर्ज"],
        faults: &["गलत", "गलती"],
        above: &["ऊपर"],
        conditions: &["अगर", "यदि"],
        has_blanks: false,
    },
    // Thai
    Language {
        denials: &["อย่า", "ห้าม"],
        acts: &["ใช้", "นำไป"],
        faults: &["ผิด"],
        above: &["ด้านบน", "ข้างบน"],
        conditions: &["ถ้า", "หาก"],
        has_blanks: false,
    },
];

impl Language {
    pub fn has(&self, sentence: &str, words: &[&str]) -> bool {
        match self.has_blanks {
            // A short one is a whole word: `no`, `se`.
            true => sentence.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| {
                words.iter().any(|start| word == *start || start.chars().count() > 3 && word.starts_with(start))
            }),
            false => words.iter().any(|part| sentence.contains(part)),
        }
    }
}

/// Whether the line is written in letters of no language that is read here, so that nothing tells what it says.
pub(super) fn is_unreadable(line: &[u8]) -> bool {
    /// Armenian; Thaana to Samaritan; Bengali to Sinhala; Lao to Georgian; Ethiopic; Khmer.
    const UNREAD: [RangeInclusive<char>; 6] = [
        '\u{530}'..='\u{58f}',
        '\u{780}'..='\u{8ff}',
        '\u{980}'..='\u{dff}',
        '\u{e80}'..='\u{10ff}',
        '\u{1200}'..='\u{137f}',
        '\u{1780}'..='\u{17ff}',
    ];
    let is_unread = |c: &char| c.is_alphabetic() && UNREAD.iter().any(|letters| letters.contains(c));
    line.chars().filter(is_unread).nth(2).is_some()
}
