//! Files that hold credentials. By their usual names no model may write one, because that plants or overwrites a secret. None is shown to
//! a model: neither these, nor those of less certain names, nor any text that holds a private key.

use std::borrow::Cow;

use crate::change::{Finding, RepoPath};

/// Folders of credentials, at any depth.
const FOLDERS: [&str; 8] = [".aws", ".ssh", ".gnupg", ".docker", ".gcp", ".gcloud", ".azure", ".kube"];

const NAMES: [&str; 26] = [
    ".envrc",
    ".netrc",
    "_netrc",
    ".pypirc",
    ".npmrc",
    // Besides tokens, these two can replace the program that `yarn` runs.
    ".yarnrc",
    ".yarnrc.yml",
    ".git-credentials",
    ".gitconfig",
    ".htpasswd",
    ".pgpass",
    ".my.cnf",
    ".dockercfg",
    ".s3cfg",
    ".boto",
    ".vault-token",
    ".terraformrc",
    "credentials.tfrc.json",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ecdsa_sk",
    "id_ed25519_sk",
    "terraform.tfstate",
    "wp-config.php",
];

/// Containers of keys: binary, so never written by a model.
const EXTENSIONS: [&str; 6] = [".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk"];

/// Names of files that often hold credentials, and may be something else: a model may write one.
const LIKELY: [&str; 8] = [
    "credentials",
    "credentials.json",
    "application_default_credentials.json",
    "kubeconfig",
    "auth.json",
    "secring.gpg",
    "terraform.tfvars",
    "wallet.dat",
];

/// The same without their extension, which is one of [`SETTINGS`].
const LIKELY_STEMS: [&str; 8] = [
    "secrets",
    "credentials",
    "kubeconfig",
    "service-account",
    "service_account",
    "serviceaccount",
    "client_secret",
    "client-secret",
];
const SETTINGS: [&str; 10] =
    [".cfg", ".conf", ".csv", ".ini", ".json", ".properties", ".toml", ".xml", ".yaml", ".yml"];

const LIKELY_EXTENSIONS: [&str; 8] = [".key", ".pem", ".pk8", ".pkcs8", ".der", ".tfstate", ".kubeconfig", ".secrets"];

/// What editors and people add to the name of a copy.
const COPIES: [&str; 9] = ["~", ".bak", ".backup", ".copy", ".old", ".orig", ".save", ".swp", ".tmp"];

/// Words in the name of a template without secrets, such as `.env.example`.
const TEMPLATES: [&str; 7] = ["example", "sample", "template", "tmpl", "dist", "defaults", "schema"];

/// Why the file is taken for a secret; None when it is not. Letter case is ignored.
pub fn secret_at(path: &RepoPath) -> Option<&'static str> {
    secret(&String::from_utf8_lossy(path.as_bytes()).to_lowercase())
}

/// Why `path`, in lower case, is taken for a secret; None when it is not.
pub fn secret(path: &str) -> Option<&'static str> {
    let path = original(path);
    let mut parts = path.split('/');
    let name = parts.next_back().unwrap_or_default();
    if parts.any(|part| FOLDERS.contains(&part)) {
        return Some("it lies in a folder of credentials");
    }
    let cargo = path.ends_with(".cargo/credentials") || path.ends_with(".cargo/credentials.toml");
    let key = NAMES.contains(&name) || cargo || EXTENSIONS.iter().any(|end| name.ends_with(end));
    if key {
        return Some("files of this name hold credentials");
    }
    let environment = name == ".env" || name.starts_with(".env.") || name.ends_with(".env");
    (environment && !is_template(name)).then_some("files of this name hold the environment's secrets")
}

/// Why the content of the file is not shown to a model; None when it may be.
pub fn hidden(path: &RepoPath, content: &[u8]) -> Option<&'static str> {
    let likely = || is_likely(&String::from_utf8_lossy(path.as_bytes()).to_lowercase());
    secret_at(path)
        .or_else(|| likely().then_some("files of this name often hold credentials"))
        .or_else(|| holds_private_key(content).then_some(PRIVATE_KEY))
}

/// Why a finding is not shown to a model, told from the name of its file and its own words: a guard may quote what it judges.
pub fn hidden_finding(finding: &Finding) -> Option<&'static str> {
    let said = [Some(&finding.message), finding.help.as_ref()].into_iter().flatten();
    let of_name = finding.path.as_ref().and_then(|path| hidden(&RepoPath::from_form(path), b""));
    of_name.or_else(|| said.map(|said| said.as_bytes()).find_map(|said| holds_private_key(said).then_some(PRIVATE_KEY)))
}

/// Why a text with a private key is not shown.
const PRIVATE_KEY: &str = "it holds a private key";

