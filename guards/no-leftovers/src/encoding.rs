//! Text that was read in another encoding than it was written in: `â€™` for an apostrophe, `Ã©` for `é`.

use guard_sdk::Finding;

use crate::added::Added;

pub fn judge(added: &Added) -> Option<Finding> {
    if is_about_encodings(added.path()) {
        return None;
    }
    let (at, sign) = added.new_lines().find_map(|(at, line)| Some((at, garbled(line)?)))?;
    if added.before().lines().any(|line| garbled(line).is_some()) {
        return None;
    }
    let message = format!("`{sign}` is a character that was read in the wrong encoding");
    let help = "Write the character that is meant, as UTF-8.";
    Some(Finding::error("text-garbled", message).at(added.path(), at as u32 + 1).help(help))
}

/// The two or three characters of Windows-1252 as which one of UTF-8 was read.
fn garbled(line: &str) -> Option<String> {
    if line.is_ascii() {
        return None;
    }
    let chars: Vec<char> = line.chars().take(20_000).collect();
    let is_continuation = |c: char| ('\u{80}'..='\u{bf}').contains(&c) || "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ".contains(c);
    (0..chars.len()).find_map(|at| {
        let next = |by: usize| chars.get(at + by).copied().unwrap_or(' ');
        let (a, b, c) = (chars[at], next(1), next(2));
        let of_three =
            a == 'â' && matches!(b, '€' | '\u{80}' | '„' | '†' | '‡' | '”' | '˜' | 'œ') && is_continuation(c);
        // `Ã©` behind a letter, or `Â°`: one alone is a letter of Portuguese or Vietnamese.
        let before = at.checked_sub(1).map(|at| chars[at]);
        let of_two =
            a == 'Ã' && is_continuation(b) && !b.is_alphabetic() && before.is_some_and(|c| c.is_ascii_lowercase());
        let of_sign = a == 'Â' && matches!(b, '\u{a0}' | '°' | '©' | '®' | '«' | '»' | '·' | '£' | '§');
        match () {
            _ if of_three => Some([a, b, c].iter().collect()),
            _ if of_two || of_sign => Some([a, b].iter().collect()),
            _ => None,
        }
    })
}

pub fn is_about_encodings(path: &str) -> bool {
    const WORDS: [&str; 12] = [
        "encod", "decod", "mojibake", "utf", "charset", "latin", "unicode", "cp1252", "ftfy", "i18n", "locale",
        "chardet",
    ];
    let lower = path.to_ascii_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::garbled;

    #[test]
    fn what_a_wrong_encoding_makes() {
        for (line, sign) in [
            ("donâ€™t", "â€™"),
            ("the â€œwordâ€\u{9d}", "â€œ"),
            ("cafÃ© au", "Ã©"),
            ("20 Â°C", "Â°"),
            ("a â€“ b", "â€“"),
            ("cafÃ©", "Ã©"),
        ] {
            assert_eq!(garbled(line).as_deref(), Some(sign), "{line}");
        }
        for line in ["don’t", "São Paulo", "SÃO PAULO", "VÂN, ÂN", "âme", "€ 5", "pâté", "Ã"] {
            assert_eq!(garbled(line), None, "{line}");
        }
    }
}
