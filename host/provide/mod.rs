//! Ask a command-line agent, an HTTP model or a recording.
