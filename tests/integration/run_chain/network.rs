//! The ways to a server: encrypted, and through a proxy.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;

use super::place::{Place, SECRET};
use crate::support::server::{Play, Server};

fn nothing_to_do() -> Vec<Play> {
    let answer = json!({ "model": "m", "choices": [{ "message": { "content": "NO_CHANGES_NEEDED" }, "finish_reason": "stop" }] });
    vec![Play::new(200, "application/json", &answer.to_string())]
}

/// A server on `localhost` with a certificate that nobody else vouches for, which lies in `cert.pem`.
fn encrypted(dir: &Path) -> Server {
    let args = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -days 2 \
                -subj /CN=localhost -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE";
    let made =
        Command::new("openssl").args(args.split_whitespace()).current_dir(dir).output().expect("openssl is here");
    assert!(made.status.success(), "{made:?}");
    let cert = CertificateDer::from_pem_file(dir.join("cert.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(dir.join("key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(config.with_no_client_auth().with_single_cert(vec![cert], key).unwrap());
    Server::wrapped(nothing_to_do(), move |stream| {
        Box::new(StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), stream))
    })
}

#[test]
fn a_server_gets_the_key_when_somebody_vouches_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let server = encrypted(dir.path());
    let url = server.url.replace("http://127.0.0.1", "https://localhost");
    let place = Place::new(&format!("[providers.it]\nbase_url = \"{url}/v1\"\nkey_env = \"SERVER_KEY\"\n"));
    let test = ["provider", "test", "it"];
    let stranger = place.host(&test).expect(6);
    assert!(stranger.stderr.contains("invalid peer certificate"), "{}", stranger.stderr);
    assert!(server.requests().is_empty());
    let known = place.command(&test).env("SSL_CERT_FILE", dir.path().join("cert.pem")).output().unwrap();
    assert!(known.status.success(), "{known:?}");
    let key = ("authorization".to_owned(), format!("Bearer {SECRET}"));
    assert!(server.requests()[0].headers.contains(&key));
}

#[test]
fn the_callers_proxy_is_used_and_its_exceptions_too() {
    let proxy = Server::start(nothing_to_do());
    let place = Place::new("[providers.it]\nbase_url = \"http://llm.invalid/v1\"\n");
    let test = |except: &str| {
        let mut command = place.command(&["provider", "test", "it"]);
        command.env("http_proxy", proxy.url.replace("http://", "http://me:proxy-pass@")).env("no_proxy", except);
        command.output().unwrap()
    };
    let through = test("other.invalid");
    assert!(through.status.success(), "{through:?}");
    let asked = &proxy.requests()[0];
    assert_eq!(asked.line, "POST http://llm.invalid/v1/chat/completions");
    assert!(asked.headers.iter().any(|(name, _)| name == "proxy-authorization"), "{asked:?}");
    let past = test("llm.invalid");
    assert_eq!(past.status.code(), Some(6), "there is no such host");
    assert_eq!(proxy.requests().len(), 1);
    assert!(!format!("{through:?}{past:?}").contains("proxy-pass"));
}
