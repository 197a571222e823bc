//! The one place that sends requests to a forge.
//!
//! - A request has a time limit, and its answer a limit of bytes.
//! - What changes nothing, or can be sent twice, is sent again after an error of the network or the server. What makes something new is not:
//!   [`Http::create`] asks whether it is there first.
//! - Rate limits are kept as the forge asks (`Retry-After`, `X-RateLimit-Reset`), and many writes are a second apart (`retry`).
//! - An answer that is known is asked for with its ETag, which costs no part of the limit (`etag`).
//! - The token goes to the origin of the API and nowhere else: no redirect takes it along (`client`).

mod answer;
mod client;
mod etag;
mod pause;
mod retry;

use std::cell::{Cell, RefCell};
use std::time::Duration;

use guardhost_core::stop::StopToken;
use guardhost_http::Proxies;
use reqwest::header::HeaderValue;
use reqwest::{Client, Method, Url};
use serde_json::Value;
use tokio::runtime::Runtime;

pub use pause::{Pause, StopPause};

pub(crate) use answer::HttpAnswer;
use etag::Etags;
use retry::{ExchangeAttempts, ExchangeOutcome, NextRequest};

use crate::error::{ForgeError, ForgeFailure, Result};
use crate::model::Rate;
use crate::token::ForgeToken;

/// For one request, its answer included.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The most entries of a list that are read.
const MAX_ENTRIES: usize = 3000;
/// Between two requests that make or change something: GitHub's advice, for many of them, against its secondary limits.
const BETWEEN_WRITES: Duration = Duration::from_secs(1);
/// Requests of that kind that are no great number.
const FEW_WRITES: u32 = 8;
/// How often something is asked to be made.
const CREATIONS: u32 = 3;

/// What the connection to a forge needs.
pub struct HttpSettings {
    /// `https://api.github.com`.
    pub api: String,
    /// None: only what everyone may read is read.
    pub token: Option<ForgeToken>,
    pub proxies: Proxies,
    pub stop: StopToken,
    pub pause: Box<dyn Pause>,
}

/// What the requests to one kind of forge have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ForgeDialect {
    pub headers: &'static [(&'static str, &'static str)],
    /// Before the token in the header `Authorization`.
    pub scheme: &'static str,
    /// The parameter that asks for long pages, and the entries of the longest.
    pub page_size: (&'static str, usize),
}

/// Whether a request may be sent again when its answer is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    Safe,
    /// It would make a second one.
    Never,
}

/// One request.
#[derive(Debug, Clone)]
pub(crate) struct HttpCall {
    pub method: Method,
    /// After the address of the API; with its query.
    pub path: String,
    pub body: Option<Value>,
    pub repeat: Repeat,
}

impl HttpCall {
    pub fn get(path: impl Into<String>) -> Self {
        HttpCall { method: Method::GET, path: path.into(), body: None, repeat: Repeat::Safe }
    }

    pub fn patch(path: impl Into<String>, body: Value) -> Self {
        HttpCall { method: Method::PATCH, path: path.into(), body: Some(body), repeat: Repeat::Safe }
    }

    /// Makes something new at every call.
    pub fn post(path: impl Into<String>, body: Value) -> Self {
        HttpCall { method: Method::POST, path: path.into(), body: Some(body), repeat: Repeat::Never }
    }

    /// Comes to the same when it is sent twice.
    pub fn put(path: impl Into<String>, body: Value) -> Self {
        HttpCall { repeat: Repeat::Safe, ..HttpCall::post(path, body) }
    }

    /// Sets something to what it is to be.
    pub fn replace(path: impl Into<String>, body: Value) -> Self {
        HttpCall { method: Method::PUT, path: path.into(), body: Some(body), repeat: Repeat::Safe }
    }

    fn is_write(&self) -> bool {
        self.method != Method::GET
    }

    /// `GET /repos/o/r/pulls`, for messages.
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path.split_once('?').map_or(self.path.as_str(), |(path, _)| path))
    }
}

