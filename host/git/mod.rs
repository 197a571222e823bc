//! The repository beneath: objects, trees, index, refs.
