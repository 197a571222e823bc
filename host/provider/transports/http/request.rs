//! The HTTP request for a question, with the key where it may be sent.

use guardhost_http::is_private;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{RequestBuilder, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use super::{BodyQuestion, HttpServer, Request, client};
use crate::{FailureClass, ProviderFailure, ProviderRuntime};

pub(super) fn build(request: &Request<'_>, server: &HttpServer) -> Result<RequestBuilder, ProviderFailure> {
    let HttpServer { dialect, stream, .. } = *server;
    let url = format!("{}/{}", server.base_url.trim_end_matches('/'), dialect.path);
    let url: Url = url.parse().map_err(|error| {
        ProviderFailure::new(FailureClass::Config, format!("`{}` is not an address: {error}", server.base_url))
            .hint("correct base_url")
    })?;
    let prompt = String::from_utf8_lossy(request.prompt);
    let question = BodyQuestion { prompt: &prompt, model: request.provider.model.as_deref(), stream };
    let mut body = (dialect.body)(&question);
    if let Value::Object(body) = &mut body {
        body.extend(server.body.clone());
    }
    let mut built = client::client(&url, &request.runtime.environment)?.post(url.clone());
    built = built.header(CONTENT_TYPE, "application/json").body(body.to_string());
    for (name, value) in dialect.headers {
        built = built.header(*name, *value);
    }
    let Some(variable) = &server.key else { return Ok(built) };
    let (name, value) = (dialect.key)(key(variable, &url, request.runtime)?.expose_secret());
    let mut value = HeaderValue::try_from(value).map_err(|_| {
        ProviderFailure::new(
            FailureClass::Auth,
            format!("the variable {variable} holds no key: it has characters that no header can carry"),
        )
    })?;
    value.set_sensitive(true);
    Ok(built.header(name, value))
}

/// The key for this address, if it may be sent there.
fn key(variable: &str, url: &Url, runtime: &ProviderRuntime) -> Result<SecretString, ProviderFailure> {
    if !is_private(url) {
        let what = format!(
            "{} is not encrypted, so the key in {variable} is not sent there",
            url.origin().ascii_serialization()
        );
        return Err(ProviderFailure::new(FailureClass::Config, what)
            .hint("use an https address, or leave out key_env if the server needs no key"));
    }
    runtime.environment.key(variable).ok_or_else(|| {
        ProviderFailure::new(FailureClass::Auth, format!("the variable {variable} is not set"))
            .hint(format!("set {variable} to the key"))
    })
}
