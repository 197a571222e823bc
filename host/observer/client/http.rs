//! One question over HTTP: bounded in time and size, never redirected.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use guardhost_http::Proxies;
use reqwest::{Method, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::runtime::Runtime;

use super::{Absence, AbsenceReason, ObserverTime};
use crate::wire::Problem;

/// Bytes of an answer. A log of 1,000 observations has about 1 MB.
const ANSWER: usize = 8 << 20;
/// Characters of an error's text that are shown.
const SHOWN: usize = 200;

/// Where the observer is.
#[derive(Clone)]
pub struct ObserverSettings {
    /// `http://127.0.0.1:29030`
    pub url: String,
    /// A bearer token; needed unless the server is on this machine.
    pub token: Option<String>,
}

/// A connection to an observer.
pub struct Client {
    base: Url,
    token: Option<String>,
    http: reqwest::Client,
    /// Questions are asked one after another: a run has one at a time.
    runtime: Mutex<Runtime>,
    budget: ObserverTime,
}

impl Client {
    /// # Errors
    /// The address is none, or the connection cannot be prepared.
    pub fn new(settings: &ObserverSettings, budget: ObserverTime) -> Result<Self, Absence> {
        let wrong = |why: String| Absence { question: "the address".into(), reason: AbsenceReason::Config(why) };
        let base = Url::parse(settings.url.trim_end_matches('/')).map_err(|error| wrong(error.to_string()))?;
        if !["http", "https"].contains(&base.scheme()) || base.host_str().is_none() {
            return Err(wrong("it is none of HTTP: write http://HOST:PORT".into()));
        }
        // An observer is part of the team's own network: no proxy stands before it.
        let http = guardhost_http::builder(&base, &Proxies::default()).map_err(wrong)?;
        let http = http.build().map_err(|error| wrong(error.to_string()))?;
        let runtime = guardhost_http::runtime();
        let runtime = Mutex::new(runtime.map_err(|error| wrong(error.to_string()))?);
        Ok(Client { base, token: settings.token.clone(), http, runtime, budget })
    }

    /// Asks, and reads the answer as `T`.
    pub(super) fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        query: &[(&str, &str)],
        body: Option<&impl Serialize>,
    ) -> Result<T, Absence> {
        let question = format!("{method} {path}");
        let absent = |reason| Absence { question: question.clone(), reason };
        let allowance = self.budget.allowance().ok_or_else(|| absent(AbsenceReason::OutOfTime))?;
        let begun = Instant::now();
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let mut request = self.http.request(method, url).timeout(allowance);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            let json = serde_json::to_vec(body).map_err(|error| absent(AbsenceReason::Unusable(error.to_string())))?;
            request = request.header("content-type", "application/json").body(json);
        }
        let answered = self.runtime.lock().unwrap_or_else(PoisonError::into_inner).block_on(answer(request));
        self.budget.spend(begun, answered.is_ok());
        let (status, bytes) = answered.map_err(absent)?;
        if !(200..300).contains(&status) {
            return Err(absent(AbsenceReason::Status(status, says(&bytes))));
        }
        serde_json::from_slice(&bytes).map_err(|error| absent(AbsenceReason::Unusable(error.to_string())))
    }
}

async fn answer(request: reqwest::RequestBuilder) -> Result<(u16, Vec<u8>), AbsenceReason> {
    let failed = |error: reqwest::Error| match error.is_timeout() {
        true => AbsenceReason::TimedOut,
        // The cause says more than the outermost error, and no address is shown twice.
        false => AbsenceReason::Unreachable(root(&error.without_url())),
    };
    let mut response = request.send().await.map_err(failed)?;
    let status = response.status().as_u16();
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if bytes.len() + chunk.len() > ANSWER {
            return Err(AbsenceReason::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok((status, bytes))
}

fn root(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

/// The words of an error: of the observer's own JSON, else the beginning of what came. Control characters are left out.
fn says(bytes: &[u8]) -> String {
    let text = match serde_json::from_slice::<Problem>(bytes) {
        Ok(problem) => problem.error,
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    };
    text.chars().filter(|c| !c.is_control()).take(SHOWN).collect()
}
