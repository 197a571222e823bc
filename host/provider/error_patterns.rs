//! The class of a failure, from its message and its status.
//!
//! Used only for output whose structure shows a failure: a phrase selects the class, it never makes a failure of a success.
//! The phrases are those that the command-line agents and the HTTP services behind them print.

use std::time::Duration;

use super::{FailureClass, ProviderFailure};

/// In lower case. The first one found decides, so specific phrases come before general ones.
const PHRASES: &[(&str, FailureClass)] = &[
    ("hit your limit", FailureClass::QuotaExhausted),
    ("hit your usage limit", FailureClass::QuotaExhausted),
    ("usage limit reached", FailureClass::QuotaExhausted),
    ("credit balance is too low", FailureClass::QuotaExhausted),
    ("out of credits", FailureClass::QuotaExhausted),
    ("check your plan and billing", FailureClass::QuotaExhausted),
    ("insufficient_quota", FailureClass::QuotaExhausted),
    ("enforced_spend_limit", FailureClass::QuotaExhausted),
    ("terminalquotaerror", FailureClass::QuotaExhausted),
    ("daily quota", FailureClass::QuotaExhausted),
    ("upgrade to plus", FailureClass::QuotaExhausted),
    ("prompt is too long", FailureClass::ContextTooLong),
    ("context window", FailureClass::ContextTooLong),
    ("context_length_exceeded", FailureClass::ContextTooLong),
    ("context length", FailureClass::ContextTooLong),
    ("context size", FailureClass::ContextTooLong),
    ("input token count", FailureClass::ContextTooLong),
    ("output token maximum", FailureClass::TruncatedOutput),
    ("max_output_tokens", FailureClass::TruncatedOutput),
    ("usage policy", FailureClass::Refused),
    ("safety system", FailureClass::Refused),
    ("content_filter", FailureClass::Refused),
    ("invalid api key", FailureClass::Auth),
    ("invalid_api_key", FailureClass::Auth),
    ("incorrect api key", FailureClass::Auth),
    ("api key not valid", FailureClass::Auth),
    ("authentication_error", FailureClass::Auth),
    ("failed to authenticate", FailureClass::Auth),
    ("please run /login", FailureClass::Auth),
    ("not logged in", FailureClass::Auth),
    ("unauthorized", FailureClass::Auth),
    // LiteLLM looks every key but its own up in a database. Without one this is its answer to a wrong key.
    ("no_db_connection", FailureClass::Auth),
    ("no connected db", FailureClass::Auth),
    ("set an auth method", FailureClass::Auth),
    ("overloaded", FailureClass::Overloaded),
    ("at capacity", FailureClass::Overloaded),
    ("no capacity available", FailureClass::Overloaded),
    ("high demand", FailureClass::Overloaded),
    ("server busy", FailureClass::Overloaded),
    ("rate limit", FailureClass::RateLimited),
    ("rate_limit", FailureClass::RateLimited),
    ("too many requests", FailureClass::RateLimited),
    ("resource_exhausted", FailureClass::RateLimited),
    ("exhausted your capacity", FailureClass::RateLimited),
    ("service unavailable", FailureClass::Overloaded),
    ("internal server error", FailureClass::Overloaded),
    ("unexpected status 5", FailureClass::Overloaded),
    // Before "stream disconnected": Codex says so of a connection that was never made, too.
    ("connection refused", FailureClass::Unreachable),
    ("error sending request", FailureClass::Unreachable),
    ("econnrefused", FailureClass::Unreachable),
    ("stream disconnected", FailureClass::Overloaded),
    ("connection error", FailureClass::Overloaded),
    ("econnreset", FailureClass::Overloaded),
    ("fetch failed", FailureClass::Overloaded),
    ("no models loaded", FailureClass::Config),
    ("unexpected endpoint", FailureClass::Config),
    ("model_not_found", FailureClass::Config),
    ("model not found", FailureClass::Config),
    ("issue with the selected model", FailureClass::Config),
    ("unknown option", FailureClass::Config),
    ("unknown argument", FailureClass::Config),
    ("unexpected argument", FailureClass::Config),
    ("trusted directory", FailureClass::Config),
];

