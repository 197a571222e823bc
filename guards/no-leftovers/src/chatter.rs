//! Sentences of an assistant, left in a file.

use guard_sdk::Finding;

use crate::added::Added;
use crate::place::{self, Kind, Language};

/// Beginnings of sentences that no language takes for code. In lower case.
#[rustfmt::skip]
const OPENERS: [&str; 61] = [
    "here's ", "here is ", "here are ", "sure! ", "sure, ", "certainly! ", "certainly, ", "of course! ", "of course, ", "absolutely! ",
    "great question", "i've ", "i have ", "i'll ", "i will ", "i am ", "i'm ", "i also ", "i added ", "i updated ", "i changed ",
    "i made ", "i fixed ", "let me know ", "let me ", "below is ", "above is ", "the following ", "this patch ", "this change ",
    "these changes ", "the changes ", "this updated ", "the updated ", "this implementation ", "this ensures ", "this will ",
    "this code ", "this version ", "this file ", "please let me ", "please note ", "feel free to ", "hope this ",
    "i hope ", "as requested", "as you can see", "as an ai ", "to fix this", "the rest of the ", "okay, ", "got it", "understood",
    "thank you ", "apologies ", "sorry ", "you can now ", "and here's ", "now the ", "you should now ", "we also ",
];
/// What a comment at either end of a file would say only to the person who asked for it.
#[rustfmt::skip]
const TO_A_READER: [&str; 16] = [
    "here's the updated", "here is the updated", "here's the complete", "here is the complete", "here's the modified",
    "here is the modified", "here's the fixed", "here is the fixed", "here's the corrected", "here is the corrected",
    "here's the full", "here is the full", "i've updated the", "i've made the following", "i have made the following",
    "let me know if you",
];

pub fn judge(added: &Added) -> Vec<Finding> {
    if place::is_about_models(added.path()) {
        return Vec::new();
    }
    let is_said = |line: &&str| !line.trim().is_empty();
    let (Some(first), Some(last)) = (added.lines.iter().position(is_said), added.lines.iter().rposition(is_said))
    else {
        return Vec::new();
    };
    let is_chatter = |(at, line): &(usize, &str)| match added.kind {
        Kind::Open => false,
        Kind::Document => in_document(line, *at == first, *at == last),
        Kind::Code(language) => {
            let is_prose = match comment(line, language) {
                Some(text) => (*at <= first + 1 || *at + 1 >= last) && begins(text, &TO_A_READER),
                None => is_sentence(line, language),
            };
            is_prose && added.is_in_code(*at)
        }
    };
    let certain = added.new_lines().filter(is_chatter);
    let finding = |(at, line): (usize, &str)| {
        let said: String = line.trim().chars().take(60).collect();
        Finding::error(
            "chatter-left",
            format!("\"{said}\" speaks to whoever asked for the change; it is no line of the file"),
        )
        .at(added.path(), at as u32 + 1)
        .help("Remove the sentence. What you want to say about the change belongs into your reply, not into the file.")
    };
    certain.map(finding).collect()
}

/// Without the marks of a comment, if the line is one.
fn comment(line: &str, language: Language) -> Option<&str> {
    let line = line.trim();
    let has_hashes = place::is_script(language)
        || place::has_entries(language)
        || matches!(language, Language::Python | Language::Yaml | Language::Toml);
    let marks: &[&str] = if has_hashes { &["#", "//", ";"] } else { &["//", "/*", "*"] };
    let mark = marks.iter().find(|mark| line.starts_with(**mark))?;
    Some(line[mark.len()..].trim_start_matches(['/', '*', '#', '!', ' ']))
}

/// A sentence where code is expected: it begins as people talk, and goes on with words.
fn is_sentence(line: &str, language: Language) -> bool {
    if line.starts_with([' ', '\t']) || !line.starts_with(|c: char| c.is_ascii_alphabetic()) || !begins(line, &OPENERS)
    {
        return false;
    }
    let is_word = |word: &str| word.chars().all(|c| c.is_alphabetic() || "'’!,`-".contains(c));
    let mut words = line.split(' ');
    let is_prose = words.by_ref().take(3).filter(|word| is_word(word)).count() == 3;
    let ends = line.trim_end();
    // `here's x: y` might be a key of YAML or of an ini file.
    let is_entry = (place::has_entries(language) || matches!(language, Language::Yaml | Language::Toml))
        && (line.contains(": ") || line.contains('=') || (ends.ends_with(':') && !line.contains('\'')));
    is_prose && !is_entry && !ends.ends_with([';', '{', '('])
}

fn in_document(line: &str, is_first: bool, is_last: bool) -> bool {
    let end = line.trim_end();
    let offers = [
        "would like me to",
        "'d like me to",
        "want me to",
        "any further changes",
        "any other changes",
        "any further adjustments",
    ];
    let lower = plain(line);
    (is_first
        && end.ends_with(':')
        && (begins(line, &TO_A_READER[..12]) || begins(line, &["sure! here", "certainly! here", "sure, here"])))
        || (is_last && lower.starts_with("let me know if you") && offers.iter().any(|offer| lower.contains(offer)))
        || (is_last
            && begins(line, &["this should fix ", "this should resolve "])
            && lower.contains("let me know if you"))
}

fn begins(line: &str, openers: &[&str]) -> bool {
    // The first letters decide before anything is copied.
    let lower = plain(line);
    openers.iter().any(|opener| lower.starts_with(opener))
}

/// The beginning in lower case, with plain apostrophes.
fn plain(line: &str) -> String {
    line.chars().take(160).map(|c| if c == '’' { '\'' } else { c.to_ascii_lowercase() }).collect()
}
