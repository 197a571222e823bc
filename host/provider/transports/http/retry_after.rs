//! How long a server asks clients to wait.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822;

/// `Retry-After` in seconds or as a date (RFC 9110, 10.2.3); `retry-after-ms`, which OpenAI sends beside it, is finer.
pub(super) fn retry_after(header: &dyn Fn(&str) -> Option<String>) -> Option<Duration> {
    if let Some(millis) = header("retry-after-ms").and_then(|text| text.trim().parse().ok()) {
        return Some(Duration::from_millis(millis));
    }
    let text = header("retry-after")?;
    // Some gateways send fractions.
    if let Ok(seconds) = text.trim().parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    until(text.trim(), Timestamp::now())
}

/// Zero when the date has passed.
fn until(date: &str, now: Timestamp) -> Option<Duration> {
    let date = rfc2822::DateTimeParser::new().parse_timestamp(date).ok()?;
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_fractions_and_dates() {
        let after = |text: &str| retry_after(&|name| (name == "retry-after").then(|| text.to_owned()));
        assert_eq!(after("7"), Some(Duration::from_secs(7)));
        assert_eq!(after("0.5"), Some(Duration::from_millis(500)));
        assert_eq!(after("-1"), None);
        assert_eq!(after("soon"), None);
        let now = "1994-11-06T08:49:00Z".parse().unwrap();
        assert_eq!(until("Sun, 06 Nov 1994 08:49:37 GMT", now), Some(Duration::from_secs(37)));
        assert_eq!(until("Sun, 06 Nov 1994 08:48:37 GMT", now), Some(Duration::ZERO));
    }
}
