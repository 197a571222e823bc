pub fn of(text: &str) -> u64 {
    text.len() as u64
}
