//! Trust by guard and by name space, signers that change, and signatures that were made elsewhere.

use std::fs;

use super::registry::Site;
use super::signed::{Key, key};
use super::tampered::refused;
use crate::support::fake_registry::{Artifact, FakeRegistry};
use crate::support::guest::{Guest, ID};
use minisign::SecretKeyBox;

fn signature(key: &Key, component: &[u8]) -> String {
    let text = fs::read_to_string(key.path()).unwrap();
    let secret = SecretKeyBox::from_string(&text).unwrap().into_unencrypted_secret_key().unwrap();
    minisign::sign(None, &secret, component, Some("a guard"), None).unwrap().to_string()
}

struct Keys {
    ada: Key,
    bob: Key,
    eve: Key,
    _folder: tempfile::TempDir,
}

fn keys() -> Keys {
    let folder = tempfile::tempdir().unwrap();
    let [ada, bob, eve] = ["ada", "bob", "eve"].map(|name| key(folder.path(), name));
    Keys { ada, bob, eve, _folder: folder }
}

/// A registry with `test-guest` 0.1.0, signed by these keys.
fn signed(keys: &[&Key]) -> FakeRegistry {
    let registry = FakeRegistry::start();
    sign(&registry, keys);
    registry
}

fn sign(registry: &FakeRegistry, keys: &[&Key]) {
    let component = Guest::default().component();
    let signatures = keys.iter().map(|key| signature(key, &component)).collect();
    registry.put("0.1.0", &Artifact { signatures, ..Artifact::new(component) });
}

fn pin(registry: &FakeRegistry, trust: &str, more: &str) -> String {
    format!("schema = 1\n[trust]\n{trust}\n[[guard]]\nid = \"{ID}\"\nsource = \"{}\"\n{more}", registry.source())
}

/// The rules of a pin and of a name space, with what each makes of a component signed by eve alone.
#[test]
fn by_guard_and_by_name_space() {
    let keys = keys();
    let registry = signed(&[&keys.eve]);
    let all = format!("keys = [{}, {}]\n", keys.ada.trusted("ada"), keys.eve.trusted("eve"));
    let space = |prefix: &str, rule: &str| format!("{all}[[trust.source]]\nprefix = \"{prefix}\"\n{rule}\n");
    let host = format!("oci://{}", registry.host);
    let cases = [
        (all.clone(), "", true),
        (all.clone(), "signers = [\"ada\"]\n", false),
        (all.clone(), "signers = [\"eve\", \"ada\"]\n", true),
        (all.clone(), "threshold = 2\n", false),
        (all.clone(), "signers = [\"ada\"]\n", false),
        ("".to_owned(), "", false),
        ("".to_owned(), "allow-unsigned = true\n", true),
        ("allow-unsigned = true".to_owned(), "", true),
        ("allow-unsigned = true".to_owned(), "allow-unsigned = false\n", false),
        // Signers take back what [trust] allows.
        (format!("allow-unsigned = true\n{all}"), "signers = [\"ada\"]\n", false),
        (space(&host, "signers = [\"ada\"]"), "", false),
        (space(&host, "signers = [\"eve\"]"), "", true),
        (space(&host, "signers = [\"eve\"]"), "signers = [\"ada\"]\n", false),
        (space("oci://other.example.org", "signers = [\"ada\"]"), "", true),
        (space(&format!("{host}/guards"), "allow-unsigned = true"), "", true),
        // The narrowest prefix decides.
        (
            format!(
                "{}[[trust.source]]\nprefix = \"{host}/guards\"\nsigners = [\"eve\"]\n",
                space(&host, "signers = [\"ada\"]")
            ),
            "",
            true,
        ),
    ];
    for (trust, more, passes) in cases {
        let site = Site::new();
        site.repo.write("guards.toml", pin(&registry, &trust, more));
        let ran = site.host(&["guard", "lock"]);
        match passes {
            true => {
                ran.expect(0);
                site.repo.commit("rules");
                site.check(&["--offline"]).expect(0);
            }
            false => refused(ran, 4, &["signature"]),
        }
    }
}

/// The rules are compared again in every check: a pin that names other signers stops what was locked.
#[test]
fn a_check_asks_the_signers_of_the_pin() {
    let keys = keys();
    let registry = signed(&[&keys.eve]);
    let site = Site::new();
    let trust = format!("keys = [{}, {}]\n", keys.ada.trusted("ada"), keys.eve.trusted("eve"));
    site.repo.write("guards.toml", pin(&registry, &trust, ""));
    site.host(&["guard", "lock"]).expect(0);
    site.repo.write("guards.toml", pin(&registry, &trust, "signers = [\"ada\"]\n"));
    site.repo.commit("ada alone");
    refused(site.check(&[]), 4, &["1 trusted key (ada)", "host guard update test-guest"]);
    site.host(&["guard", "verify"]).expect(4);
}

