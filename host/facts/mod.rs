//! What the manifests of a tree declare.
