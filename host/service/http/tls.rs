//! TLS by files, for a server without a proxy in front of it.

use std::path::Path;
use std::sync::Arc;

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

/// The certificate of a server and its key, as they were when it started: a renewed certificate needs a new start.
#[derive(Clone)]
pub struct Tls(pub(super) TlsAcceptor);

impl Tls {
    /// Both files are PEM: the certificate with those that lead to its authority, and its private key, not encrypted.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: a file cannot be read, holds nothing of its kind, or the two do not belong together.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self> {
        let wrong = |file: &Path, what: &str| Fault::new(FaultKind::Usage, format!("{} {what}", file.display()));
        let chain = || CertificateDer::pem_file_iter(certificate)?.collect::<Result<Vec<_>, _>>();
        let chain = chain().with_context(|| {
            wrong(certificate, "cannot be read as certificates")
                .hint("--tls-cert names a PEM file: the server's certificate first, then those that signed it")
        })?;
        if chain.is_empty() {
            return Err(wrong(certificate, "holds no certificate").hint("--tls-cert names a PEM file").into());
        }
        let key_of = || {
            wrong(key, "cannot be read as a private key")
                .hint("--tls-key names a PEM file with a key that is not encrypted")
        };
        let secret = PrivateKeyDer::from_pem_file(key).with_context(key_of)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(chain, secret));
        let mut config = config.with_context(|| {
            let what = format!("cannot be used with {}", key.display());
            wrong(certificate, &what).hint("the first certificate must be that of the key")
        })?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Tls(TlsAcceptor::from(Arc::new(config))))
    }
}
