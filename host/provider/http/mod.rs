//! HTTP servers: one request for each question, its answer read as it comes.

mod anthropic;
mod client;
mod error;
mod openai;
mod retry_after;
mod said;
mod sse;

use std::time::Duration;

pub(super) use anthropic::ANTHROPIC;
pub(super) use openai::OPENAI;
use reqwest::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use reqwest::{RequestBuilder, Response, Url};
use said::{End, Said};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::answer::Answer;
use super::{FailureClass, Limits, Provider, ProviderFailure, ProviderRuntime};

/// What one kind of server is sent, and what it says.
#[derive(Debug)]
pub struct Dialect {
    /// Below the base address.
    path: &'static str,
    headers: &'static [(&'static str, &'static str)],
    /// The header that carries a key.
    key: fn(&str) -> (&'static str, String),
    body: fn(&Request) -> Value,
    /// Takes in one event of a stream, or a whole body.
    hear: fn(&mut Said, &Value),
    /// What its word for the end means.
    end: fn(&str) -> End,
}

/// Where a server is and what it is sent beside the question.
#[derive(Debug, Clone)]
pub struct Server {
    pub(super) dialect: &'static Dialect,
    /// `https://api.openai.com/v1`; the dialect's path comes after it.
    pub(super) base_url: String,
    /// The variable that holds the key; None: no key is sent.
    pub(super) key: Option<String>,
    /// Ask for the answer as it is written. Some gateways cannot.
    pub(super) stream: bool,
    /// Put into the body as they are: `temperature`, `max_tokens`, …
    pub(super) body: Map<String, Value>,
}

impl Server {
    /// An `http` or `https` address without a user name and a password: those would be seen wherever the address is.
    pub(super) fn check_address(base_url: &str) -> Result<(), &'static str> {
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

struct Request<'a> {
    prompt: &'a str,
    model: Option<&'a str>,
    stream: bool,
}

/// Of a body that tells of a failure.
const ERROR_BODY: usize = 64 << 10;

/// `live` is told what the model is writing, as it writes it: unbounded and unclean.
pub(super) async fn ask(
    provider: &Provider,
    server: &Server,
    prompt: &[u8],
    around: &ProviderRuntime,
    live: &(dyn Fn(&str) + Sync),
) -> Result<Answer, ProviderFailure> {
    let prompt = String::from_utf8_lossy(prompt);
    let request = request(provider, server, &prompt, around)?;
    let limits = &provider.limits;
    tokio::select! {
        biased;
        // What is dropped here closes the connection, and the server stops writing.
        () = around.cancel.cancelled() => Err(ProviderFailure::new(FailureClass::Interrupted, "interrupted")),
        answer = converse(request, server, limits, live) => answer,
        () = tokio::time::sleep(limits.wall) => Err(ProviderFailure::late("gave no answer within", limits.wall)),
    }
}

fn request(
    provider: &Provider,
    server: &Server,
    prompt: &str,
    around: &ProviderRuntime,
) -> Result<RequestBuilder, ProviderFailure> {
    let Server { dialect, stream, .. } = *server;
    let url = format!("{}/{}", server.base_url.trim_end_matches('/'), dialect.path);
    let url: Url = url.parse().map_err(|error| {
        ProviderFailure::new(FailureClass::Config, format!("`{}` is not an address: {error}", server.base_url))
            .hint("look at base_url")
    })?;
    let mut body = (dialect.body)(&Request { prompt, model: provider.model.as_deref(), stream });
    if let Value::Object(body) = &mut body {
        body.extend(server.body.clone());
    }
    let mut request = client::client(&url, &around.environment)?.post(url.clone());
    request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
    for (name, value) in dialect.headers {
        request = request.header(*name, *value);
    }
    match &server.key {
        None => Ok(request),
        Some(variable) => {
            let (name, value) = (dialect.key)(key(variable, &url, around)?.expose_secret());
            let mut value = HeaderValue::try_from(value).map_err(|_| {
                ProviderFailure::new(
                    FailureClass::Auth,
                    format!("the variable {variable} holds no key: it has characters that no header can carry"),
                )
            })?;
            value.set_sensitive(true);
            Ok(request.header(name, value))
        }
    }
}

/// The key for this address, if it may go there.
fn key(variable: &str, url: &Url, around: &ProviderRuntime) -> Result<SecretString, ProviderFailure> {
    if url.scheme() != "https" && !client::is_loopback(url) {
        let what = format!(
            "{} is not encrypted, so the key in {variable} is not sent there",
            url.origin().ascii_serialization()
        );
        return Err(ProviderFailure::new(FailureClass::Config, what)
            .hint("use an https address, or leave out key_env if the server needs no key"));
    }
    around.environment.key(variable).ok_or_else(|| {
        ProviderFailure::new(FailureClass::Auth, format!("the variable {variable} is not set"))
            .hint(format!("set {variable} to the key"))
    })
}

async fn converse(
    request: RequestBuilder,
    server: &Server,
    limits: &Limits,
    live: &(dyn Fn(&str) + Sync),
) -> Result<Answer, ProviderFailure> {
    let mut response = heard(limits, request.send()).await?.map_err(|error| broken(error, &server.base_url))?;
    if !response.status().is_success() {
        return Err(failed(response, server, limits).await);
    }
    let streams = header(&response, CONTENT_TYPE.as_str()).is_some_and(|kind| kind.starts_with("text/event-stream"));
    let mut decoder = sse::Decoder::default();
    let mut said = Said::default();
    let (mut bytes, mut body) = (0, Vec::new());
    while !said.over {
        let chunk = match heard(limits, response.chunk()).await? {
            Ok(Some(chunk)) => chunk,
            Ok(None) => break,
            Err(_) if said.is_whole(server.dialect.end) => break,
            Err(error) => return Err(broken(error, &server.base_url)),
        };
        bytes += chunk.len();
        if bytes > limits.output {
            return Err(ProviderFailure::new(
                FailureClass::TooMuchOutput,
                format!("sent more than {} bytes", limits.output),
            ));
        }
        if streams {
            let events = decoder.feed(&chunk);
            events.iter().try_for_each(|event| hear(&mut said, server.dialect, event))?;
            live(said.line());
        } else {
            body.extend_from_slice(&chunk);
        }
    }
    if streams {
        decoder.finish().iter().try_for_each(|event| hear(&mut said, server.dialect, event))?;
    } else {
        hear(&mut said, server.dialect, &body)?;
    }
    said.conclude(server.dialect.end)
}

fn hear(said: &mut Said, dialect: &Dialect, event: &[u8]) -> Result<(), ProviderFailure> {
    if said.over {
        return Ok(());
    }
    if event.trim_ascii() == b"[DONE]" {
        said.over = true;
        return Ok(());
    }
    match serde_json::from_slice(event) {
        Ok(event) => (dialect.hear)(said, &event),
        Err(_) if said.is_whole(dialect.end) => said.over = true,
        Err(_) => {
            return Err(error::plain(None, &format!("it sent what is not JSON: {}", String::from_utf8_lossy(event))));
        }
    }
    Ok(())
}

/// What is awaited, unless the server is silent for too long.
async fn heard<T>(limits: &Limits, what: impl Future<Output = T>) -> Result<T, ProviderFailure> {
    match limits.idle {
        Some(idle) => timeout(idle, what).await.map_err(|_| ProviderFailure::late("said nothing for", idle)),
        None => Ok(what.await),
    }
}

/// A status of failure, with what its body and its headers tell.
async fn failed(mut response: Response, server: &Server, limits: &Limits) -> ProviderFailure {
    let status = response.status().as_u16();
    let wait = retry_after::retry_after(&|name| header(&response, name).map(str::to_owned));
    let place = header(&response, LOCATION.as_str()).map(str::to_owned);
    let mut body = Vec::new();
    // The status is known; a body that breaks off or does not come tells what it tells.
    while let Ok(Ok(Some(chunk))) =
        heard(&Limits { idle: Some(limits.idle.unwrap_or(QUIET)), ..*limits }, response.chunk()).await
    {
        body.extend_from_slice(&chunk);
        if body.len() > ERROR_BODY {
            break;
        }
    }
    if let Some(place) = place.filter(|_| (300..400).contains(&status)) {
        return ProviderFailure::new(
            FailureClass::Config,
            format!("HTTP {status}: it redirects to {place}, and a key does not follow redirects"),
        )
        .hint(format!("set base_url to the new address; it is {} now", server.base_url));
    }
    let failure = match serde_json::from_slice(&body) {
        Ok(body) => error::failure(Some(status), &body),
        Err(_) => error::plain(Some(status), &String::from_utf8_lossy(&body)),
    };
    let failure = ProviderFailure { retry_after: wait.or(failure.retry_after), ..failure };
    match (&server.key, failure.class) {
        (Some(variable), FailureClass::Auth) => failure.hint(format!("look at the key in {variable}")),
        (None, FailureClass::Auth) => {
            failure.hint("name the variable that holds the key: key_env = \"…\" in the provider's settings")
        }
        _ => failure,
    }
}

/// For the body of a failure.
const QUIET: Duration = Duration::from_secs(10);

fn header<'r>(response: &'r Response, name: &str) -> Option<&'r str> {
    response.headers().get(name)?.to_str().ok()
}

/// A connection that was never made, or broke.
fn broken(error: reqwest::Error, base_url: &str) -> ProviderFailure {
    let unreachable = error.is_connect();
    let timed_out = error.is_timeout();
    let error = error.without_url();
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        words.push_str(&format!(": {error}"));
        cause = error.source();
    }
    match (unreachable, timed_out) {
        (true, _) => {
            ProviderFailure::new(FailureClass::Unreachable, words).hint(format!("is there a server at {base_url}?"))
        }
        (false, true) => ProviderFailure::new(FailureClass::Timeout, words),
        (false, false) => ProviderFailure::new(FailureClass::Overloaded, format!("the connection broke: {words}")),
    }
}
