//! Guests that mean harm.