pub(crate) struct Http {
    client: Client,
    runtime: Runtime,
    base: Url,
    dialect: ForgeDialect,
    token: Option<ForgeToken>,
    stop: StopToken,
    pause: Box<dyn Pause>,
    etags: RefCell<Etags>,
    rate: Cell<Option<Rate>>,
    writes: Cell<u32>,
}

impl Http {
    /// # Errors
    /// [`FailureClass::Address`]: the token would be sent there unencrypted, or the address holds a password.
    pub fn new(settings: HttpSettings, dialect: ForgeDialect) -> Result<Self> {
        let HttpSettings { api, token, proxies, stop, pause } = settings;
        let base = client::address(&api)?;
        let client = client::client(&base, &proxies)?;
        let runtime = guardhost_http::runtime();
        let runtime = runtime.map_err(|error| {
            ForgeError::new(ForgeFailure::Unreachable, format!("cannot start the network runtime: {error}"))
        })?;
        Ok(Http {
            client,
            runtime,
            base,
            dialect,
            token,
            stop,
            pause,
            etags: RefCell::default(),
            rate: Cell::new(None),
            writes: Cell::new(0),
        })
    }

    pub fn rate(&self) -> Option<Rate> {
        self.rate.get()
    }

    /// The answer, if it is a success.
    pub fn send(&self, call: &HttpCall) -> Result<HttpAnswer> {
        if call.is_write() {
            self.writes.set(self.writes.get() + 1);
            if self.writes.get() > FEW_WRITES {
                self.wait(BETWEEN_WRITES, "between two writes")?;
            }
        }
        let known = (call.method == Method::GET).then(|| self.etags.borrow().get(&call.path)).flatten();
        let mut attempt = ExchangeAttempts::default();
        loop {
            let outcome = self.once(call, known.as_ref().map(|known| known.etag.as_str()))?;
            if let ExchangeOutcome::Answer(answer) = &outcome {
                self.rate.set(answer.rate().or(self.rate.get()));
            }
            match retry::next(call, outcome, &mut attempt, self.pause.now()) {
                NextRequest::Done(answer) if answer.status == 304 => match &known {
                    Some(known) => return Ok(known.answer(answer)),
                    None => return Err(ForgeError::protocol(format!("{}: status 304 was not asked for", call.name()))),
                },
                NextRequest::Done(answer) => {
                    if call.method == Method::GET {
                        self.etags.borrow_mut().keep(&call.path, &answer);
                    }
                    return Ok(answer);
                }
                NextRequest::Wait(pause, why) => self.wait(pause, &why)?,
                NextRequest::Fail(error) => return Err(self.redacted(error)),
            }
        }
    }

    /// The value that a request answers with.
    pub fn json(&self, call: &HttpCall) -> Result<Value> {
        self.send(call)?.json(&call.name())
    }

    /// All entries of a list that comes in pages. `key` names the list within a page that is an object.
    pub fn list(&self, path: &str, key: Option<&str>) -> Result<Vec<Value>> {
        let mut path = self.with_page_size(path);
        let mut found = Vec::new();
        for _ in 0..MAX_ENTRIES / self.dialect.page_size.1 {
            let (entries, next) = self.page_at(&path, key)?;
            found.extend(entries);
            match next {
                Some(next) => path = next,
                None => return Ok(found),
            }
        }
        let what = format!("the list at {path} has more than {MAX_ENTRIES} entries");
        Err(ForgeError::new(ForgeFailure::Protocol, what))
    }

    /// One page of a list, counted from 1, and whether another follows it.
    pub fn page(&self, path: &str, number: u32) -> Result<(Vec<Value>, bool)> {
        let path = format!("{}&page={number}", self.with_page_size(path));
        let (entries, next) = self.page_at(&path, None)?;
        Ok((entries, next.is_some()))
    }

    fn with_page_size(&self, path: &str) -> String {
        let (parameter, size) = self.dialect.page_size;
        format!("{path}{}{parameter}={size}", if path.contains('?') { '&' } else { '?' })
    }

