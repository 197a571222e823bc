//! How random a value looks.

/// Shannon entropy, in bits a byte.
pub fn entropy(text: &str) -> f32 {
    let mut counts = [0u32; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let length = text.len().max(1) as f32;
    let share = |count: &u32| *count as f32 / length;
    -counts.iter().filter(|count| **count > 0).map(share).map(|share| share * share.log2()).sum::<f32>()
}

/// Whether the text reads as chosen by a machine: letters and digits mixed, and no words.
pub fn looks_random(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let kinds: Vec<u8> = text.bytes().map(kind).collect();
    let turns = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count();
    // Words are long runs of one kind.
    let is_mixed = digits >= 3 && letters >= 3 && turns * 5 >= text.len();
    let is_mixed_a_little = text.len() >= 24 && digits >= 2 && turns * 5 >= text.len() * 2;
    // Letters alone, with capitals in between more often than words have them.
    let is_scattered = text.len() >= 32 && turns * 2 > text.len();
    (is_mixed || is_mixed_a_little || is_scattered) && longest_word(&kinds) < 8 && !is_phrase(text)
}

/// Words and short numbers with signs between them, as people make up a value: `expired-token-456`.
fn is_phrase(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['-', '_', '.']).collect();
    let is_word = |part: &&str| part.len() >= 3 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_number = |part: &&str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.iter().all(|part| is_word(part) || is_number(part)) && parts.iter().filter(|part| is_word(part)).count() >= 2
}

fn kind(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    }
}

/// Letters of one case in a row.
fn longest_word(kinds: &[u8]) -> usize {
    let (mut longest, mut run) = (0, 0);
    for (at, kind) in kinds.iter().enumerate() {
        run = if at > 0 && kinds[at - 1] == *kind { run + 1 } else { 1 };
        if matches!(kind, 1 | 2) {
            longest = longest.max(run);
        }
    }
    longest
}
