//! Sentences that belong in a model's reply and not in a file.

/// Openings and endings of a reply, in lower case.
const CHAT: [&str; 16] = [
    "sure, here",
    "sure! here",
    "certainly! here",
    "certainly, here",
    "of course! here",
    "here is the updated",
    "here's the updated",
    "here is the corrected",
    "here's the corrected",
    "here is the complete",
    "here's the complete",
    "as an ai language model",
    "i hope this helps",
    "let me know if you",
    "i have made the following changes",
    "i've made the following changes",
];

/// What stands for lines left out, in lower case, without the marks around it.
const PLACEHOLDERS: [&str; 18] = [
    "rest of the code",
    "rest of the file",
    "rest of file",
    "rest of code",
    "rest of the function",
    "rest of the implementation",
    "rest of your code",
    "remaining code",
    "existing code",
    "other code",
    "previous code",
    "your code here",
    "your code goes here",
    "add your code here",
    "add your logic here",
    "implementation here",
    "implementation goes here",
    "same as before",
];

/// Words that may follow a placeholder.
const UNCHANGED: [&str; 12] = [
    "",
    "unchanged",
    "remains unchanged",
    "remains the same",
    "stays the same",
    "is unchanged",
    "here",
    "omitted",
    "goes here",
    "continues",
    "continues here",
    "omitted for brevity",
];

/// The line begins as a reply begins or ends.
pub fn is_chat(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| !c.is_alphabetic());
    let begins = |opening: &str| line.get(..opening.len()).is_some_and(|start| start.eq_ignore_ascii_case(opening));
    CHAT.iter().any(|opening| begins(opening))
}

/// The line is a comment, or in brackets or dots, and says no more than that something is left out.
pub fn is_placeholder(line: &str) -> bool {
    let text = line.trim();
    let marked =
        ["#", "//", "/*", "<!--", "--", "...", "…", "[", "(", "*", ";", "%"].iter().any(|mark| text.starts_with(mark));
    if !marked {
        return false;
    }
    let words = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let words = words.trim_start_matches("todo").trim_start_matches([':', ' ']).trim_start_matches("the ");
    let said = PLACEHOLDERS.iter().find_map(|phrase| words.strip_prefix(phrase));
    said.is_some_and(|rest| UNCHANGED.contains(&rest.trim_matches(|c: char| !c.is_alphanumeric())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies() {
        assert!(
            is_chat("Sure, here's how") && is_chat("> I hope this helps!") && is_chat("# Here is the updated file:")
        );
        assert!(!is_chat("Here is the list of options.") && !is_chat("The user may let me know if you agree"));
    }

    #[test]
    fn placeholders() {
        for line in [
            "# ... rest of the code unchanged ...",
            "// ... existing code ...",
            "<!-- the rest of the file remains unchanged -->",
            "    # TODO: your code here",
            "/* rest of the implementation omitted for brevity */",
            "... (rest of file) ...",
        ] {
            assert!(is_placeholder(line), "{line}");
        }
        for line in [
            "the rest of the code",
            "# the rest of the code is in b.py",
            "x = existing_code()",
            "// existing code paths call this",
        ] {
            assert!(!is_placeholder(line), "{line}");
        }
    }
}
