//! HTTP servers: one request for each question, its answer read as it comes.

mod anthropic;
mod client;
mod error;
mod failed;
mod openai;
mod partial;
mod request;
mod retry_after;
mod sse;

pub(crate) use anthropic::ANTHROPIC;
pub(crate) use openai::OPENAI;
use partial::{FinishReason, PartialResponse};
use reqwest::header::CONTENT_TYPE;
use reqwest::{RequestBuilder, Response, Url};
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::{ProviderResponse, Request};
use crate::{AnswerLimits, FailureClass, ProviderFailure};

/// What one kind of server is sent, and what its answers look like.
#[derive(Debug)]
pub struct HttpDialect {
    /// After the base address.
    path: &'static str,
    headers: &'static [(&'static str, &'static str)],
    /// The header that carries a key.
    key: fn(&str) -> (&'static str, String),
    body: fn(&BodyQuestion) -> Value,
    /// Takes in one event of a stream, or a whole body.
    on_event: fn(&mut PartialResponse, &Value),
    /// What its finish reasons mean.
    finish: fn(&str) -> FinishReason,
}

/// What a dialect writes into the body of a request.
struct BodyQuestion<'a> {
    prompt: &'a str,
    model: Option<&'a str>,
    stream: bool,
}

/// Where a server is, and what it is sent beside the question.
#[derive(Debug, Clone)]
pub struct HttpServer {
    pub(crate) dialect: &'static HttpDialect,
    /// `https://api.openai.com/v1`; the dialect's path comes after it.
    pub(crate) base_url: String,
    /// The variable that holds the key; None: no key is sent.
    pub(crate) key: Option<String>,
    /// Ask for the answer as it is written. Some gateways cannot.
    pub(crate) stream: bool,
    /// Put into the body as they are: `temperature`, `max_tokens`, …
    pub(crate) body: Map<String, Value>,
}

impl HttpServer {
    /// An `http` or `https` address without a user name and a password: those would be shown wherever the address is.
    pub(crate) fn check_address(base_url: &str) -> Result<(), &'static str> {
        let url: Url = base_url.parse().map_err(|_| "base_url is not an address such as http://localhost:1234/v1")?;
        if !["http", "https"].contains(&url.scheme()) {
            return Err("base_url begins with http:// or https://");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("base_url holds a log-in; put the key into a variable and name it with key_env");
        }
        Ok(())
    }
}

pub(super) async fn send(request: &Request<'_>, server: &HttpServer) -> Result<ProviderResponse, ProviderFailure> {
    let built = request::build(request, server)?;
    let limits = &request.provider.limits;
    tokio::select! {
        biased;
        // What is dropped here closes the connection, and the server stops writing.
        () = request.runtime.cancel.cancelled() => {
            Err(ProviderFailure::interrupted())
        }
        answer = exchange(built, server, limits, request.on_progress) => answer,
        () = tokio::time::sleep(limits.wall) => Err(ProviderFailure::timed_out("gave no answer within", limits.wall)),
    }
}

async fn exchange(
    request: RequestBuilder,
    server: &HttpServer,
    limits: &AnswerLimits,
    on_progress: &(dyn Fn(&str) + Sync),
) -> Result<ProviderResponse, ProviderFailure> {
    let broken = |error| failed::connection(error, &server.base_url);
    let mut response = within_idle_limit(limits, request.send()).await?.map_err(broken)?;
    if !response.status().is_success() {
        return Err(failed::status(response, server, limits).await);
    }
    let streams = header(&response, CONTENT_TYPE.as_str()).is_some_and(|kind| kind.starts_with("text/event-stream"));
    let mut decoder = sse::Decoder::default();
    let mut partial = PartialResponse::default();
    let (mut received, mut body) = (0, Vec::new());
    while !partial.done {
        let chunk = match within_idle_limit(limits, response.chunk()).await? {
            Ok(Some(chunk)) => chunk,
            Ok(None) => break,
            Err(_) if partial.is_complete(server.dialect.finish) => break,
            Err(error) => return Err(broken(error)),
        };
        received += chunk.len();
        if received > limits.output {
            return Err(ProviderFailure::new(
                FailureClass::TooMuchOutput,
                format!("sent more than {} bytes", limits.output),
            ));
        }
        if streams {
            let events = decoder.feed(&chunk);
            events.iter().try_for_each(|event| take_in(&mut partial, server.dialect, event))?;
            on_progress(partial.last_line());
        } else {
            body.extend_from_slice(&chunk);
        }
    }
    if streams {
        decoder.finish().iter().try_for_each(|event| take_in(&mut partial, server.dialect, event))?;
    } else {
        take_in(&mut partial, server.dialect, &body)?;
    }
    partial.into_response(server.dialect.finish)
}

/// One event of a stream, or a whole body.
fn take_in(partial: &mut PartialResponse, dialect: &HttpDialect, event: &[u8]) -> Result<(), ProviderFailure> {
    if partial.done {
        return Ok(());
    }
    if event.trim_ascii() == b"[DONE]" {
        partial.done = true;
        return Ok(());
    }
    match serde_json::from_slice(event) {
        Ok(event) => (dialect.on_event)(partial, &event),
        Err(_) if partial.is_complete(dialect.finish) => partial.done = true,
        Err(_) => {
            let what = format!("it sent a body that is not JSON: {}", String::from_utf8_lossy(event));
            return Err(error::from_text(None, &what));
        }
    }
    Ok(())
}

/// The result of `operation`, unless the server is silent for too long.
async fn within_idle_limit<T>(limits: &AnswerLimits, operation: impl Future<Output = T>) -> Result<T, ProviderFailure> {
    match limits.idle {
        Some(idle) => timeout(idle, operation).await.map_err(|_| ProviderFailure::timed_out("said nothing for", idle)),
        None => Ok(operation.await),
    }
}

fn header<'r>(response: &'r Response, name: &str) -> Option<&'r str> {
    response.headers().get(name)?.to_str().ok()
}
