//! One exchange, read with bounds.

use jiff::Timestamp;
use reqwest::{RequestBuilder, Response, Url};
use serde_json::Value;

use super::retry::ExchangeOutcome;
use crate::error::{ForgeError, ForgeFailure, Result};
use crate::model::Rate;

/// The most bytes of an answer: a page of 100 files with their patches is 1 to 3 MB.
const BODY: usize = 16 << 20;
/// The most bytes of a log that are read to get at its end.
const LOG: usize = 64 << 20;

/// A whole answer.
#[derive(Debug, Default, Clone)]
pub(crate) struct HttpAnswer {
    pub status: u16,
    pub body: Vec<u8>,
    pub etag: Option<String>,
    pub location: Option<String>,
    pub retry_after: Option<String>,
    pub link: Option<String>,
    pub limit: Option<u64>,
    pub remaining: Option<u64>,
    /// Seconds of Unix time.
    pub reset: Option<i64>,
}

impl HttpAnswer {
    fn new(response: &Response) -> Self {
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        // GitLab writes the names of its limits without the prefix.
        let limit =
            |name: &str| header(&format!("x-ratelimit-{name}")).or_else(|| header(&format!("ratelimit-{name}")));
        let number = |name: &str| limit(name).and_then(|text| text.trim().parse().ok());
        HttpAnswer {
            status: response.status().as_u16(),
            body: Vec::new(),
            etag: header("etag"),
            location: header("location"),
            retry_after: header("retry-after"),
            link: header("link"),
            limit: number("limit"),
            remaining: number("remaining"),
            reset: limit("reset").and_then(|text| text.trim().parse().ok()),
        }
    }

    pub fn json(&self, name: &str) -> Result<Value> {
        if self.body.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&self.body).map_err(|error| ForgeError::protocol(format!("{name}: no JSON: {error}")))
    }

    /// What the forge says in an error, on one line.
    pub fn error_text(&self) -> String {
        let value: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        // GitLab's is a text, a list, or an object of lists; some of its errors have another name.
        let mut said = match &value["message"] {
            Value::Null => value["error"].as_str().unwrap_or_default().to_owned(),
            Value::String(said) => said.clone(),
            other => other.to_string(),
        };
        for error in value["errors"].as_array().into_iter().flatten().take(5) {
            let text = error.as_str().or(error["message"].as_str()).or(error["code"].as_str());
            said.push_str(&text.map(|text| format!("; {text}")).unwrap_or_default());
        }
        let said: String = said.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect();
        if said.trim().is_empty() { "it gave no reason".to_owned() } else { said }
    }

    pub fn rate(&self) -> Option<Rate> {
        Some(Rate { limit: self.limit?, remaining: self.remaining?, resets: Timestamp::from_second(self.reset?).ok()? })
    }

    /// Path and query of the next page, after the address of the API.
    ///
    /// # Errors
    /// It is at another address, to which no token goes.
    pub fn next_page(&self, base: &Url) -> Result<Option<String>> {
        let next = self.link.as_deref().unwrap_or_default().split(',').find_map(|link| {
            let (url, rel) = link.trim().split_once(';')?;
            rel.contains("rel=\"next\"").then(|| url.trim().trim_matches(['<', '>']).to_owned())
        });
        let Some(next) = next else { return Ok(None) };
        let base = base.as_str().trim_end_matches('/');
        match next.strip_prefix(base).filter(|path| path.starts_with('/')) {
            Some(path) => Ok(Some(path.to_owned())),
            None => Err(ForgeError::protocol("the next page of a list is at another address")),
        }
    }
}

/// Sends a request. An error is one of this side; what the network does is an outcome.
pub(super) async fn exchange(request: RequestBuilder) -> Result<ExchangeOutcome> {
    let mut response = match request.send().await {
        Ok(response) => response,
        Err(error) if error.is_connect() => return Ok(ExchangeOutcome::NotSent(reason(error))),
        Err(error) => return Ok(ExchangeOutcome::Lost(reason(error))),
    };
    let mut answer = HttpAnswer::new(&response);
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => answer.body.extend_from_slice(&chunk),
            Ok(None) => return Ok(ExchangeOutcome::Answer(answer)),
            Err(error) => return Ok(ExchangeOutcome::Lost(reason(error))),
        }
        if answer.body.len() > BODY {
            return Err(ForgeError::protocol(format!("it is longer than {} MiB", BODY >> 20)));
        }
    }
}

/// The end of a text.
pub(super) async fn text_tail(request: RequestBuilder, max: usize) -> Result<Vec<u8>> {
    let failed = |error| ForgeError::new(ForgeFailure::Server, format!("cannot read the log: {}", reason(error)));
    let mut response = request.send().await.map_err(failed)?;
    if !response.status().is_success() {
        let what = format!("the log cannot be read: status {}", response.status().as_u16());
        return Err(ForgeError::new(ForgeFailure::NotFound, what));
    }
    let (mut bytes, mut read): (Vec<u8>, usize) = (Vec::new(), 0);
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        read += chunk.len();
        bytes.extend_from_slice(&chunk);
        if bytes.len() > 2 * max {
            bytes.drain(..bytes.len() - max);
        }
        if read > LOG {
            break;
        }
    }
    bytes.drain(..bytes.len().saturating_sub(max));
    Ok(bytes)
}

/// Without the address, and with its causes.
fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut said = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        said.push_str(&format!(": {error}"));
        cause = error.source();
    }
    said
}
