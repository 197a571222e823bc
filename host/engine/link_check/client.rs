//! The HTTP client: TLS by ring, certificates checked as the system does, no state between requests.

use std::sync::Arc;

use reqwest::Client;
use reqwest::redirect::Policy;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use super::names::{Names, Pinned};

/// Errors: the library's message when it refuses the configuration.
pub fn client(names: Arc<Names>) -> Result<Client, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let tls = tls.map_err(|error| error.to_string())?;
    // Without system certificates every https address is unknown; http addresses need none.
    let tls = match tls.clone().with_platform_verifier() {
        Ok(tls) => tls,
        Err(_) => tls.with_root_certificates(RootCertStore::empty()),
    };
    let builder = Client::builder()
        .tls_backend_preconfigured(tls.with_no_client_auth())
        .dns_resolver(Arc::new(Pinned(names)))
        // Each redirect is checked under the same rules: see `ask`.
        .redirect(Policy::none())
        // A proxy would resolve names again, and may be able to reach private addresses.
        .no_proxy()
        .referer(false)
        .retry(reqwest::retry::never())
        .pool_max_idle_per_host(0)
        .user_agent(concat!("guardhost/", env!("CARGO_PKG_VERSION"), " (link check)"));
    builder.build().map_err(|error| error.to_string())
}
