//! Whose word counts: each worker signs with its own ed25519 key, and every machine has the list of the keys that it believes.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use guardhost_os::may_be_read_by_others;
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use crate::hex;

/// Bytes of a list of keys: some ten thousand workers.
const LIST: u64 = 1 << 20;
/// Characters of a worker's name.
const NAME: usize = 64;

/// The public half: 64 hex digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct PublicKey(String);

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PublicKey {
    /// Whether the secret half of this key made the signature, whoever has it.
    pub fn has_signed(&self, purpose: &str, parts: &[&[u8]], signature: &str) -> bool {
        let (Some(key), Some(signature)) = (hex::decode::<32>(&self.0), hex::decode::<64>(signature)) else {
            return false;
        };
        UnparsedPublicKey::new(&ED25519, key).verify(&message(purpose, parts), &signature).is_ok()
    }
}

/// The key of a worker, with which it signs.
pub struct WorkerKey {
    name: String,
    pair: Ed25519KeyPair,
}

/// Never shows the secret half.
impl fmt::Debug for WorkerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WorkerKey({} {})", self.name, self.public())
    }
}

/// Why there is no key, or no list.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("cannot read {0}: {1}")]
    Unreadable(String, io::Error),
    #[error("{0} can be read by others: run chmod 600 {0}")]
    Open(String),
    #[error("{0} is no key of a worker: 64 hex digits are expected; remove it, and the worker makes a new one")]
    NoKey(String),
    #[error("line {1} of {0} is not `NAME KEY` with a key of 64 hex digits")]
    NoLine(String, usize),
    #[error("{0:?} is no name of a worker: up to {NAME} letters, digits, `.`, `_` and `-`")]
    Name(String),
}

/// Up to 64 letters, digits, `.`, `_` and `-`.
pub fn is_name(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    !name.is_empty() && name.len() <= NAME && name.chars().all(is_part)
}

impl WorkerKey {
    /// The key in a file that only this user can read; makes it first if the file is missing. Of two workers that make one at once,
    /// one wins, and both have its key.
    ///
    /// # Errors
    /// See [`KeyError`].
    pub fn load_or_make(path: &Path, name: &str) -> Result<Self, KeyError> {
        let shown = || path.display().to_string();
        let failed = |error| KeyError::Unreadable(shown(), error);
        if !is_name(name) {
            return Err(KeyError::Name(name.to_owned()));
        }
        if !path.try_exists().map_err(failed)? {
            make(path).map_err(failed)?;
        }
        if may_be_read_by_others(&fs::metadata(path).map_err(failed)?) {
            return Err(KeyError::Open(shown()));
        }
        let text = fs::read_to_string(path).map_err(failed)?;
        let seed: [u8; 32] = hex::decode(text.trim()).ok_or_else(|| KeyError::NoKey(shown()))?;
        Self::from_seed(name, &seed).ok_or_else(|| KeyError::NoKey(shown()))
    }

    /// None for a seed that the library refuses.
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Option<Self> {
        Some(WorkerKey { name: name.to_owned(), pair: Ed25519KeyPair::from_seed_unchecked(seed).ok()? })
    }

    /// A key that is nowhere written: for a queue in this process.
    pub fn for_this_process(name: &str) -> Option<Self> {
        Self::from_seed(name, &random().ok()?)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn public(&self) -> PublicKey {
        PublicKey(hex::encode(self.pair.public_key().as_ref()))
    }

    /// `purpose` keeps a signature from being taken for one of something else. 128 hex digits.
    pub fn sign(&self, purpose: &str, parts: &[&[u8]]) -> String {
        hex::encode(self.pair.sign(&message(purpose, parts)).as_ref())
    }
}

fn random() -> io::Result<[u8; 32]> {
    let mut seed = [0; 32];
    SystemRandom::new().fill(&mut seed).map_err(|_| io::Error::other("the system gives no random bytes"))?;
    Ok(seed)
}

fn make(path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Readable by this user alone from its first byte on.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(file, "{}", hex::encode(&random()?))?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
        _ => Ok(()),
    }
}

/// Each part with its length, so that no two lists of parts are one message.
fn message(purpose: &str, parts: &[&[u8]]) -> Vec<u8> {
    let mut message = format!("guardhost {purpose}\n").into_bytes();
    for part in parts {
        message.extend((part.len() as u64).to_le_bytes());
        message.extend(*part);
    }
    message
}

