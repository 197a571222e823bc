//! Keys and JWTs of NATS, as its tool `nsc` makes them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};

/// What a key is for, as its first letter says.
#[derive(Clone, Copy)]
pub enum Role {
    Operator = 14 << 3,
    Account = 0,
    User = 20 << 3,
}

pub struct Key {
    role: Role,
    seed: [u8; 32],
    pair: Ed25519KeyPair,
}

impl Key {
    pub fn new(role: Role, byte: u8) -> Self {
        let seed = [byte; 32];
        Key { role, seed, pair: Ed25519KeyPair::from_seed_unchecked(&seed).unwrap() }
    }

    pub fn public(&self) -> String {
        text(&[&[self.role as u8], self.pair.public_key().as_ref()].concat())
    }

    pub fn seed(&self) -> String {
        let (prefix, seed) = (18 << 3, self.role as u8);
        text(&[&[prefix | (seed >> 5), (seed & 31) << 3][..], &self.seed].concat())
    }

    /// Says this of somebody.
    pub fn jwt(&self, subject: &Key, name: &str, nats: Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let header = part(&json!({ "typ": "JWT", "alg": "ed25519-nkey" }));
        let claims = json!({
            "jti": name, "iat": 1_700_000_000, "iss": self.public(), "sub": subject.public(), "name": name, "nats": nats,
        });
        let signed = format!("{header}.{}", part(&claims));
        let signature = URL_SAFE_NO_PAD.encode(self.pair.sign(signed.as_bytes()).as_ref());
        format!("{signed}.{signature}")
    }
}

/// In base 32, with a check sum behind it.
fn text(bytes: &[u8]) -> String {
    let bytes = [bytes, &check_sum(bytes).to_le_bytes()].concat();
    let bits: Vec<u8> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    let letter = |bits: &[u8]| {
        let value = (0..5).fold(0, |value, at| value << 1 | usize::from(bits.get(at).copied().unwrap_or(0)));
        char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value])
    };
    bits.chunks(5).map(letter).collect()
}

/// CRC-16/XMODEM.
fn check_sum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0_u16, |sum, byte| {
        (0..8).fold(sum ^ u16::from(*byte) << 8, |sum, _| if sum & 0x8000 == 0 { sum << 1 } else { sum << 1 ^ 0x1021 })
    })
}
