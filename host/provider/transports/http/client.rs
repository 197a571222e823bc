//! The connection: encrypted with ring, through the caller's proxies, never redirected.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, NoProxy, Proxy, Url};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::{Environment, FailureClass, ProviderFailure};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// Made for each question, so that the process holds no state, and commands that ask no provider build none.
pub(super) fn client(url: &Url, environment: &Environment) -> Result<Client, ProviderFailure> {
    let wrong = |why: String| ProviderFailure::new(FailureClass::Config, format!("cannot prepare a connection: {why}"));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let tls = tls.map_err(|error| wrong(error.to_string()))?;
    let tls = match url.scheme() {
        "https" => tls.with_platform_verifier().map_err(|error| wrong(error.to_string()))?,
        // Plain HTTP needs no certificates, and reading the system's takes longer than a local answer.
        _ => tls.with_root_certificates(RootCertStore::empty()),
    }
    .with_no_client_auth();
    let mut builder = Client::builder()
        .tls_backend_preconfigured(tls)
        // A redirect would send the key to any address that the answer names.
        .redirect(Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(concat!("guardhost/", env!("CARGO_PKG_VERSION")))
        // The library does not read the environment; `proxy` below uses the caller's.
        .no_proxy();
    if !is_loopback(url)
        && let Some(proxy) = proxies(url, environment)
    {
        builder = builder.proxy(proxy.map_err(|error| wrong(error.without_url().to_string()))?);
    }
    builder.build().map_err(|error| wrong(error.to_string()))
}

/// Reads the variables as curl does.
fn proxies(url: &Url, environment: &Environment) -> Option<reqwest::Result<Proxy>> {
    let set =
        |names: [&str; 2]| names.into_iter().find_map(|name| environment.text(name)).filter(|url| !url.is_empty());
    let own = if url.scheme() == "https" { ["https_proxy", "HTTPS_PROXY"] } else { ["http_proxy", "HTTP_PROXY"] };
    let proxy = set(own).or_else(|| set(["all_proxy", "ALL_PROXY"]))?;
    let except = set(["no_proxy", "NO_PROXY"]).and_then(NoProxy::from_string);
    Some(Proxy::all(proxy).map(|proxy| proxy.no_proxy(except)))
}

/// Whether the address names this machine. No name is looked up.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}
