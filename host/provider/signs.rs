//! What the words and numbers of a failure mean.
//!
//! Asked only about what is known to be a failure from its structure: a phrase picks the class, it never makes a failure.
//! The phrases are those that the command-line agents and the HTTP services behind them print.

use std::time::Duration;

use super::{Class, Failure};

/// Lower case; the first that occurs decides, so what is special stands before what is general.
const PHRASES: &[(&str, Class)] = &[
    ("hit your limit", Class::QuotaExhausted),
    ("hit your usage limit", Class::QuotaExhausted),
    ("usage limit reached", Class::QuotaExhausted),
    ("credit balance is too low", Class::QuotaExhausted),
    ("out of credits", Class::QuotaExhausted),
    ("check your plan and billing", Class::QuotaExhausted),
    ("insufficient_quota", Class::QuotaExhausted),
    ("enforced_spend_limit", Class::QuotaExhausted),
    ("terminalquotaerror", Class::QuotaExhausted),
    ("daily quota", Class::QuotaExhausted),
    ("upgrade to plus", Class::QuotaExhausted),
    ("prompt is too long", Class::ContextTooLong),
    ("context window", Class::ContextTooLong),
    ("context_length_exceeded", Class::ContextTooLong),
    ("context length", Class::ContextTooLong),
    ("context size", Class::ContextTooLong),
    ("input token count", Class::ContextTooLong),
    ("output token maximum", Class::TruncatedOutput),
    ("max_output_tokens", Class::TruncatedOutput),
    ("usage policy", Class::Refused),
    ("content_filter", Class::Refused),
    ("invalid api key", Class::Auth),
    ("invalid_api_key", Class::Auth),
    ("incorrect api key", Class::Auth),
    ("api key not valid", Class::Auth),
    ("authentication_error", Class::Auth),
    ("failed to authenticate", Class::Auth),
    ("please run /login", Class::Auth),
    ("not logged in", Class::Auth),
    ("unauthorized", Class::Auth),
    ("set an auth method", Class::Auth),
    ("overloaded", Class::Overloaded),
    ("at capacity", Class::Overloaded),
    ("no capacity available", Class::Overloaded),
    ("high demand", Class::Overloaded),
    ("server busy", Class::Overloaded),
    ("rate limit", Class::RateLimited),
    ("rate_limit", Class::RateLimited),
    ("too many requests", Class::RateLimited),
    ("resource_exhausted", Class::RateLimited),
    ("exhausted your capacity", Class::RateLimited),
    ("service unavailable", Class::Overloaded),
    ("internal server error", Class::Overloaded),
    ("unexpected status 5", Class::Overloaded),
    ("stream disconnected", Class::Overloaded),
    ("connection error", Class::Overloaded),
    ("econnreset", Class::Overloaded),
    ("econnrefused", Class::Overloaded),
    ("fetch failed", Class::Overloaded),
    ("no models loaded", Class::Config),
    ("unexpected endpoint", Class::Config),
    ("model_not_found", Class::Config),
    ("model not found", Class::Config),
    ("issue with the selected model", Class::Config),
    ("unknown option", Class::Config),
    ("unknown argument", Class::Config),
    ("unexpected argument", Class::Config),
    ("trusted directory", Class::Config),
];

pub(super) fn by_text(text: &str) -> Option<Class> {
    let text = text.to_lowercase();
    PHRASES.iter().find(|(phrase, _)| text.contains(phrase)).map(|(_, class)| *class)
}

/// The class of an HTTP status. 529 is Anthropic's "overloaded". 400 alone says nothing.
pub(super) fn by_status(status: u64) -> Option<Class> {
    Some(match status {
        401 | 403 => Class::Auth,
        402 => Class::QuotaExhausted,
        404 => Class::Config,
        408 | 500..=599 => Class::Overloaded,
        413 => Class::ContextTooLong,
        429 => Class::RateLimited,
        _ => return None,
    })
}

/// A failure out of what its structure says (if anything) and what its text says. A bare rate limit may turn out to
/// be a used-up plan, which only the text tells.
pub(super) fn failure(structure: Option<Class>, text: &str, otherwise: Class) -> Failure {
    let class = match (structure, by_text(text)) {
        (None | Some(Class::RateLimited), Some(words)) => words,
        (Some(class), _) => class,
        (None, None) => otherwise,
    };
    Failure { retry_after: wait(text), ..Failure::new(class, text) }
}

/// The first time span after "after", "in" or "retry-after": `after 35s`, `in 1h2m3s`, `in 5 seconds`, `after 1500 ms`.
fn wait(text: &str) -> Option<Duration> {
    let mut words = text.split([' ', ':', '\n']).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if !["after", "in", "retry-after"].contains(&word.to_lowercase().as_str()) {
            continue;
        }
        let mut ahead = words.clone();
        let number = ahead.next()?;
        // The unit may be a word of its own.
        if let Some(span) = span(number, ahead.next().unwrap_or_default()) {
            return Some(span);
        }
    }
    None
}

fn span(number: &str, next: &str) -> Option<Duration> {
    let number = number.trim_end_matches(['.', ',', ')', '…']);
    if number.bytes().all(|byte| byte.is_ascii_digit()) {
        let unit = next.trim_end_matches(['.', ',', ')', '…']);
        return Some(Duration::from_millis(number.parse::<u64>().ok()?.checked_mul(millis(unit)?)?));
    }
    let mut total = 0u64;
    let mut rest = number;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let (value, tail) = rest.split_at(digits);
        let letters = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(letters);
        total = total.checked_add(value.parse::<u64>().ok()?.checked_mul(millis(unit)?)?)?;
        rest = tail;
    }
    Some(Duration::from_millis(total))
}

fn millis(unit: &str) -> Option<u64> {
    Some(match unit {
        "ms" | "milliseconds" => 1,
        "s" | "sec" | "second" | "seconds" => 1_000,
        "m" | "min" | "minute" | "minutes" => 60_000,
        "h" | "hour" | "hours" => 3_600_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_and_nothing_else_is() {
        for (text, seconds) in [
            ("Your quota will reset after 35s.", Some(35)),
            ("reset after 1h2m3s", Some(3723)),
            ("Retrying in 5 seconds… (attempt 2/10)", Some(5)),
            ("Retrying after 2000 ms...", Some(2)),
            ("an error in the middle", None),
            ("hit in 2026 and after 99999999999999999999h", None),
            ("after", None),
        ] {
            assert_eq!(wait(text), seconds.map(Duration::from_secs), "{text}");
        }
    }

    #[test]
    fn the_text_refines_a_rate_limit_and_nothing_else() {
        assert_eq!(
            failure(Some(Class::RateLimited), "You've hit your limit", Class::Crashed).class,
            Class::QuotaExhausted
        );
        assert_eq!(failure(Some(Class::Auth), "Overloaded", Class::Crashed).class, Class::Auth);
        assert_eq!(failure(None, "no idea", Class::Crashed).class, Class::Crashed);
    }
}
