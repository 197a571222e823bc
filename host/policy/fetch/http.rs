//! HTTP with bounds: no answer is read further than it may be long.

use reqwest::{Client, Response};

use super::failure::{FetchError, FetchFailure};

/// What tells servers who asks.
pub const USER_AGENT: &str = concat!("guardhost/", env!("CARGO_PKG_VERSION"));

/// The most bytes of a server's error that are read for its code.
const MAX_ERROR: u64 = 64 << 10;

pub fn client() -> Result<Client, FetchError> {
    Ok(Client::builder().user_agent(USER_AGENT).build()?)
}

/// A body of at most `max` bytes. `what` names it in messages: `the manifest`.
pub async fn body(mut response: Response, max: u64, what: &str) -> Result<Vec<u8>, FetchError> {
    let too_large = |actual: String| {
        FetchError::content(format_args!("{what} is too large: expected at most {max} bytes, actual {actual}"))
    };
    if let Some(stated) = response.content_length().filter(|stated| *stated > max) {
        return Err(too_large(stated.to_string()));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if (bytes.len() + chunk.len()) as u64 > max {
            return Err(too_large("more".to_owned()));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The response if the server did what it was asked to do. Of its error only the status and the codes of the distribution
/// specification are shown, because the rest is text of a stranger.
pub async fn checked(response: Response, what: &str) -> Result<Response, FetchError> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let mut class = FetchFailure::from_status(status);
    let answer = body(response, MAX_ERROR, "the error").await.unwrap_or_default();
    let codes = codes(&answer);
    if codes
        .iter()
        .any(|code| ["MANIFEST_UNKNOWN", "NAME_UNKNOWN", "BLOB_UNKNOWN", "NOT_FOUND"].contains(&code.as_str()))
    {
        class = FetchFailure::Missing;
    }
    let said = [vec![status.as_u16().to_string()], codes].concat().join(" ");
    let what = match class {
        FetchFailure::Missing => format!("expected {what}, actual none ({said})"),
        FetchFailure::Denied => format!("{what}: the server denies access ({said})"),
        _ => format!("{what}: the server answers {said}"),
    };
    Err(FetchError::new(class, what))
}

/// `{"errors": [{"code": "MANIFEST_UNKNOWN", …}]}`.
fn codes(answer: &[u8]) -> Vec<String> {
    let Ok(answer) = serde_json::from_slice::<serde_json::Value>(answer) else { return Vec::new() };
    let codes = answer["errors"].as_array().into_iter().flatten().filter_map(|error| error["code"].as_str());
    let plain = |code: &&str| code.len() <= 40 && code.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    codes.filter(plain).take(3).map(str::to_owned).collect()
}
