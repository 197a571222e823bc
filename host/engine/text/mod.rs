//! Text of files, guards and pins: decoded, escaped, matched, searched.

pub mod decode;
pub mod escape;
pub mod similar;
pub mod word_search;