    /// The entries of one page, and where the next is.
    fn page_at(&self, path: &str, key: Option<&str>) -> Result<(Vec<Value>, Option<String>)> {
        let call = HttpCall::get(path);
        let answer = self.send(&call)?;
        let next = answer.next_page(&self.base)?;
        let mut page = answer.json(&call.name())?;
        let entries = match key {
            Some(key) => page.get_mut(key).map(Value::take),
            None => Some(page),
        };
        match entries {
            Some(Value::Array(entries)) => Ok((entries, next)),
            Some(_) | None => Err(ForgeError::protocol(format!("{}: expected a list", call.name()))),
        }
    }

    /// A list that comes whole.
    pub fn whole_list(&self, path: impl Into<String>) -> Result<Vec<Value>> {
        let call = HttpCall::get(path);
        match self.json(&call)? {
            Value::Array(entries) => Ok(entries),
            _ => Err(ForgeError::protocol(format!("{}: expected a list", call.name()))),
        }
    }

    /// Makes something once. After a lost answer `find` says whether it was made.
    pub fn create<T>(
        &self,
        call: &HttpCall,
        read: impl Fn(&Value) -> Result<T>,
        find: impl Fn() -> Result<Option<T>>,
    ) -> Result<T> {
        let mut creation = 1;
        loop {
            let lost = match self.json(call) {
                Ok(value) => return read(&value),
                Err(error) if error.class == ForgeFailure::Lost => error,
                Err(error) => return Err(error),
            };
            // What was carried out may be seen a moment later only.
            self.wait(Duration::from_secs(2 * u64::from(creation)), "an answer was lost")?;
            if let Some(found) = find()? {
                return Ok(found);
            }
            if creation == CREATIONS {
                return Err(lost);
            }
            creation += 1;
        }
    }

    /// The end of a text to which the API redirects, without the token: at most `max` bytes.
    pub fn redirected_text(&self, call: &HttpCall, max: usize) -> Result<String> {
        let answer = self.send(call)?;
        let Some(location) = answer.location else {
            return Ok(String::from_utf8_lossy(tail(&answer.body, max)).into_owned());
        };
        let url =
            self.base.join(&location).map_err(|error| ForgeError::protocol(format!("{}: {error}", call.name())))?;
        if !guardhost_http::is_private(&url) {
            let what = format!("{} redirects to an address that is not encrypted", call.name());
            return Err(ForgeError::new(ForgeFailure::Address, what));
        }
        let bytes = self.run(answer::text_tail(self.client.get(url), max))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub fn wait(&self, pause: Duration, why: &str) -> Result<()> {
        self.pause.pause(pause, why).map_err(ForgeError::from)
    }

    fn once(&self, call: &HttpCall, etag: Option<&str>) -> Result<ExchangeOutcome> {
        let url = format!("{}{}", self.base.as_str().trim_end_matches('/'), call.path);
        let url: Url = url.parse().map_err(|error| ForgeError::protocol(format!("{}: {error}", call.name())))?;
        let mut request = self.client.request(call.method.clone(), url).timeout(TIMEOUT);
        for (name, value) in self.dialect.headers {
            request = request.header(*name, *value);
        }
        if let Some(etag) = etag {
            request = request.header("if-none-match", etag);
        }
        if let Some(body) = &call.body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        if let Some(token) = &self.token {
            let unusable = |_| ForgeError::new(ForgeFailure::Unauthorized, "the token cannot be sent in a header");
            let mut value = HeaderValue::try_from(token.header(self.dialect.scheme)).map_err(unusable)?;
            value.set_sensitive(true);
            request = request.header("authorization", value);
        }
        self.run(answer::exchange(request))
    }

    /// Runs to its end, unless the command is stopped.
    fn run<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let stopped = async {
            loop {
                if let Err(stopped) = self.stop.check() {
                    return stopped;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                done = work => done,
                stopped = stopped => Err(stopped.into()),
            }
        })
    }

    fn redacted(&self, error: ForgeError) -> ForgeError {
        match &self.token {
            Some(token) => ForgeError { what: token.redact(&error.what), ..error },
            None => error,
        }
    }
}

fn tail(bytes: &[u8], max: usize) -> &[u8] {
    &bytes[bytes.len().saturating_sub(max)..]
}
