//! Values that are public, or stand for a secret.

/// Keys that vendors print in their documentation, and parts of keys that no real one has.
const PUBLIC: [&str; 8] = [
    "AKIAIOSFODNN7EXAMPLE",
    "wJalrXUtnFEMI",
    "4eC39HqLyjWDarjtT1zdp7dc",
    "TYooMQauvdEDq54NiTphI7jx",
    "BQokikJOvBiI2HlWgH4olfQ2",
    "014df517-39d1-4453-b7b3-9930c563627c",
    "AIzaSyD-EXAMPLE",
    "T00000000/B00000000",
];
/// What people write in place of a secret. In lower case.
#[rustfmt::skip]
const PLACEHOLDERS: [&str; 41] = [
    "example", "dummy", "mock", "changeme", "change-me", "change_me", "placeholder", "redacted", "your", "xxxx", "****", "....", "fake",
    "sample", "insert", "replace", "todo", "notreal", "not-real", "not_real", "secret-key", "secret_key", "secretkey", "my-secret",
    "mysecret", "my_secret", "supersecret", "super-secret", "super_secret", "insecure", "deadbeef", "cafebabe", "foobar", "lorem", "localhost", "password",
    "abcdef", "12345678", "01234567", "aaaaaa", "000000",
];

pub fn is_public(value: &str) -> bool {
    if PUBLIC.iter().any(|public| value.contains(public)) {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|placeholder| lower.contains(placeholder)) || is_repeated(value) || is_filled_in(value)
}

/// Two characters over and over, or one of them nearly everywhere.
fn is_repeated(value: &str) -> bool {
    let mut seen = [false; 256];
    value.bytes().for_each(|byte| seen[usize::from(byte)] = true);
    seen.iter().filter(|seen| **seen).count() <= 4
}

/// What is put in when the program runs: `${TOKEN}`, `{{ token }}`, `%(token)s`, `<token>`, `$TOKEN`.
fn is_filled_in(value: &str) -> bool {
    ["${", "$(", "{{", "%(", "<", "#{", "%s", "{}"].iter().any(|sign| value.contains(sign))
        || value.starts_with(['$', '{', '%', '@', '!', '&', '*', '['])
}
