pub fn of(text: &str) -> u64 {
    text.len() as u64
}

pub fn lines(text: &str) -> u64 {
    text.lines().count() as u64
}
