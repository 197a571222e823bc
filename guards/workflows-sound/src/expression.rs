//! What the expressions of a workflow read: `${{ needs.build.outputs.tag }}`.

/// A chain of names, such as `needs`, `build`, `outputs`, `tag`.
pub type Chain<'t> = Vec<&'t str>;

const CONTEXTS: [&str; 6] = ["needs", "steps", "matrix", "inputs", "github", "jobs"];

/// Chains that the text reads within `${{ … }}`; of a condition, within the whole of it.
pub fn chains(text: &str, is_condition: bool) -> Vec<Chain<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("${{") {
        let inner = &rest[at + 3..];
        let end = inner.find("}}").unwrap_or(inner.len());
        read(&inner[..end], &mut found);
        rest = &inner[end..];
    }
    if is_condition && !text.contains("${{") {
        read(text, &mut found);
    }
    found
}

fn read<'t>(expression: &'t str, found: &mut Vec<Chain<'t>>) {
    let bytes = expression.as_bytes();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            // Text in quotes; two quotes stand for one, which closes and opens again.
            b'\'' => at += 2 + bytes[at + 1..].iter().take_while(|byte| **byte != b'\'').count(),
            byte if is_name(byte) => {
                let mut chain = Vec::new();
                loop {
                    let length = bytes[at..].iter().take_while(|byte| is_name(**byte)).count();
                    chain.push(&expression[at..at + length]);
                    at += length;
                    let goes_on = bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(|byte| is_name(*byte));
                    if !goes_on {
                        break;
                    }
                    at += 1;
                }
                // What the matrix or the caller may leave out has a value to fall back on: `matrix.old || false`.
                let falls_back =
                    matches!(chain[0], "matrix" | "inputs") && expression[at..].trim_start().starts_with("||");
                // `steps.*.outputs` and `needs['x']` say nothing of a single name.
                if CONTEXTS.contains(&chain[0]) && chain.len() > 1 && !falls_back {
                    found.push(chain);
                }
            }
            // What follows a bracket or a dot belongs to a chain that is not read.
            b'.' => at += 1 + bytes[at + 1..].iter().take_while(|byte| is_name(**byte)).count(),
            _ => at += 1,
        }
    }
}
