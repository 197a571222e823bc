//! The client of the HTTP library, and its TLS.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Url};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::Proxies;

/// What tells servers who asks.
pub const USER_AGENT: &str = concat!("guardhost/", env!("CARGO_PKG_VERSION"));

const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// By which certificates a server is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certificates {
    /// Those of the operating system.
    System,
    /// By none: no `https` server is known.
    None,
}

/// TLS by ring. One process links one implementation of cryptography.
///
/// # Errors
/// The library's message: the system has no certificates that can be read.
pub fn tls(certificates: Certificates) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let tls = tls.map_err(|error| error.to_string())?;
    let tls = match certificates {
        Certificates::System => tls.with_platform_verifier().map_err(|error| error.to_string())?,
        Certificates::None => tls.with_root_certificates(RootCertStore::empty()),
    };
    Ok(tls.with_no_client_auth())
}

/// The same for servers that only these certificates vouch for, as PEM.
///
/// # Errors
/// There is none in it, or one cannot be read.
pub fn tls_trusting(pem: &[u8]) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| format!("it is no PEM: {error}"))?;
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    if roots.is_empty() {
        return Err("it has no certificate".to_owned());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(tls.map_err(|error| error.to_string())?.with_root_certificates(roots).with_no_client_auth())
}

/// Whether the server's certificate was refused: it would be again.
pub fn is_untrusted(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        let inner = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>());
        if let Some(rustls::Error::InvalidCertificate(_)) = inner.or_else(|| error.downcast_ref()) {
            return true;
        }
        next = error.source();
    }
    false
}

/// A client for one server, to which the caller may send a secret. It is not redirected, since a redirect would send the secret to any
/// address that an answer names. The library does not read the environment.
///
/// # Errors
/// The library's message: certificates or the address of the proxy cannot be used. It holds no credential of a proxy.
pub fn builder(url: &Url, proxies: &Proxies) -> Result<ClientBuilder, String> {
    let tls = match url.scheme() {
        "https" => tls(Certificates::System)?,
        // Plain HTTP needs no certificates, and reading the system's takes longer than a local answer.
        _ => tls(Certificates::None)?,
    };
    let builder = Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(USER_AGENT)
        .no_proxy();
    match proxies.for_url(url) {
        Some(proxy) => Ok(builder.proxy(proxy.map_err(|error| error.without_url().to_string())?)),
        None => Ok(builder),
    }
}
