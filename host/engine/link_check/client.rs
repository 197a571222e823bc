//! The connection: encrypted with ring, certificates checked as the system checks them, and no memory.

use std::sync::Arc;

use reqwest::Client;
use reqwest::redirect::Policy;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use super::names::{Names, Pinned};

/// Errors, in words: the library refuses its configuration.
pub fn client(names: Arc<Names>) -> Result<Client, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let tls = tls.map_err(|error| error.to_string())?;
    // A system without certificates trusts no https address, which are then unknown; the others need none.
    let tls = match tls.clone().with_platform_verifier() {
        Ok(tls) => tls,
        Err(_) => tls.with_root_certificates(RootCertStore::empty()),
    };
    let builder = Client::builder()
        .tls_backend_preconfigured(tls.with_no_client_auth())
        .dns_resolver(Arc::new(Pinned(names)))
        // Each is a question of its own, under the same rules.
        .redirect(Policy::none())
        // A proxy would look names up anew, and may stand where private addresses are near.
        .no_proxy()
        .referer(false)
        .retry(reqwest::retry::never())
        .pool_max_idle_per_host(0)
        .user_agent(concat!("guardhost/", env!("CARGO_PKG_VERSION"), " (link check)"));
    builder.build().map_err(|error| error.to_string())
}
