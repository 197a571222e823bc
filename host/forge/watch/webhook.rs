//! Deliveries of a forge's webhook: what was signed with the secret, once each. The caller has the bytes and the headers.
//!
//! A delivery is news to ask the forge about, and no answer itself: a verdict is never taken from one.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::seen::SeenDeliveries;

/// The longest body: GitHub's own limit.
pub(super) const MAX_BODY_BYTES: usize = 25 << 20;
/// The longest delivery id; GitHub's has 36 characters.
const MAX_ID_BYTES: usize = 128;

/// A request of a forge. Gitea sends the same headers beside its own.
#[derive(Debug, Clone, Copy)]
pub struct Delivery<'a> {
    /// `X-GitHub-Event`.
    pub event: &'a str,
    /// `X-GitHub-Delivery`.
    pub id: &'a str,
    /// `X-Hub-Signature-256`: `sha256=` and 64 hexadecimal digits.
    pub signature: &'a str,
    pub body: &'a [u8],
}

/// What a delivery says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// A build of a commit began or ended, or a service said something of it.
    Builds { repository: String, sha: String },
    /// A pull request was opened, closed or opened again, has another commit, or goes to another branch.
    Pull(PullNews),
    /// A branch has another commit.
    Branch { repository: String, branch: String },
    /// Nothing that changes how a pull request's builds stand.
    Nothing,
    /// The delivery was read before.
    Again,
}

/// Where a pull request stands, as its forge said it. Whoever acts on it asks the remote for the commits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullNews {
    /// `OWNER/NAME`.
    pub repository: String,
    pub number: u64,
    /// Its commit.
    pub sha: String,
    /// The branch that it goes to.
    pub base: String,
    /// From where git fetches the repository that it goes to.
    pub clone_url: String,
    pub is_open: bool,
}

/// Why a delivery is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RefusedDelivery {
    #[error("the delivery is longer than {} MiB", MAX_BODY_BYTES >> 20)]
    TooLong,
    #[error("the delivery is not signed with the webhook's secret")]
    Signature,
    #[error("the delivery has no id")]
    NoId,
    /// It was signed: the forge sent it, and this version does not know its form.
    #[error("the delivery has another form than expected: {0}")]
    Form(String),
}

/// Reads deliveries that are signed with one secret.
pub struct Webhook {
    secret: secrecy::SecretString,
    seen: SeenDeliveries,
}

impl Webhook {
    /// None for an empty secret, with which anyone could sign.
    pub fn new(secret: impl Into<String>) -> Option<Self> {
        let secret: String = secret.into();
        (!secret.is_empty()).then(|| Webhook { secret: secret.into(), seen: SeenDeliveries::default() })
    }

    /// Remembers what was read in a file, for the next process too.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn remembering(self, file: &Path) -> io::Result<Self> {
        Ok(Webhook { seen: SeenDeliveries::kept_at(file)?, ..self })
    }

    /// Nothing of a delivery is looked at before its signature. The id is not signed, so that a body that was read is not read again under
    /// another id. It is remembered only by [`Webhook::remember`], when what it says is kept: one that could not be read or kept may be
    /// delivered again.
    pub fn read(&self, delivery: Delivery<'_>) -> Result<News, RefusedDelivery> {
        if delivery.body.len() > MAX_BODY_BYTES {
            return Err(RefusedDelivery::TooLong);
        }
        let signature = signature(delivery.signature).ok_or(RefusedDelivery::Signature)?;
        let expected = self.signed(delivery.body);
        if !is_equal(&signature, &expected) {
            return Err(RefusedDelivery::Signature);
        }
        if delivery.id.is_empty() || delivery.id.len() > MAX_ID_BYTES {
            return Err(RefusedDelivery::NoId);
        }
        if self.seen.has(delivery.id, &expected) {
            return Ok(News::Again);
        }
        news(delivery.event, delivery.body)
    }

    /// A delivery that was read, and whose news are kept.
    ///
    /// # Errors
    /// It cannot be written down: it may come again, which changes nothing.
    pub fn remember(&mut self, delivery: Delivery<'_>) -> io::Result<()> {
        let body = self.signed(delivery.body);
        self.seen.add(delivery.id, body)
    }

    fn signed(&self, body: &[u8]) -> [u8; 32] {
        hmac(secrecy::ExposeSecret::expose_secret(&self.secret).as_bytes(), body)
    }
}

impl News {
    /// Whether it is worth asking the forge about a pull request, whose head is this commit, before the next question is due.
    pub fn concerns(&self, repository: &str, number: u64, sha: &str) -> bool {
        match self {
            News::Builds { repository: of, sha: at } => of.eq_ignore_ascii_case(repository) && at == sha,
            News::Pull(pull) => pull.repository.eq_ignore_ascii_case(repository) && pull.number == number,
            News::Branch { .. } | News::Nothing | News::Again => false,
        }
    }
}

