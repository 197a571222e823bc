//! The connection: encrypted with ring, through the caller's proxies, never redirected.

use std::sync::Arc;
use std::time::Duration;

use guardhost_core::process_env::ProcessEnv;
use reqwest::redirect::Policy;
use reqwest::{Client, NoProxy, Proxy, Url};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::error::{FailureClass, ForgeError, Result};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// The proxies of the environment, as curl reads them.
#[derive(Debug, Clone, Default)]
pub struct Proxies {
    http: Option<String>,
    https: Option<String>,
    except: Option<String>,
}

impl Proxies {
    pub fn of(process: &ProcessEnv) -> Self {
        let set = |names: [&str; 2]| {
            let text = names.into_iter().find_map(|name| process.var(name)).and_then(|value| value.to_str());
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let all = || set(["all_proxy", "ALL_PROXY"]);
        Proxies {
            http: set(["http_proxy", "HTTP_PROXY"]).or_else(all),
            https: set(["https_proxy", "HTTPS_PROXY"]).or_else(all),
            except: set(["no_proxy", "NO_PROXY"]),
        }
    }

    fn of_url(&self, url: &Url) -> Option<reqwest::Result<Proxy>> {
        let proxy = if url.scheme() == "https" { &self.https } else { &self.http };
        let except = self.except.as_deref().and_then(NoProxy::from_string);
        Some(Proxy::all(proxy.as_deref()?).map(|proxy| proxy.no_proxy(except)))
    }
}

/// The address of an API.
pub(super) fn address(text: &str) -> Result<Url> {
    let wrong = |what: &str| ForgeError::new(FailureClass::Address, format!("the address of the API {what}"));
    let url: Url = text.parse().map_err(|_| wrong("is none, such as https://api.github.com"))?;
    if !["http", "https"].contains(&url.scheme()) || url.host_str().is_none() {
        return Err(wrong("begins with https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("holds a user name or a password"));
    }
    match is_private(&url) {
        true => Ok(url),
        false => Err(wrong("is not encrypted, so no token is sent there")),
    }
}

/// Whether nobody between here and there can read what is sent.
pub(super) fn is_private(url: &Url) -> bool {
    url.scheme() == "https" || is_loopback(url)
}

/// Whether the address names this machine. No name is looked up.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}

pub(super) fn client(url: &Url, proxies: &Proxies) -> Result<Client> {
    let wrong = |why: String| ForgeError::new(FailureClass::Unreachable, format!("cannot prepare a connection: {why}"));
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
        // A redirect would send the token to any address that the answer names.
        .redirect(Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(concat!("guardhost/", env!("CARGO_PKG_VERSION")))
        // The library does not read the environment.
        .no_proxy();
    if !is_loopback(url)
        && let Some(proxy) = proxies.of_url(url)
    {
        builder = builder.proxy(proxy.map_err(|error| wrong(error.without_url().to_string()))?);
    }
    builder.build().map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn tokens_go_to_encrypted_addresses_or_this_machine() {
        for good in ["https://api.github.com", "http://127.0.0.1:8000/api/v3", "http://[::1]:1", "http://localhost:1"] {
            assert!(address(good).is_ok(), "{good}");
        }
        for bad in [
            "http://api.github.com",
            "http://127.0.0.1.example.org",
            "https://me@host",
            "https://a:b@host",
            "ftp://host",
            "host",
        ] {
            assert!(address(bad).is_err(), "{bad}");
        }
    }
}
