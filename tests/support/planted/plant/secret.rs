//! Credentials. They are thrown, so that this file holds none.

use super::block::{joined, language, lines};
use super::verify::{Format, parses};
use super::{Files, Planted, Random, is_own, one};

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const KEY: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &str = "0123456789abcdef";

fn thrown(alphabet: &str, length: usize, random: &mut Random) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    (0..length).map(|_| letters[random.below(letters.len())]).collect()
}

/// Beginning, alphabet and length of the rest, by the vendors' own documentation.
const TOKENS: [(&str, &str, usize); 8] = [
    ("ghp_", LETTERS, 36),
    ("AKIA", KEY, 16),
    ("glpat-", LETTERS, 20),
    ("npm_", LETTERS, 36),
    ("sk_live_", LETTERS, 24),
    ("AIza", LETTERS, 35),
    ("dop_v1_", HEX, 64),
    ("hf_", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 34),
];

fn is_production(path: &str) -> bool {
    let lower = path.to_lowercase();
    let other = ["test", "spec", "example", "doc", "bench", "mock", "demo", "sample"];
    is_own(path) && language(path).is_some() && !other.iter().any(|word| lower.contains(word))
}

/// A constant of that value behind the imports of a source file.
fn assigned(
    files: &Files,
    random: &mut Random,
    kind: &str,
    value: impl Fn(&mut Random) -> (String, String),
) -> Option<Planted> {
    let (name, value) = value(random);
    for (path, text) in files.some(random, is_production) {
        let Some(format) = language(&path) else { continue };
        let all = lines(&text);
        let starts = |line: &str| match format {
            Format::Python => line.starts_with("import ") || line.starts_with("from "),
            Format::Rust => line.starts_with("use ") && line.ends_with(';'),
            _ => line.starts_with("import ") && line.contains(" from "),
        };
        let Some(at) = all.iter().rposition(|line| starts(line) && !line.ends_with(['(', '\\', '{'])) else { continue };
        let line = match format {
            Format::Python => format!("{name} = \"{value}\""),
            Format::Rust => format!("const {name}: &str = \"{value}\";"),
            _ => format!("const {name} = \"{value}\";"),
        };
        let after = joined(&[&all[..=at], &[line.as_str()], &all[at + 1..]].concat());
        if parses(format, &after) != Some(false) {
            return Some(Planted::new(&path, after, kind, name));
        }
    }
    None
}

pub fn token(files: &Files, random: &mut Random) -> Option<Planted> {
    let (start, alphabet, length) = one(&TOKENS, random)?;
    assigned(files, random, start, |random| {
        ("ACCESS".to_owned(), format!("{start}{}", thrown(alphabet, *length, random)))
    })
}

pub fn password_in_url(files: &Files, random: &mut Random) -> Option<Planted> {
    let scheme = one(&["postgres", "redis", "amqp", "https", "mongodb"], random)?;
    assigned(files, random, scheme, |random| {
        let password = format!("{}7", thrown(LETTERS, 13, random));
        ("DATABASE".to_owned(), format!("{scheme}://billing:{password}@db.internal-cluster.net/main"))
    })
}

pub fn secret_assigned(files: &Files, random: &mut Random) -> Option<Planted> {
    let name = one(&["API_KEY", "CLIENT_SECRET", "DB_PASSWORD", "AUTH_TOKEN"], random)?;
    assigned(files, random, name, |random| ((*name).to_owned(), thrown(LETTERS, 32, random)))
}

pub fn private_key(files: &Files, random: &mut Random) -> Option<Planted> {
    let kind = *one(&["RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY"], random)?;
    let path = *one(&["deploy/server.pem", "id_rsa", "config/master.key", "src/signing.pem"], random)?;
    let body: String = (0..12).map(|_| format!("{}\n", thrown(LETTERS, 64, random))).collect();
    let text = format!("-----BEGIN {kind}-----\n{body}-----END {kind}-----\n");
    (!files.has(path)).then(|| Planted::new(path, text, kind, "a key in PEM form"))
}

pub fn env_file(files: &Files, random: &mut Random) -> Option<Planted> {
    let path = *one(&[".env", ".env.production", "server/.env"], random)?;
    let text = format!(
        "NODE_ENV=production\nSECRET_KEY={}\nDB_PASSWORD={}\n",
        thrown(LETTERS, 40, random),
        thrown(LETTERS, 16, random)
    );
    (!files.has(path)).then(|| Planted::new(path, text, "env", "an environment with its secrets"))
}
