//! How connections to PostgreSQL are made, for the observer's store and for queues: the address, and TLS as `sslmode` and `sslrootcert` of the
//! address have it; and how long one operation on a connection may take.

mod address;
mod connection;
mod unverified;

pub use address::{AddressError, Target};
pub use connection::PooledConnection;
pub use tokio_postgres_rustls::MakeRustlsConnect;
