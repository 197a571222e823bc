pub fn of(text: &str) -> u64 {
    text.chars().count() as u64
}

// ... rest of the code remains the same
