//! What names say.

use std::collections::BTreeSet;

/// The words of a name, whether `snake_case`, `camelCase` or a sentence.
pub fn name_words(name: &str) -> BTreeSet<String> {
    let mut text = String::new();
    let mut small = false;
    for c in name.chars() {
        if small && c.is_uppercase() {
            text.push(' ');
        }
        small = c.is_lowercase();
        text.push(if c.is_alphanumeric() { c.to_ascii_lowercase() } else { ' ' });
    }
    text.split_whitespace()
        .filter(|word| word.len() > 1 && !matches!(*word, "test" | "tests" | "should" | "it"))
        .map(str::to_owned)
        .collect()
}
