//! `postgresql://USER:PASSWORD@HOST/DATABASE?sslmode=verify-full&sslrootcert=FILE`.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use guardhost_http::{Certificates, tls, tls_trusting};
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::unverified;

/// Bytes of a file of certificates.
const LARGEST: u64 = 4 << 20;

/// For a connection to be made.
const CONNECT: Duration = Duration::from_secs(5);
/// Without a word on a connection, before the system asks whether the other end is there; and between such questions.
const IDLE: Duration = Duration::from_secs(10);
const PROBES: Duration = Duration::from_secs(2);
/// For the other end to say that it received what was sent.
const UNANSWERED: Duration = Duration::from_secs(15);

/// What a connection is made with. The mode is in `config`: without TLS, `tls` is not asked.
#[derive(Clone)]
pub struct Target {
    pub config: Config,
    pub tls: MakeRustlsConnect,
}

/// Why an address is none. No message repeats the address, which may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    #[error("the address of PostgreSQL cannot be read; it is postgresql://USER@HOST/DATABASE")]
    Unreadable,
    #[error("sslmode={0:?} is none of disable, require and verify-full")]
    TlsMode(String),
    #[error("sslrootcert is given, and sslmode=disable does not encrypt")]
    UselessCertificates,
    #[error("cannot use the certificates in {0}: {1}")]
    Certificates(PathBuf, String),
}

/// The words of libpq that decide something here. Its `allow` and `prefer` encrypt only where nobody interferes, and its `verify-ca` takes
/// any server that the authority knows: neither is a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TlsMode {
    Disable,
    Require,
    VerifyFull,
}

impl Target {
    /// `ca` takes the place of `sslrootcert`. Whoever names certificates wants the server verified: without `sslmode` it is `verify-full`,
    /// and so is `require`. With neither the connection is not encrypted.
    ///
    /// # Errors
    /// See [`AddressError`].
    pub fn read(address: &str, ca: Option<&Path>) -> Result<Self, AddressError> {
        let (plain, words) = split(address);
        let mode = words.mode.map(|word| match word.as_str() {
            "disable" => Ok(TlsMode::Disable),
            "require" => Ok(TlsMode::Require),
            "verify-full" => Ok(TlsMode::VerifyFull),
            _ => Err(AddressError::TlsMode(word.chars().take(40).collect())),
        });
        let ca = ca.map(Path::to_owned).or(words.root.map(PathBuf::from));
        let mode = match (mode.transpose()?, &ca) {
            (Some(TlsMode::Disable), Some(_)) => return Err(AddressError::UselessCertificates),
            (Some(TlsMode::Disable) | None, None) => TlsMode::Disable,
            (Some(TlsMode::Require), None) => TlsMode::Require,
            (Some(TlsMode::VerifyFull), None) => TlsMode::VerifyFull,
            (Some(TlsMode::Require | TlsMode::VerifyFull) | None, Some(_)) => TlsMode::VerifyFull,
        };
        let system = |error| AddressError::Certificates(PathBuf::from("the system"), error);
        let tls = match (mode, &ca) {
            (TlsMode::Disable, _) => tls(Certificates::None).map_err(system)?,
            (TlsMode::Require, _) => unverified::tls().map_err(system)?,
            (TlsMode::VerifyFull, None) => tls(Certificates::System).map_err(system)?,
            (TlsMode::VerifyFull, Some(file)) => {
                let wrong = |why: String| AddressError::Certificates(file.clone(), why);
                tls_trusting(&contents(file).map_err(|error| wrong(error.to_string()))?).map_err(wrong)?
            }
        };
        let mut config = Config::from_str(&plain).map_err(|_| AddressError::Unreadable)?;
        config.ssl_mode(if mode == TlsMode::Disable { SslMode::Disable } else { SslMode::Require });
        // A connection whose other end is gone is found, also while nothing is sent on it.
        config.connect_timeout(CONNECT).keepalives_idle(IDLE).keepalives_interval(PROBES).keepalives_retries(3);
        config.tcp_user_timeout(UNANSWERED);
        Ok(Target { config, tls: MakeRustlsConnect::new(tls) })
    }
}

fn contents(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[derive(Debug, Default, PartialEq, Eq)]
struct LibpqValues {
    mode: Option<String>,
    root: Option<String>,
}

/// The address without these two, which the library does not know, or knows in part.
fn split(address: &str) -> (String, LibpqValues) {
    let mut words = LibpqValues::default();
    let Some((before, query)) = address.split_once('?') else { return (address.to_owned(), words) };
    let mut rest = Vec::new();
    for pair in query.split('&') {
        match pair.split_once('=') {
            Some(("sslmode", value)) => words.mode = Some(value.to_owned()),
            Some(("sslrootcert", value)) => words.root = Some(decoded(value)),
            _ => rest.push(pair),
        }
    }
    match rest.is_empty() {
        true => (before.to_owned(), words),
        false => (format!("{before}?{}", rest.join("&")), words),
    }
}

/// `%2F` as `/`; what is no such escape stays.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escape = after.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match escape.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "postgresql://ada:se%3Fcret@db.example.org/guardhost";

    #[test]
    fn the_mode_is_what_the_address_promises() {
        let folder = tempfile::tempdir().expect("a folder");
        let ca = folder.path().join("a ca.pem");
        std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/support/tls/ca.pem"), &ca).expect("copied");
        let named = format!("sslrootcert={}", ca.display().to_string().replace(' ', "%20"));
        let mode = |query: &str, ca: Option<&Path>| {
            let target = Target::read(&format!("{PLAIN}{query}"), ca).map(|target| target.config);
            target.map(|config| {
                assert_eq!(config.get_password(), Some(&b"se?cret"[..]));
                config.get_ssl_mode()
            })
        };
        assert_eq!(mode("", None).expect("an address"), SslMode::Disable);
        assert_eq!(mode("?sslmode=disable&connect_timeout=3", None).expect("an address"), SslMode::Disable);
        for query in ["?sslmode=require", "?connect_timeout=3&sslmode=verify-full", &format!("?{named}")] {
            assert_eq!(mode(query, None).expect("an address"), SslMode::Require, "{query}");
        }
        assert_eq!(mode("", Some(&ca)).expect("an address"), SslMode::Require);
        for wrong in ["prefer", "allow", "verify-ca", "yes", ""] {
            assert!(matches!(mode(&format!("?sslmode={wrong}"), None), Err(AddressError::TlsMode(_))), "{wrong}");
        }
        assert!(matches!(mode("?sslmode=disable", Some(&ca)), Err(AddressError::UselessCertificates)));
        std::fs::write(&ca, "no certificate").expect("written");
        assert!(matches!(mode("", Some(&ca)), Err(AddressError::Certificates(..))));
        assert!(matches!(mode("?sslmode=verify-full&sslrootcert=/none", None), Err(AddressError::Certificates(..))));
        let shown = Target::read("postgresql://ada:secret@[", None).map(drop).expect_err("no address");
        assert!(!format!("{shown} {shown:?}").contains("secret"));
    }
}
