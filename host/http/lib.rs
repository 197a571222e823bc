//! How the host's HTTP connections are made: TLS by ring with the system's certificates, the caller's proxies, no redirects. Providers,
//! forges and observers are asked through such a connection. What is sent, and how often, is decided by those who ask.

mod address;
mod connection;
mod proxies;
mod runtime;

pub use address::{is_loopback, is_private};
pub use connection::{Certificates, USER_AGENT, builder, is_untrusted, tls, tls_trusting};
pub use proxies::Proxies;
pub use runtime::runtime;
