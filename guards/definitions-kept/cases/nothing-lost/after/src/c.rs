pub fn of(text: &str) -> usize {
    text.len() as usize
}

pub fn lines(text: &str) -> usize {
    text.lines().count() as usize
}
