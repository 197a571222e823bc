//! The HTTP client: TLS by ring, certificates checked as the system does, no state between requests.

use std::sync::Arc;

use guardhost_http::{Certificates, USER_AGENT, tls};
use reqwest::Client;
use reqwest::redirect::Policy;

use super::names::{NameLookups, Pinned};

/// Errors: the library's message when it refuses the configuration.
pub fn client(names: Arc<NameLookups>) -> Result<Client, String> {
    // Without system certificates every https address is unknown; http addresses need none.
    let tls = tls(Certificates::System).or_else(|_| tls(Certificates::None))?;
    let builder = Client::builder()
        .tls_backend_preconfigured(tls)
        .dns_resolver(Arc::new(Pinned(names)))
        // Each redirect is checked under the same rules: see `ask`.
        .redirect(Policy::none())
        // A proxy would resolve names again, and may be able to reach private addresses.
        .no_proxy()
        .referer(false)
        .retry(reqwest::retry::never())
        .pool_max_idle_per_host(0)
        .user_agent(format!("{USER_AGENT} (link check)"));
    builder.build().map_err(|error| error.to_string())
}
