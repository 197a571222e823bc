//! Refuse what no guard set may allow.
