//! Run every guard in a fresh sandbox and gather what they say.