fn news(event: &str, body: &[u8]) -> Result<News, RefusedDelivery> {
    let value: Value = serde_json::from_slice(body).map_err(|error| RefusedDelivery::Form(error.to_string()))?;
    let text = |value: &Value, name: &str| {
        value.as_str().map(str::to_owned).ok_or_else(|| RefusedDelivery::Form(format!("`{name}` is no text")))
    };
    let repository = || text(&value["repository"]["full_name"], "repository.full_name");
    let builds = |sha: &Value| Ok(News::Builds { repository: repository()?, sha: text(sha, "head_sha")? });
    match event {
        "check_run" | "check_suite" | "workflow_job" | "workflow_run" => builds(&value[event]["head_sha"]),
        "status" => builds(&value["sha"]),
        "push" => {
            let name = text(&value["ref"], "ref")?;
            let is_deleted = value["after"].as_str().is_none_or(|after| after.bytes().all(|digit| digit == b'0'));
            match name.strip_prefix("refs/heads/").filter(|_| !is_deleted) {
                Some(branch) => Ok(News::Branch { repository: repository()?, branch: branch.to_owned() }),
                None => Ok(News::Nothing),
            }
        }
        // Gitea's word for a new commit has a `d`.
        "pull_request" => {
            let pull = &value["pull_request"];
            let is_open = match value["action"].as_str() {
                Some("opened" | "synchronize" | "synchronized" | "reopened") => true,
                // A title is edited too.
                Some("edited") if !value["changes"]["base"].is_null() => true,
                Some("closed") => false,
                _ => return Ok(News::Nothing),
            };
            let (repository, clone_url) =
                (repository()?, text(&value["repository"]["clone_url"], "repository.clone_url")?);
            // The verdict of what is fetched from the one is written at the other.
            if !is_address_of(&clone_url, &repository) {
                return Err(RefusedDelivery::Form("`clone_url` is not that of `full_name`".to_owned()));
            }
            let sha = text(&pull["head"]["sha"], "head.sha")?;
            if !matches!(sha.len(), 40 | 64) || !sha.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return Err(RefusedDelivery::Form("`head.sha` is no id of a commit".to_owned()));
            }
            Ok(News::Pull(PullNews {
                repository,
                number: value["number"]
                    .as_u64()
                    .ok_or_else(|| RefusedDelivery::Form("`number` is no number".to_owned()))?,
                sha,
                base: text(&pull["base"]["ref"], "base.ref")?,
                clone_url,
                is_open,
            }))
        }
        _ => Ok(News::Nothing),
    }
}

/// Whether git fetches the repository of this name from there. A forge may be below a path of its host.
fn is_address_of(clone_url: &str, full_name: &str) -> bool {
    let path = clone_url.trim_end_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path).to_ascii_lowercase();
    !full_name.is_empty() && path.ends_with(&format!("/{}", full_name.to_ascii_lowercase()))
}

pub(super) fn signature(text: &str) -> Option<[u8; 32]> {
    digits(text.strip_prefix("sha256=")?)
}

/// 64 hexadecimal digits.
pub(super) fn digits(digits: &str) -> Option<[u8; 32]> {
    if digits.len() != 64 {
        return None;
    }
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        let digit = |at: usize| char::from(digits.as_bytes()[at]).to_digit(16);
        *byte = u8::try_from(digit(2 * at)? * 16 + digit(2 * at + 1)?).ok()?;
    }
    Some(bytes)
}

/// Takes the same time wherever they differ.
fn is_equal(a: &[u8; 32], b: &[u8; 32]) -> bool {
    a.iter().zip(b).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// HMAC-SHA-256 (RFC 2104).
fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut block = [0_u8; 64];
    if key.len() > block.len() {
        block[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let pad = |with: u8| block.map(|byte| byte ^ with);
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(text).finalize();
    Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::{hmac, signature};

    /// Cases 2 and 6 of RFC 4231, and the example of GitHub's documentation.
    #[test]
    fn signatures_are_those_of_the_standard() {
        let long = [0xaa_u8; 131];
        let cases: [(&[u8], &str, &str); 3] = [
            (
                b"Jefe",
                "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                &long,
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
            (
                b"It's a Secret to Everybody",
                "Hello, World!",
                "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
            ),
        ];
        for (key, text, expected) in cases {
            assert_eq!(Some(hmac(key, text.as_bytes())), signature(&format!("sha256={expected}")), "{text}");
        }
    }
}