/// The keys that this machine believes, each with a name.
#[derive(Debug, Clone, Default)]
pub struct KnownKeys(BTreeMap<PublicKey, String>);

impl KnownKeys {
    /// A file of lines `NAME KEY`; `#` begins a comment.
    ///
    /// # Errors
    /// [`KeyError::Unreadable`], [`KeyError::NoLine`].
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let failed = |error| KeyError::Unreadable(path.display().to_string(), error);
        if fs::metadata(path).map_err(failed)?.len() > LIST {
            return Err(failed(io::Error::other(format!("it has more than {LIST} bytes"))));
        }
        let text = fs::read_to_string(path).map_err(failed)?;
        Self::parse(&text).map_err(|line| KeyError::NoLine(path.display().to_string(), line))
    }

    /// # Errors
    /// The number of the line that is none.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let mut keys = KnownKeys::default();
        for (at, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                [name, key] if is_name(name) && hex::is_hex(key, 64) => {
                    keys.0.insert(PublicKey((*key).to_owned()), (*name).to_owned());
                }
                _ => return Err(at + 1),
            }
        }
        Ok(keys)
    }

    /// With one more: a worker believes itself.
    pub fn with(mut self, key: &WorkerKey) -> Self {
        self.0.insert(key.public(), key.name.clone());
        self
    }

    /// The name of a known key with which this was signed; None for any other key, and for a signature that is wrong.
    pub fn signer(&self, purpose: &str, parts: &[&[u8]], key: &PublicKey, signature: &str) -> Option<&str> {
        let name = self.0.get(key)?;
        key.has_signed(purpose, parts, signature).then_some(name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str, byte: u8) -> WorkerKey {
        WorkerKey::from_seed(name, &[byte; 32]).unwrap()
    }

    #[test]
    fn only_known_keys_and_right_signatures_count() {
        let (a, b) = (key("a", 1), key("b", 2));
        let known = KnownKeys::parse(&format!("# mine\na {}  # first\n\n", a.public())).unwrap();
        let signature = a.sign("result", &[b"job", b"bytes"]);
        assert_eq!(known.signer("result", &[b"job", b"bytes"], &a.public(), &signature), Some("a"));
        for parts in [[b"jobb".as_slice(), b"ytes"], [b"job", b"byteS"], [b"", b"jobbytes"]] {
            assert_eq!(known.signer("result", &parts, &a.public(), &signature), None);
        }
        assert_eq!(known.signer("verdicts", &[b"job", b"bytes"], &a.public(), &signature), None);
        let of_b = b.sign("result", &[b"job", b"bytes"]);
        assert_eq!(known.signer("result", &[b"job", b"bytes"], &b.public(), &of_b), None, "nobody knows it");
        assert_eq!(known.signer("result", &[b"job", b"bytes"], &a.public(), &of_b), None);
        let all = known.with(&b);
        assert_eq!(all.signer("result", &[b"job", b"bytes"], &b.public(), &of_b), Some("b"));
        assert!(!format!("{a:?}").contains(&hex::encode(&[1; 32])));
    }

    #[test]
    fn a_list_that_cannot_be_read_names_the_line() {
        let short = "a ".to_owned() + &"0".repeat(63);
        for (text, line) in [(short.as_str(), 1), ("\n\na", 3), (&format!("a/b {}", "0".repeat(64)), 1), ("a b c", 1)] {
            assert_eq!(KnownKeys::parse(text).unwrap_err(), line, "{text}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_key_is_made_once_and_only_its_user_reads_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/worker.key");
        let first = WorkerKey::load_or_make(&path, "one").unwrap();
        assert_eq!(WorkerKey::load_or_make(&path, "one").unwrap().public(), first.public());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(WorkerKey::load_or_make(&path, "one"), Err(KeyError::Open(_))));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(&path, "no key").unwrap();
        assert!(matches!(WorkerKey::load_or_make(&path, "one"), Err(KeyError::NoKey(_))));
        assert!(matches!(WorkerKey::load_or_make(&path, "a b"), Err(KeyError::Name(_))));
    }
}
