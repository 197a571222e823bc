//! What follows one exchange: the answer, another attempt after a pause, or an error. Pure: it reads no clock and waits for nothing.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822;

use super::{HttpAnswer, HttpCall, Repeat};
use crate::error::{ForgeError, ForgeFailure};

/// Attempts at a request that fails for reasons of the network or the server.
const ATTEMPTS: u32 = 4;
/// Pauses for a limit, over the whole request.
const LIMITED: u32 = 5;
/// The longest pause that a limit is worth: a command that waits an hour looks dead.
const LONGEST: Duration = Duration::from_secs(5 * 60);
/// Where the forge names no time: what GitHub asks for after a secondary limit.
const UNNAMED: Duration = Duration::from_secs(60);

/// What became of one exchange.
#[derive(Debug)]
pub(super) enum ExchangeOutcome {
    Answer(HttpAnswer),
    /// There was no connection.
    NotSent(String),
    /// There was a connection and no whole answer.
    Lost(String),
}

#[derive(Debug)]
pub(super) enum NextRequest {
    Done(HttpAnswer),
    Wait(Duration, String),
    Fail(ForgeError),
}

/// What was tried so far.
#[derive(Debug, Default)]
pub(super) struct ExchangeAttempts {
    failed: u32,
    limited: u32,
}

pub(super) fn next(
    call: &HttpCall,
    outcome: ExchangeOutcome,
    attempt: &mut ExchangeAttempts,
    now: Timestamp,
) -> NextRequest {
    let name = call.name();
    match outcome {
        ExchangeOutcome::Answer(answer) => match answer.status {
            200..=299 | 302 | 304 => NextRequest::Done(answer),
            429 | 403 if is_limit(&answer) => limited(&name, &answer, attempt, now),
            500.. => {
                let what = format!("{name}: the forge failed with status {}: {}", answer.status, answer.error_text());
                // The work may be done although the answer is an error: a gateway gives up before the server behind it.
                again(call, what, ForgeFailure::Server, ForgeFailure::Lost, attempt)
            }
            status => NextRequest::Fail(ForgeError::new(
                class(status),
                format!("{name}: status {status}: {}", answer.error_text()),
            )),
        },
        ExchangeOutcome::NotSent(why) => {
            let what = format!("{name}: no connection to the forge: {why}");
            again(call, what, ForgeFailure::Unreachable, ForgeFailure::Unreachable, attempt)
        }
        ExchangeOutcome::Lost(why) => {
            let what = format!("{name}: the answer of the forge was lost: {why}");
            again(call, what, ForgeFailure::Server, ForgeFailure::Lost, attempt)
        }
    }
}

/// Another attempt, if one more does no harm. `once` is the class of a failure of what must not be sent twice.
fn again(
    call: &HttpCall,
    what: String,
    class: ForgeFailure,
    once: ForgeFailure,
    attempt: &mut ExchangeAttempts,
) -> NextRequest {
    if call.repeat == Repeat::Never && once == ForgeFailure::Lost {
        return NextRequest::Fail(ForgeError::new(once, what));
    }
    attempt.failed += 1;
    if attempt.failed >= ATTEMPTS {
        return NextRequest::Fail(ForgeError::new(class, what));
    }
    NextRequest::Wait(Duration::from_secs(1 << (attempt.failed - 1)), what)
}

/// A primary limit names what is left; a secondary one says so in words, or how long to wait.
fn is_limit(answer: &HttpAnswer) -> bool {
    let said = answer.error_text().to_ascii_lowercase();
    answer.status == 429
        || answer.retry_after.is_some()
        || answer.remaining == Some(0)
        || said.contains("rate limit")
        || said.contains("abuse")
}

fn limited(name: &str, answer: &HttpAnswer, attempt: &mut ExchangeAttempts, now: Timestamp) -> NextRequest {
    let reset =
        || answer.reset.filter(|_| answer.remaining == Some(0)).and_then(|reset| Timestamp::from_second(reset).ok());
    let named = answer.retry_after.as_deref().and_then(|text| retry_after(text, now)).or_else(|| until(reset()?, now));
    let pause = named.unwrap_or(UNNAMED).max(Duration::from_secs(1));
    attempt.limited += 1;
    let what = format!("{name}: the forge limits requests: {}", answer.error_text());
    if pause > LONGEST || attempt.limited > LIMITED {
        let what = format!("{what}; it asks to wait {} s", pause.as_secs());
        return NextRequest::Fail(ForgeError { wait: Some(pause), ..ForgeError::new(ForgeFailure::RateLimited, what) });
    }
    NextRequest::Wait(pause, what)
}

