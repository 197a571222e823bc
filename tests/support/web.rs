//! A web server with TLS on loopback, for what is fetched over https.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};

/// Serves files by path, and 404 for any other path. Its threads end with the process.
pub struct Web {
    pub port: u16,
    pub files: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
}

/// The certificate authority to trust, for `SSL_CERT_FILE`.
pub fn capability() -> String {
    format!("{}/tests/support/tls/ca.pem", env!("CARGO_MANIFEST_DIR"))
}

impl Web {
    pub fn start() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/tls");
        let chain = CertificateDer::pem_file_iter(folder.join("leaf.pem")).unwrap().map(Result::unwrap).collect();
        let key = PrivateKeyDer::from_pem_file(folder.join("leaf.key")).unwrap();
        let config = ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .unwrap();
        let config = Arc::new(config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let web = Web { port: listener.local_addr().unwrap().port(), files: Arc::default() };
        let files = web.files.clone();
        std::thread::spawn(move || {
            for mut socket in listener.incoming().map_while(Result::ok) {
                let (config, files) = (config.clone(), files.clone());
                std::thread::spawn(move || {
                    let mut connection = ServerConnection::new(config).unwrap();
                    let mut stream = Stream::new(&mut connection, &mut socket);
                    // A client that does not trust us hangs up.
                    while answer(&mut stream, &files).is_some() {}
                });
            }
        });
        web
    }

    pub fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.port)
    }

    pub fn put(&self, path: &str, bytes: Vec<u8>) {
        self.files.lock().unwrap().insert(path.to_owned(), bytes);
    }
}

/// One request; None when there is no more.
fn answer(stream: &mut (impl std::io::Read + Write), files: &Mutex<BTreeMap<String, Vec<u8>>>) -> Option<()> {
    let mut lines = BufReader::new(&mut *stream).lines();
    let request = lines.next()?.ok()?;
    while !lines.next()?.ok()?.is_empty() {}
    let path = request.split(' ').nth(1)?;
    let body = files.lock().unwrap().get(path).cloned();
    let status = if body.is_some() { "200 OK" } else { "404 Not Found" };
    let body = body.unwrap_or_default();
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n", body.len()).ok()?;
    stream.write_all(&body).ok()?;
    stream.flush().ok()
}
