//! `[trust]`: who must have signed, and what becomes of a signature that was touched.

use std::fs;
use std::path::{Path, PathBuf};

use minisign::KeyPair;

use super::registry::{Site, flip};
use super::tampered::refused;
use crate::support::guest::Guest;
use crate::support::registry::Registry;

pub struct Key {
    pub public: String,
    file: PathBuf,
}

pub fn key(folder: &Path, name: &str) -> Key {
    let pair = KeyPair::generate_unencrypted_keypair().unwrap();
    let file = folder.join(name);
    fs::write(&file, pair.sk.to_box(None).unwrap().into_string()).unwrap();
    Key { public: pair.pk.to_base64(), file }
}

impl Key {
    pub fn path(&self) -> &str {
        self.file.to_str().unwrap()
    }

    pub fn trusted(&self, name: &str) -> String {
        format!("{{ name = \"{name}\", minisign = \"{}\" }}", self.public)
    }
}

#[test]
fn signers_threshold_and_touched_signatures() {
    let Some(registry) = Registry::start(None) else { return };
    let keys = tempfile::tempdir().unwrap();
    let [ada, bob, eve] = ["ada", "bob", "eve"].map(|name| key(keys.path(), name));
    let mut site = Site::new();
    let source = format!("oci://{}/guards/test-guest", registry.host);
    let trust = |threshold: u32| {
        let keys = [ada.trusted("ada"), bob.trusted("bob")].join(", ");
        format!("schema = 1\nguards = []\n[trust]\nkeys = [{keys}]\nthreshold = {threshold}\n")
    };
    site.publish(&Guest::default(), &source, &["--sign", eve.path()]);
    site.repo.write("guards.toml", trust(1));
    refused(site.host(&["guard", "add", &source]), 4, &["not trusted"]);

    // A second signature of the same bytes joins the first.
    site.publish(&Guest::default(), &source, &["--sign", ada.path()]);
    site.host(&["guard", "add", &source]).expect(0);
    assert!(site.lock().contains("signers = [\"ada\"]"), "{}", site.lock());
    site.repo.commit("rules");
    site.check(&[]).expect(0);

    // Two are wanted, and one is there: by the lock, and by the registry.
    let toml = String::from_utf8(site.repo.read("guards.toml")).unwrap();
    site.repo.write("guards.toml", toml.replace("threshold = 1", "threshold = 2"));
    site.repo.commit("two of them");
    refused(site.check(&[]), 4, &["2 trusted keys", "ada"]);
    site.host(&["guard", "update"]).expect(4);
    site.publish(&Guest::default(), &source, &["--sign", bob.path()]);
    site.host(&["guard", "update"]).expect(0);
    assert!(site.lock().contains("signers = [\"ada\", \"bob\"]"), "{}", site.lock());
    site.repo.commit("both");
    site.check(&["--frozen"]).expect(0);

    // Each line of a signature, flipped in the lock.
    let lock = site.lock();
    let begin = lock.find("signatures = ").unwrap();
    for mark in ["untrusted comment", "RU", "trusted comment: guard", "==\", "] {
        let at = begin + lock[begin..].find(mark).unwrap() + if mark == "==\", " { 0 } else { mark.len() + 3 };
        let at = if mark == "==\", " { at - 10 } else { at };
        let mut bytes = lock.clone().into_bytes();
        bytes[at] ^= 1;
        site.repo.write("guards.lock", bytes);
        site.repo.commit("a flipped bit");
        let ran = site.check(&[]);
        assert!([3, 4].contains(&ran.code), "{mark}: {ran:?}");
        let code = ran.code;
        refused(ran, code, &[]);
        site.repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    }
    // The component is another, and digest and size with it: the signature tells.
    let other = Guest { version: "0.1.0", ..Guest::checking("(nop)") }.component();
    let digest = guardhost_policy::config::Digest::of(&other).to_string();
    let own = lock.lines().find(|line| line.starts_with("digest = ")).unwrap();
    let size = lock.lines().find(|line| line.starts_with("size = ")).unwrap();
    let forged = lock.replace(own, &format!("digest = \"{digest}\"")).replace(size, &format!("size = {}", other.len()));
    site.repo.write("guards.lock", forged);
    site.repo.write(".guards/test-guest.wasm", &other);
    site.repo.commit("forged");
    refused(site.check(&[]), 4, &["signature of `ada` is not of this component"]);
    site.repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    site.forget();
    site.check(&[]).expect(0);
}

#[test]
fn keys_that_are_none() {
    let keys = tempfile::tempdir().unwrap();
    let ada = key(keys.path(), "ada");
    let site = Site::new();
    for (trust, word) in [
        ("keys = []\nthreshold = 2".to_owned(), "threshold = 2"),
        ("threshold = 0".to_owned(), "threshold = 0"),
        (format!("keys = [{0}, {0}]", ada.trusted("ada")), "twice"),
        ("allow_unsigned = true".to_owned(), "did you mean `allow-unsigned`"),
        ("keys = [{ name = \"x\" }]".to_owned(), "minisign"),
    ] {
        site.repo.write("guards.toml", format!("schema = 1\nguards = []\n[trust]\n{trust}\n"));
        site.repo.commit("trust");
        let ran = site.check(&[]).expect(3).json();
        assert!(ran["error"].to_string().contains(word), "{word}: {ran}");
    }
    site.repo.write("built.wasm", Guest::default().component());
    let publish = |key: &str| site.host(&["guard", "publish", "built.wasm", "oci://127.0.0.1:1/x", "--sign", key]);
    publish("no-such-key").expect(2);
    flip(&ada.file);
    let ran = publish(ada.path()).expect(2);
    assert!(!ran.stdout.contains(&fs::read_to_string(&ada.file).unwrap_or_default()[60..]), "{ran:?}");
}