fn by_text(text: &str) -> Option<FailureClass> {
    let text = text.to_lowercase();
    let by_phrase = PHRASES.iter().find(|(phrase, _)| text.contains(phrase)).map(|(_, class)| *class);
    by_phrase.or_else(|| names_no_model(&text).then_some(FailureClass::Config))
}

/// OpenAI's sentence, and that of the servers that imitate it: "the model `…` does not exist". In lower case.
fn names_no_model(text: &str) -> bool {
    let name = text.split_once("the model ").and_then(|(_, rest)| rest.split_once(" does not exist"));
    name.is_some_and(|(name, _)| !name.contains(' '))
}

/// The class of an HTTP status. 529 is Anthropic's "overloaded". 400 alone says nothing.
pub(super) fn by_status(status: u64) -> Option<FailureClass> {
    Some(match status {
        401 | 403 => FailureClass::Auth,
        402 => FailureClass::QuotaExhausted,
        404 => FailureClass::Config,
        408 | 500..=599 => FailureClass::Overloaded,
        413 => FailureClass::ContextTooLong,
        429 => FailureClass::RateLimited,
        _ => return None,
    })
}

/// The failure with this message. `structure` is the class that the structure of the output shows, if any. A plain rate limit may in
/// fact be a used-up plan, which only the message says. `default` is the class when neither says anything.
pub(super) fn classify(structure: Option<FailureClass>, text: &str, default: FailureClass) -> ProviderFailure {
    let class = match (structure, by_text(text)) {
        (None | Some(FailureClass::RateLimited), Some(by_text)) => by_text,
        (Some(class), _) => class,
        (None, None) => default,
    };
    ProviderFailure { retry_after: retry_delay(text), ..ProviderFailure::new(class, text) }
}

/// The first time span after "after", "in" or "retry-after": `after 35s`, `in 1h2m3s`, `in 5 seconds`, `after 1500 ms`.
fn retry_delay(text: &str) -> Option<Duration> {
    let mut words = text.split([' ', ':', '\n']).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if !["after", "in", "retry-after"].contains(&word.to_lowercase().as_str()) {
            continue;
        }
        let mut ahead = words.clone();
        let number = ahead.next()?;
        // The unit may be the next word.
        if let Some(delay) = duration(number, ahead.next().unwrap_or_default()) {
            return Some(delay);
        }
    }
    None
}

fn duration(number: &str, next: &str) -> Option<Duration> {
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
    fn durations_are_read_and_nothing_else_is() {
        for (text, seconds) in [
            ("Your quota will reset after 35s.", Some(35)),
            ("reset after 1h2m3s", Some(3723)),
            ("Retrying in 5 seconds… (attempt 2/10)", Some(5)),
            ("Retrying after 2000 ms...", Some(2)),
            ("an error in the middle", None),
            ("hit in 2026 and after 99999999999999999999h", None),
            ("after", None),
        ] {
            assert_eq!(retry_delay(text), seconds.map(Duration::from_secs), "{text}");
        }
    }

    #[test]
    fn a_model_that_does_not_exist_is_a_setting() {
        for (text, expected) in [
            ("The model `gpt-mock` does not exist or you do not have access to it.", FailureClass::Config),
            ("The model gpt-mock does not exist", FailureClass::Config),
            ("The model said that the file does not exist", FailureClass::Crashed),
            ("the model ", FailureClass::Crashed),
            ("`x` does not exist; the model y", FailureClass::Crashed),
        ] {
            assert_eq!(classify(None, text, FailureClass::Crashed).class, expected, "{text}");
        }
    }

    #[test]
    fn the_text_refines_a_rate_limit_and_nothing_else() {
        assert_eq!(
            classify(Some(FailureClass::RateLimited), "You've hit your limit", FailureClass::Crashed).class,
            FailureClass::QuotaExhausted
        );
        assert_eq!(classify(Some(FailureClass::Auth), "Overloaded", FailureClass::Crashed).class, FailureClass::Auth);
        assert_eq!(classify(None, "no idea", FailureClass::Crashed).class, FailureClass::Crashed);
        assert_eq!(classify(None, "HTTP 400: No connected db.", FailureClass::Config).class, FailureClass::Auth);
    }
}
