//! How connections to PostgreSQL are made, for the observer's store and for queues: the address, and TLS as `sslmode` and `sslrootcert` of the
//! address have it.

mod address;
mod unverified;

pub use address::{AddressError, Target};
pub use tokio_postgres_rustls::MakeRustlsConnect;
