//! The tokens that end a message in the chat templates of models.

/// As the templates of the common open models have them. `</s>` is a tag of HTML too, so it is none of these.
pub const END_TOKENS: [&str; 10] = [
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|end_of_text|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
    "<|END_OF_TURN_TOKEN|>",
];
