pub fn lines(text: &str) -> u64 {
    text.lines().count() as u64
}
