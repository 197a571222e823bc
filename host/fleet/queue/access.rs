//! With what a queue's server lets somebody in: whom the caller believes the server to be, and who the caller is.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use guardhost_os::may_be_read_by_others;

use super::{QueueError, Result};

/// Bytes of a file of credentials, or of certificates.
const LARGEST: u64 = 4 << 20;
const CREDENTIALS: &str = "-----BEGIN NATS USER JWT-----";
/// Characters of the seed of a user's key.
const SEED: usize = 58;

/// Beside the address of the server.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The certificates that vouch for the server, as PEM: the connection is encrypted.
    pub ca: Option<PathBuf>,
    /// None: what the address says.
    pub credentials: Option<Credentials>,
}

/// Who the caller is.
#[derive(Clone, PartialEq, Eq)]
pub enum Credentials {
    UserPassword {
        user: String,
        password: String,
    },
    /// A token of NATS, or the password of the user in the address.
    Secret(String),
    /// The seed of a user's NKey.
    Nkey(String),
    /// What `nsc` writes: a JWT and its seed.
    File(String),
}

/// Never shows the secret.
impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Credentials::UserPassword { .. } => "UserPassword",
            Credentials::Secret(_) => "Secret",
            Credentials::Nkey(_) => "Nkey",
            Credentials::File(_) => "File",
        })
    }
}

impl Credentials {
    /// From a file that only its owner can read.
    ///
    /// # Errors
    /// [`QueueError::Access`]: it cannot be read, others can read it, or it holds nothing that lets anyone in.
    pub fn read(file: &Path) -> Result<Self> {
        let wrong = |why: &str| QueueError::Access(format!("the credentials in {}", file.display()), why.to_owned());
        let data = fs::metadata(file).map_err(|error| wrong(&error.to_string()))?;
        if may_be_read_by_others(&data) {
            return Err(wrong("others can read them: run chmod 600"));
        }
        let text = String::from_utf8(contents(file).map_err(|error| wrong(&error.to_string()))?);
        Self::parse(&text.map_err(|_| wrong("they are no text"))?).ok_or_else(|| {
            wrong("expected are a file of nsc, the seed of an NKey, USER:PASSWORD, or a token or password without a colon")
        })
    }

    fn parse(text: &str) -> Option<Self> {
        if text.contains(CREDENTIALS) {
            return Some(Credentials::File(text.to_owned()));
        }
        let text = text.trim_end_matches(['\r', '\n']);
        let is_base32 = |c: char| c.is_ascii_uppercase() || ('2'..='7').contains(&c);
        if text.is_empty() || text.chars().any(char::is_control) {
            return None;
        }
        Some(match text.split_once(':') {
            Some((user, password)) => {
                Credentials::UserPassword { user: user.to_owned(), password: password.to_owned() }
            }
            None if text.starts_with("SU") && text.len() == SEED && text.chars().all(is_base32) => {
                Credentials::Nkey(text.to_owned())
            }
            None => Credentials::Secret(text.to_owned()),
        })
    }
}

pub fn contents(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_holds_says_what_it_is() {
        let seed = format!("SU{}", "A".repeat(56));
        let user = Credentials::UserPassword { user: "ada".to_owned(), password: "a:b".to_owned() };
        assert_eq!(Credentials::parse("ada:a:b\n"), Some(user));
        assert_eq!(Credentials::parse(&format!("{seed}\n")), Some(Credentials::Nkey(seed.clone())));
        assert_eq!(Credentials::parse(&seed[1..]), Some(Credentials::Secret(seed[1..].to_owned())));
        let file = format!("{CREDENTIALS}\nx\n------END NATS USER JWT------\n");
        assert_eq!(Credentials::parse(&file), Some(Credentials::File(file)));
        assert_eq!((Credentials::parse(""), Credentials::parse("\n"), Credentials::parse("a\nb")), (None, None, None));
        assert_eq!(format!("{:?}", Credentials::parse("secret")), "Some(Secret)");
    }

    #[test]
    #[cfg(unix)]
    fn what_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        fs::write(&file, "secret").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        let refused = Credentials::read(&file).unwrap_err().to_string();
        assert!(refused.contains("chmod 600") && !refused.contains("secret"), "{refused}");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(Credentials::read(&file).unwrap(), Credentials::Secret("secret".to_owned()));
    }
}
