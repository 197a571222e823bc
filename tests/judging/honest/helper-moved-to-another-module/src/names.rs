/// A name without what a typist adds to it.
pub fn clean(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ")
}
