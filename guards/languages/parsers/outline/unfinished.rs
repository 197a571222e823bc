//! Words by which code says that it is still to be written.

pub fn says_so(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["not implemented", "not yet implemented", "unimplemented", "implement me", "todo"]
        .iter()
        .any(|words| text.contains(words))
}
