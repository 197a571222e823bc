//! Tokens that a server leaves in the text: those that end a message in the chat templates of models.

/// As the templates of the common open models have them. `</s>` is a tag of HTML too, so it is none of these.
pub const END_TOKENS: [&str; 11] = [
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|end_of_text|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
    "<|END_OF_TURN_TOKEN|>",
];

/// The token before the name of a file, which only [`END_OF_FILE`] or another one ends.
pub(crate) const FILENAME: &[u8] = b"<filename>";
pub(crate) const END_OF_FILE: &[u8] = b"<|endoftext|>";
