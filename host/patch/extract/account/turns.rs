//! Marks of a conversation: a line at which somebody else begins to speak. A model that goes on behind its answer makes up what it is
//! asked next, and the edits that answer it.

use bstr::ByteSlice;

/// Who speaks, as templates and transcripts say it.
const ROLES: [&str; 14] = [
    "user",
    "human",
    "assistant",
    "system",
    "instruction",
    "instructions",
    "response",
    "inst",
    "customer",
    "model",
    "bot",
    "start_of_turn",
    "im_start",
    "start_header_id",
];

/// Those of them who ask, and answer to what they get.
const USERS: [&str; 5] = ["user", "human", "customer", "inst", "instruction"];

/// Whether the line begins another turn: a role between the marks of a template, as a heading, or before a colon.
pub(super) fn begins_turn(line: &[u8]) -> bool {
    turn(line).is_some()
}

/// Whether the line begins a turn of whoever asks.
pub(super) fn begins_turn_of_user(line: &[u8]) -> bool {
    turn(line).is_some_and(|role| USERS.contains(&role))
}

/// The role whose turn begins in the line.
fn turn(line: &[u8]) -> Option<&'static str> {
    let text = line.to_str_lossy().to_lowercase();
    let text = text.trim();
    let bare = text.trim_start_matches(['#', '<', '|', '[', '/', '*', '_', ' ']);
    let end = bare.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(bare.len());
    let (role, rest) = bare.split_at(end);
    let is_token = text.starts_with("<|")
        || text.starts_with("[inst")
        || text.starts_with("[/inst")
        || text.starts_with("<start_of_turn");
    let is_labelled = rest.trim_start_matches('*').starts_with(':');
    let is_heading = text.starts_with('#') && rest.trim_matches(['*', ' ']).is_empty();
    ROLES.into_iter().find(|known| *known == role && (is_token || is_labelled || is_heading))
}

#[cfg(test)]
mod tests {
    use super::begins_turn;

    #[test]
    fn turns_and_prose() {
        for line in [
            "<|user|> And b.py?",
            "### Instruction: and now b.py",
            "**User:** thanks",
            "[INST] next [/INST]",
            "## Response",
        ] {
            assert!(begins_turn(line.as_bytes()), "{line}");
        }
        for line in
            ["User names are unique now.", "### Response headers", "The model: a tree.", "<user> is an element."]
        {
            assert!(!begins_turn(line.as_bytes()), "{line}");
        }
    }
}
