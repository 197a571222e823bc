//! Times, sizes and counts with their units.

use guardhost_report::escape;

/// Wall time from microseconds: `812 µs`, `8.1 ms`, `1.2 s`, `2 min 5 s`.
pub fn time(micros: u64, unicode: bool) -> String {
    match micros {
        0..1_000 if unicode => format!("{micros} µs"),
        0..1_000 => format!("{micros} us"),
        1_000..100_000 => format!("{:.1} ms", micros as f64 / 1e3),
        100_000..1_000_000 => format!("{} ms", micros / 1_000),
        1_000_000..60_000_000 => format!("{:.1} s", micros as f64 / 1e6),
        _ => format!("{} min {} s", micros / 60_000_000, micros / 1_000_000 % 60),
    }
}

/// `812 B`, `64.0 KiB`, `1.2 MiB`.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1_024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// `1 error`, `2 errors`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// `2_000_000_000`, as guards.toml may have it too.
pub fn number(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or_default()).collect();
    groups.join("_")
}

/// A time of a record, in UTC, without fractions of a second: `2026-11-23 08:15:00Z`.
pub fn when(created_at: &str) -> String {
    let text = escape::inline(created_at, 40);
    match (text.get(..10), text.get(11..19)) {
        (Some(day), Some(time)) => format!("{day} {time}Z"),
        _ => text,
    }
}