/// Whether a text holds what a private key in PEM form begins with, in UTF-8 or UTF-16.
pub fn holds_private_key(text: &[u8]) -> bool {
    const BEGIN: &[u8] = b"-----BEGIN ";
    /// Bytes of the longest label known, `ENCRYPTED PRIVATE KEY`, and some more.
    const LABEL: usize = 60;
    let narrow: Cow<[u8]> = match text.contains(&0) {
        true => text.iter().copied().filter(|byte| *byte != 0).collect::<Vec<_>>().into(),
        false => text.into(),
    };
    let begins = |at: usize| {
        let label = &narrow[at + BEGIN.len()..(at + BEGIN.len() + LABEL).min(narrow.len())];
        let label = label.windows(5).position(|dashes| dashes == b"-----").map_or(&[][..], |end| &label[..end]);
        label.ends_with(b"PRIVATE KEY") || label.ends_with(b"PRIVATE KEY BLOCK")
    };
    let mut dashes = (0..narrow.len()).filter(|at| narrow[*at] == b'-' && narrow[*at..].starts_with(BEGIN));
    dashes.any(begins)
}

/// `path` is in lower case.
fn is_likely(path: &str) -> bool {
    let path = original(path);
    let name = path.rsplit('/').next().unwrap_or_default();
    // `service-account-prod.json`, `client_secret_1234.apps.example.com.json`.
    let stem = SETTINGS.iter().find_map(|extension| name.strip_suffix(extension));
    let is_stem = |stem: &str| {
        LIKELY_STEMS.iter().any(|likely| {
            stem == *likely || stem.strip_prefix(likely).is_some_and(|rest| rest.starts_with(['.', '-', '_']))
        }) || ["-service-account", "_service_account", "-credentials", "_credentials"]
            .iter()
            .any(|end| stem.ends_with(end))
    };
    let named =
        LIKELY.contains(&name) || stem.is_some_and(is_stem) || LIKELY_EXTENSIONS.iter().any(|end| name.ends_with(end));
    named && !is_template(name)
}

fn is_template(name: &str) -> bool {
    name.split(['.', '-', '_']).any(|word| TEMPLATES.contains(&word))
}

/// The path of which a path is that of a copy: `.env.bak`, `.npmrc~`, `.#id_rsa`, `#id_rsa#`, `.id_rsa.swp`.
fn original(path: &str) -> Cow<'_, str> {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let mut rest = name;
    if let Some(copied) = rest.strip_prefix('#').and_then(|rest| rest.strip_suffix('#')) {
        rest = copied;
    }
    rest = rest.strip_prefix(".#").unwrap_or(rest);
    let is_swap = rest.ends_with(".swp");
    while let Some(copied) = COPIES.iter().find_map(|end| rest.strip_suffix(end)).filter(|copied| !copied.is_empty()) {
        rest = copied;
    }
    // Vim puts a dot before the name.
    if is_swap && let Some(visible) = rest.strip_prefix('.').filter(|visible| !visible.is_empty()) {
        rest = visible;
    }
    match rest.len() == name.len() {
        true => path.into(),
        false if folder.is_empty() => rest.into(),
        false => format!("{folder}/{rest}").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{hidden, secret};
    use crate::change::RepoPath;

    #[test]
    fn names_of_credentials_and_of_their_copies() {
        for name in [
            "id_rsa.bak",
            "a/.npmrc~",
            ".netrc.orig",
            "terraform.tfstate.backup",
            ".#.pypirc",
            "#id_ed25519#",
            ".env.bak~",
        ] {
            assert!(secret(name).is_some(), "{name}");
        }
        // A swap file of `.env` and one of `env` have one name.
        assert!(secret("id_rsa.swp").is_some() && secret(".id_rsa.swp").is_some());
        for name in [
            "server.pem",
            "tls/a.key",
            "credentials.json",
            "service-account-prod.json",
            "my-service-account.json",
            "kubeconfig",
            "secrets.yml.old",
        ] {
            assert!(hidden(&RepoPath::from(name), b"x").is_some(), "{name}");
            assert!(secret(name).is_none(), "{name}");
        }
        for name in [
            "keys.rs",
            "secrets.py",
            "secret.example.yml",
            "credentials.sample.json",
            "a.keys",
            "monkey",
            "orig",
            "~",
            "secretservice.json",
        ] {
            assert!(hidden(&RepoPath::from(name), b"x").is_none(), "{name}");
        }
    }

    #[test]
    fn a_private_key_is_known_by_its_text() {
        let hides = |text: &str| hidden(&RepoPath::from("notes.txt"), text.as_bytes()).is_some();
        assert!(
            hides("x\n  -----BEGIN RSA PRIVATE KEY-----\nMIIE") && hides("K=-----BEGIN PGP PRIVATE KEY BLOCK-----")
        );
        assert!(hides("-----BEGIN -----BEGIN PRIVATE KEY-----"));
        assert!(!hides("-----BEGIN CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----") && !hides("-----BEGIN PRIVATE KEY"));
        let wide: Vec<u8> = "-----BEGIN PRIVATE KEY-----".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(hidden(&RepoPath::from("a"), &wide).is_some());
    }
}
