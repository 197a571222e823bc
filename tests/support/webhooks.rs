//! Deliveries of a forge's webhook.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use sha2::{Digest as _, Sha256};

/// As a forge signs.
pub fn signed(secret: &str, body: &[u8]) -> String {
    let pad =
        |with: u8| -> Vec<u8> { secret.bytes().chain(std::iter::repeat(0)).take(64).map(|byte| byte ^ with).collect() };
    let inner = Sha256::digest([pad(0x36).as_slice(), body].concat());
    let outer = Sha256::digest([pad(0x5c).as_slice(), &inner].concat());
    format!("sha256={}", outer.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// Sends one, and gives the status of the answer.
pub fn deliver(address: &str, secret: &str, event: &str, id: &str, body: &str) -> u16 {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let signature = signed(secret, body.as_bytes());
    write!(
        stream,
        "POST / HTTP/1.1\r\nhost: here\r\nx-github-event: {event}\r\nx-github-delivery: {id}\r\nx-hub-signature-256: {signature}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status")
}