/// Seconds, or a date (RFC 9110, 10.2.3).
fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    match text.trim().parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => until(rfc2822::DateTimeParser::new().parse_timestamp(text.trim()).ok()?, now),
    }
}

/// A second more, because a forge counts whole ones.
fn until(time: Timestamp, now: Timestamp) -> Option<Duration> {
    let left = Duration::try_from(time.duration_since(now)).unwrap_or_default();
    Some(left + Duration::from_secs(1))
}

fn class(status: u16) -> ForgeFailure {
    match status {
        401 => ForgeFailure::Unauthorized,
        403 => ForgeFailure::Forbidden,
        404 | 410 => ForgeFailure::NotFound,
        409 | 405 => ForgeFailure::Conflict,
        400 | 422 => ForgeFailure::Rejected,
        _ => ForgeFailure::Protocol,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(status: u16, message: &str) -> HttpAnswer {
        HttpAnswer { status, body: json!({ "message": message }).to_string().into_bytes(), ..HttpAnswer::default() }
    }

    fn now() -> Timestamp {
        Timestamp::from_second(1000).unwrap()
    }

    fn step(call: &HttpCall, outcome: ExchangeOutcome) -> NextRequest {
        next(call, outcome, &mut ExchangeAttempts::default(), now())
    }

    fn pause(next: NextRequest) -> u64 {
        match next {
            NextRequest::Wait(pause, _) => pause.as_secs(),
            other => panic!("{other:?}"),
        }
    }

    fn failure(next: NextRequest) -> ForgeFailure {
        match next {
            NextRequest::Fail(error) => error.class,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn limits_are_waited_for_as_the_forge_asks() {
        let get = HttpCall::get("/a");
        let after =
            HttpAnswer { retry_after: Some("7".into()), ..answer(403, "You have exceeded a secondary rate limit") };
        assert_eq!(pause(step(&get, ExchangeOutcome::Answer(after.clone()))), 7);
        // Nothing was carried out, so that also what must not be sent twice is sent again.
        assert_eq!(pause(step(&HttpCall::post("/a", json!({})), ExchangeOutcome::Answer(after))), 7);
        let date = HttpAnswer { retry_after: Some("Thu, 01 Jan 1970 00:16:50 GMT".into()), ..answer(429, "") };
        assert_eq!(pause(step(&get, ExchangeOutcome::Answer(date))), 11);
        let primary = HttpAnswer { remaining: Some(0), reset: Some(1030), ..answer(403, "API rate limit exceeded") };
        assert_eq!(pause(step(&get, ExchangeOutcome::Answer(primary.clone()))), 31);
        assert_eq!(pause(step(&get, ExchangeOutcome::Answer(answer(403, "secondary rate limit")))), 60);
        let hour = HttpAnswer { reset: Some(4600), ..primary };
        assert_eq!(failure(step(&get, ExchangeOutcome::Answer(hour))), ForgeFailure::RateLimited);
        assert_eq!(
            failure(step(&get, ExchangeOutcome::Answer(answer(403, "Resource not accessible")))),
            ForgeFailure::Forbidden
        );
    }

    #[test]
    fn what_makes_something_is_not_sent_again_when_its_answer_is_lost() {
        let (get, post) = (HttpCall::get("/a"), HttpCall::post("/a", json!({})));
        assert_eq!(pause(step(&get, ExchangeOutcome::Lost("eof".into()))), 1);
        assert_eq!(failure(step(&post, ExchangeOutcome::Lost("eof".into()))), ForgeFailure::Lost);
        assert_eq!(failure(step(&post, ExchangeOutcome::Answer(answer(502, "")))), ForgeFailure::Lost);
        assert_eq!(pause(step(&post, ExchangeOutcome::NotSent("refused".into()))), 1);
        assert_eq!(pause(step(&HttpCall::put("/a", json!({})), ExchangeOutcome::Answer(answer(502, "")))), 1);
    }

    #[test]
    fn attempts_end() {
        let (get, mut attempt) = (HttpCall::get("/a"), ExchangeAttempts::default());
        let pauses: Vec<u64> =
            (0..3).map(|_| pause(next(&get, ExchangeOutcome::Answer(answer(500, "")), &mut attempt, now()))).collect();
        assert_eq!(pauses, [1, 2, 4]);
        assert_eq!(failure(next(&get, ExchangeOutcome::Lost("eof".into()), &mut attempt, now())), ForgeFailure::Server);
    }
}
