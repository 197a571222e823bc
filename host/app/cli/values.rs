//! Values of options that are checked as they are read.

/// 64 hexadecimal digits.
///
/// # Errors
/// A sentence for people.
pub fn parse_sha256(text: &str) -> Result<String, String> {
    let text = text.trim_start_matches("sha256:");
    let is_digest = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_digest { Ok(text.to_ascii_lowercase()) } else { Err("a SHA-256 has 64 hexadecimal digits".to_owned()) }
}

/// A reason that is to stand in a comment.
///
/// # Errors
/// A sentence for people.
pub fn parse_reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    let closes = ["*/", "-->", "#}", "%>"].iter().any(|end| text.contains(end));
    if text.contains(['\n', '\r']) || closes || !text.chars().any(char::is_alphanumeric) {
        return Err("a reason is words on one line, which end no comment".to_owned());
    }
    Ok(text.to_owned())
}
