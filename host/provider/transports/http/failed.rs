//! Responses that are no answer, and connections that fail.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::LOCATION;

use super::{HttpServer, error, header, retry_after, within_idle_limit};
use crate::{AnswerLimits, FailureClass, ProviderFailure};

/// The longest silence in the body of an error response, where the provider has no limit of its own.
const ERROR_BODY_IDLE: Duration = Duration::from_secs(10);

/// The most that is read of an error response, in bytes.
const MAX_ERROR_BODY: usize = 64 << 10;

/// A status that is not a success, with what its body and its headers say.
pub(super) async fn status(mut response: Response, server: &HttpServer, limits: &AnswerLimits) -> ProviderFailure {
    let status = response.status().as_u16();
    let retry_after = retry_after::retry_after(&|name| header(&response, name).map(str::to_owned));
    let location = header(&response, LOCATION.as_str()).map(str::to_owned);
    let limits = AnswerLimits { idle: Some(limits.idle.unwrap_or(ERROR_BODY_IDLE)), ..*limits };
    let mut body = Vec::new();
    // The status is known, so a body that breaks off or does not come is no failure of its own.
    while let Ok(Ok(Some(chunk))) = within_idle_limit(&limits, response.chunk()).await {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_ERROR_BODY {
            break;
        }
    }
    if let Some(location) = location.filter(|_| (300..400).contains(&status)) {
        return ProviderFailure::new(
            FailureClass::Config,
            format!("HTTP {status}: it redirects to {location}, and a key does not follow redirects"),
        )
        .hint(format!("set base_url to the new address; it is {} now", server.base_url));
    }
    let failure = match serde_json::from_slice(&body) {
        Ok(body) => error::from_json(Some(status), &body),
        Err(_) => error::from_text(Some(status), &String::from_utf8_lossy(&body)),
    };
    let failure = ProviderFailure { retry_after: retry_after.or(failure.retry_after), ..failure };
    match (&server.key, failure.class) {
        (Some(variable), FailureClass::Auth) => failure.hint(format!("check the key in {variable}")),
        (None, FailureClass::Auth) => {
            failure.hint("name the variable that holds the key: key_env = \"…\" in the provider's settings")
        }
        _ => failure,
    }
}

/// A connection that was never made, or broke.
pub(super) fn connection(error: reqwest::Error, base_url: &str) -> ProviderFailure {
    let unreachable = error.is_connect();
    let timed_out = error.is_timeout();
    let error = error.without_url();
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        message.push_str(&format!(": {error}"));
        cause = error.source();
    }
    match (unreachable, timed_out) {
        (true, _) => {
            ProviderFailure::new(FailureClass::Unreachable, message).hint(format!("is there a server at {base_url}?"))
        }
        (false, true) => ProviderFailure::new(FailureClass::Timeout, message),
        (false, false) => ProviderFailure::new(FailureClass::Overloaded, format!("the connection broke: {message}")),
    }
}