#[test]
fn rules_that_cannot_be_met() {
    let keys = keys();
    let registry = signed(&[]);
    let two = format!("keys = [{}, {}]\nthreshold = 2\n", keys.ada.trusted("ada"), keys.bob.trusted("bob"));
    for (trust, more, word) in [
        (two.clone(), "signers = [\"carol\"]\n", "no such key"),
        (two.clone(), "signers = []\n", "signers is empty"),
        (two.clone(), "signers = [\"ada\"]\n", "threshold = 2 is out of range"),
        (two.clone(), "threshold = 0\n", "threshold = 0"),
        (two.clone(), "signers = [\"ada\"]\nallow-unsigned = true\n", "one of the two"),
        (format!("{two}[[trust.source]]\nprefix = \"http://x\"\n"), "", "prefix"),
        (format!("{two}[[trust.source]]\nprefix = \"oci://x\"\nsigners = [\"eve\"]\n"), "", "no such key"),
        (
            format!("{two}[[trust.source]]\nprefix = \"oci://x\"\n[[trust.source]]\nprefix = \"oci://x/\"\n"),
            "",
            "twice",
        ),
    ] {
        let site = Site::new();
        site.repo.write("guards.toml", pin(&registry, &trust, more));
        let error = site.host(&["guard", "lock"]).expect(3).json();
        assert!(error["error"]["message"].as_str().unwrap().contains(word), "{word}: {error}");
    }
}

/// `--allow-unsigned` opens the guard that is added, and no other.
#[test]
fn one_unsigned_guard() {
    let registry = signed(&[]);
    let site = Site::new();
    site.repo.write("guards.toml", "schema = 1\nguards = []\n");
    site.host(&["guard", "add", &registry.source(), "--allow-unsigned"]).expect(0);
    let toml = String::from_utf8(site.repo.read("guards.toml")).unwrap();
    assert!(toml.contains("allow-unsigned = true") && !toml.contains("[trust]"), "{toml}");
    let other = Guest { id: "other-guest", ..Guest::default() }.component();
    let second = FakeRegistry::start();
    second.put("0.1.0", &Artifact::new(other));
    refused(site.host(&["guard", "add", &second.source()]), 4, &["no signature at all", "--allow-unsigned"]);
}

/// A co-signer, a higher threshold, another key: `lock` asks the source, and the hints lead to the command that helps.
#[test]
fn signers_that_change() {
    let keys = keys();
    let registry = signed(&[&keys.ada]);
    let site = Site::new();
    let trust = |threshold: u32, keys: &[String]| format!("keys = [{}]\nthreshold = {threshold}\n", keys.join(", "));
    let [ada, bob] = [keys.ada.trusted("ada"), keys.bob.trusted("bob")];
    site.repo.write("guards.toml", pin(&registry, &trust(1, std::slice::from_ref(&ada)), ""));
    site.host(&["guard", "lock"]).expect(0);
    site.repo.commit("ada");

    let both = pin(&registry, &trust(2, &[ada, bob.clone()]), "");
    site.repo.write("guards.toml", &both);
    site.repo.commit("two are wanted");
    let judged = site.check(&[]).expect(4).json();
    let hint = judged["error"]["hint"].as_str().unwrap();
    assert!(hint.find("host guard update test-guest").unwrap() < hint.find("allow-unsigned").unwrap(), "{hint}");
    let missing = site.host(&["guard", "lock"]);
    refused(missing, 4, &["2 trusted keys (ada, bob)", "actual ada"]);
    sign(&registry, &[&keys.ada, &keys.bob]);
    // Offline the source is not asked.
    refused(site.host(&["guard", "lock", "--offline"]), 4, &["host guard update test-guest"]);
    site.host(&["guard", "lock"]).expect(0);
    assert!(site.lock().contains("signers = [\"ada\", \"bob\"]"), "{}", site.lock());
    site.repo.commit("both");
    site.check(&["--offline"]).expect(0);
    site.host(&["guard", "verify", "--offline"]).expect(0);

    // A key is replaced.
    site.repo.write("guards.toml", pin(&registry, &trust(1, &[bob]), ""));
    site.host(&["guard", "lock"]).expect(0);
    assert!(site.lock().contains("signers = [\"bob\"]"), "{}", site.lock());
    site.repo.commit("bob");
    site.check(&["--offline"]).expect(0);
}

/// Annotations that hold no signature are named; they neither count nor hide the good one.
#[test]
fn junk_beside_a_signature() {
    let keys = keys();
    let component = Guest::default().component();
    let junk = vec![("guardhost.minisign.junk", "!!"), ("guardhost.minisign.text", "YWJj")];
    let registry = FakeRegistry::start();
    registry.put("0.1.0", &Artifact { annotations: junk.clone(), ..Artifact::new(component.clone()) });
    let site = Site::new();
    let trust = format!("keys = [{}]\n", keys.ada.trusted("ada"));
    site.repo.write("guards.toml", pin(&registry, &trust, ""));
    refused(site.host(&["guard", "lock"]), 4, &["2 signatures that cannot be read"]);
    let signatures = vec![signature(&keys.ada, &component)];
    registry.put("0.1.0", &Artifact { annotations: junk, signatures, ..Artifact::new(component) });
    site.host(&["guard", "lock"]).expect(0);
}
