//! The name that was probably meant.

/// The most similar known name, for "did you mean".
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let close = known.iter().map(|known| (strsim::jaro_winkler(name, known), *known));
    close.filter(|(score, _)| *score > 0.85).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known)
}

/// The beginning of a hint that goes on with all known names; empty when none is similar.
pub fn did_you_mean(name: &str, known: &[&str]) -> String {
    nearest(name, known).map_or_else(String::new, |near| format!("did you mean `{near}`? "))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_finds_its_name_and_another_word_does_not() {
        let known = ["docs-kept", "links-resolve"];
        assert_eq!(nearest("doc-kept", &known), Some("docs-kept"));
        assert_eq!(nearest("budget", &known), None);
    }
}
