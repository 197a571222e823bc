//! A server with TLS: who trusts its certificate is answered, and nobody is answered without encryption.

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use guardhost_core::error::{FaultKind, kind};
use guardhost_service::http::{ServerLimits, Tls};
use guardhost_service::serve::ServerSettings;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use support::Served;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/support/tls").join(name)
}

fn served() -> Served {
    let tls = Tls::read(&file("leaf.pem"), &file("leaf.key")).unwrap();
    let limits = ServerLimits { head: Duration::from_secs(3), ..ServerLimits::default() };
    Served::with(|settings| ServerSettings { tls: Some(tls), limits, ..settings })
}

/// A connection that trusts this authority alone.
fn connect(served: &Served, trusted: &[&str]) -> std::io::Result<StreamOwned<ClientConnection, TcpStream>> {
    let mut roots = RootCertStore::empty();
    for name in trusted {
        roots.add(CertificateDer::from_pem_file(file(name)).unwrap()).unwrap();
    }
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let client = ClientConnection::new(Arc::new(config), name).unwrap();
    let stream = TcpStream::connect(served.url.strip_prefix("https://").unwrap())?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut stream = StreamOwned::new(client, stream);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    Ok(stream)
}

fn get(served: &Served, path: &str) -> String {
    let mut stream = connect(served, &["ca.pem"]).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_client_that_trusts_the_certificate_is_answered_and_no_other() {
    let served = served();
    assert!(served.url.starts_with("https://127.0.0.1:"), "{}", served.url);
    let ready = get(&served, "/readyz");
    assert!(ready.starts_with("HTTP/1.1 200") && ready.contains("ready"), "{ready}");
    let untrusted = connect(&served, &[]).unwrap_err();
    assert!(untrusted.to_string().contains("UnknownIssuer"), "{untrusted}");
    // Plain HTTP gets no word, and what never says anything does not hold its place.
    let address = served.url.strip_prefix("https://").unwrap();
    for said in ["GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n", ""] {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(said.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!String::from_utf8_lossy(&answer).contains("HTTP/"), "{answer:?}");
    }
    let metrics = get(&served, "/metrics");
    assert!(metrics.contains("guardhost_turned_away_total{result=\"handshake\"} 3"), "{metrics}");
}

#[test]
fn files_that_are_no_certificate_and_key_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "no PEM").unwrap();
    let missing = folder.path().join("missing.pem");
    for (certificate, key, named) in [
        (&missing, &file("leaf.key"), "missing.pem"),
        (&empty, &file("leaf.key"), "empty.pem holds no certificate"),
        (&file("leaf.key"), &file("leaf.key"), "leaf.key holds no certificate"),
        (&file("leaf.pem"), &empty, "empty.pem cannot be read as a private key"),
        (&file("leaf.pem"), &file("ca.pem"), "ca.pem cannot be read as a private key"),
        (&file("ca.pem"), &file("leaf.key"), "ca.pem cannot be used with"),
    ] {
        let error = Tls::read(certificate, key).map(|_| ()).unwrap_err();
        assert_eq!(kind(&error), FaultKind::Usage);
        assert!(error.to_string().contains(named), "{named}: {error:#}");
    }
}
