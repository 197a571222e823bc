//! What a process gets from whoever started it. A handle is only inherited where both sides say so, and there are no signals.

use std::io::{self, Write};

/// Does nothing.
pub fn settle_inherited() -> io::Result<()> {
    Ok(())
}

/// Does nothing.
pub fn forget_parent() {}

/// Does nothing.
pub fn close_inherited(_: Option<i32>) {}

/// Every output waits by itself.
pub fn write_all(mut output: impl Write, bytes: &[u8]) -> io::Result<()> {
    output.write_all(bytes)?;
    output.flush()
}
