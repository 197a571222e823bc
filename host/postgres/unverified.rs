//! `sslmode=require`: encrypted, and whoever answers is believed to be the server, as libpq has it.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};

/// Takes any certificate. Who answers must have its key all the same.
#[derive(Debug)]
struct AnyCertificate(CryptoProvider);

/// # Errors
/// The library's message.
pub fn tls() -> Result<ClientConfig, String> {
    let provider = rustls::crypto::ring::default_provider();
    let tls = ClientConfig::builder_with_provider(Arc::new(provider.clone())).with_safe_default_protocol_versions();
    let tls = tls.map_err(|error| error.to_string())?.dangerous();
    Ok(tls.with_custom_certificate_verifier(Arc::new(AnyCertificate(provider))).with_no_client_auth())
}

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer,
        _: &[CertificateDer],
        _: &ServerName,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
