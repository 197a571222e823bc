//! Times as the storage keeps them.

use jiff::Timestamp;

/// Microseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Micros(pub i64);

impl Micros {
    /// Of this machine's clock.
    pub fn from_machine() -> Self {
        Micros(Timestamp::now().as_microsecond())
    }

    /// RFC 3339 in UTC, with microseconds.
    pub fn text(self) -> String {
        format!("{:.6}", Timestamp::from_microsecond(self.0).unwrap_or_default())
    }

    pub fn plus_seconds(self, seconds: u64) -> Self {
        let micros = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1_000_000);
        Micros(self.0.saturating_add(micros))
    }

    pub fn minus_days(self, days: u32) -> Self {
        Micros(self.0.saturating_sub(i64::from(days) * 86_400_000_000))
    }

    /// `24h`, `7d`, `30m`, `90s` before `now`, or a time in RFC 3339.
    pub fn since(text: &str, now: Micros) -> Option<Micros> {
        if let Ok(time) = text.parse::<Timestamp>() {
            return Some(Micros(time.as_microsecond()));
        }
        let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let seconds: i64 = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 3_600,
            "d" => 86_400,
            "w" => 604_800,
            _ => return None,
        };
        let number: u32 = number.parse().ok()?;
        Some(Micros(now.0 - i64::from(number) * seconds * 1_000_000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_and_times_are_read() {
        let now = Micros(1_000_000_000_000_000);
        assert_eq!(Micros::since("24h", now), Some(Micros(now.0 - 86_400_000_000)));
        assert_eq!(Micros::since("7d", now), Micros::since("1w", now));
        assert_eq!(Micros::since("1970-01-01T00:00:01Z", now), Some(Micros(1_000_000)));
        for wrong in ["", "h", "x4h", "-1h", "24", "24y", "é"] {
            assert_eq!(Micros::since(wrong, now), None, "{wrong}");
        }
        assert_eq!(Micros(1_000_000).text(), "1970-01-01T00:00:01.000000Z");
    }
}
