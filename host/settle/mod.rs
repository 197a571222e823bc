//! Commit by compare-and-swap, or say why not.
