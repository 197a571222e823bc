//! Terminal, trace, records, reports: the only rooms that show anything.
