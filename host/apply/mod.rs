//! Place a patch on git objects in memory: exactly or at the only place, never by a guess.
