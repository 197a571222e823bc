//! Files that hold credentials, by their usual names. No model may write one, because that plants or overwrites a secret, and none is
//! shown to a model.

use crate::change::RepoPath;

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

/// Words in the name of a template without secrets, such as `.env.example`.
const TEMPLATES: [&str; 7] = ["example", "sample", "template", "tmpl", "dist", "defaults", "schema"];

/// Why the file is taken for a secret; None when it is not. Letter case is ignored.
pub fn secret_at(path: &RepoPath) -> Option<&'static str> {
    secret(&String::from_utf8_lossy(path.as_bytes()).to_lowercase())
}

/// Why `path`, in lower case, is taken for a secret; None when it is not.
pub fn secret(path: &str) -> Option<&'static str> {
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
    let template = name.split(['.', '-', '_']).any(|word| TEMPLATES.contains(&word));
    (environment && !template).then_some("files of this name hold the environment's secrets")
}
