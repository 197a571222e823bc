//! A component that a web server holds.

use super::commands::rejecting;
use super::registry::Site;
use super::tampered::refused;
use crate::support::cli::Ran;
use crate::support::guest::Guest;
use crate::support::web::{Web, capability};

#[test]
fn an_address_promises_nothing_but_its_digest_does() {
    let web = Web::start();
    web.put("/guard-0.1.0.wasm", Guest::default().component());
    let url = web.url("/guard-0.1.0.wasm");
    let mut site = Site::new();
    site.repo.write("guards.toml", "schema = 1\nguards = []\n[trust]\nallow-unsigned = true\n");
    let capability = capability();
    let host = |site: &Site, args: &[&str]| -> Ran { site.host_env(args, &[("SSL_CERT_FILE", &capability)]) };
    // Nobody trusts this server but who is told to.
    let untrusted = site.host(&["guard", "add", &url]).expect(4).json();
    assert!(untrusted["error"]["message"].as_str().unwrap().contains("certificate"), "{untrusted}");
    host(&site, &["guard", "add", &url]).expect(0);
    let toml = String::from_utf8(site.repo.read("guards.toml")).unwrap();
    let digest = guardhost_policy::config::Digest::of(&Guest::default().component());
    assert!(toml.contains(&format!("digest = \"{digest}\"")), "{toml}");
    site.repo.commit("rules");
    site.check(&["--offline"]).expect(0);

    // The server has another by now: what is kept runs on, and a clean machine is told.
    web.put("/guard-0.1.0.wasm", rejecting("0.1.0").component());
    site.check(&[]).expect(0);
    site.forget();
    site.repo.write("a.txt", "two\n");
    site.repo.git(&["add", "a.txt"]);
    refused(host(&site, &["check", "--staged"]), 4, &[digest.as_str(), "do not use it"]);
    site.repo.git(&["reset", "-q", "--hard"]);
    refused(host(&site, &["guard", "update"]), 4, &[digest.as_str()]);
    web.files.lock().unwrap().clear();
    let gone = host(&site, &["guard", "update"]).expect(4).json();
    assert!(gone["error"]["message"].as_str().unwrap().contains("404"), "{gone}");
}

#[test]
fn a_signature_beside_it() {
    let web = Web::start();
    let guest = Guest::default().component();
    let pair = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    let signature =
        minisign::sign(Some(&pair.pk), &pair.sk, std::io::Cursor::new(&guest), Some("a guard"), None).unwrap();
    web.put("/guard.wasm", guest);
    let site = Site::new();
    let key = pair.pk.to_base64();
    site.repo.write(
        "guards.toml",
        format!("schema = 1\nguards = []\n[trust]\nkeys = [{{ name = \"ada\", minisign = \"{key}\" }}]\n"),
    );
    let (capability, url) = (capability(), web.url("/guard.wasm"));
    let add = || site.host_env(&["guard", "add", &url], &[("SSL_CERT_FILE", &capability)]);
    refused(add(), 4, &["no signature at all"]);
    web.put("/guard.wasm.minisig", b"untrusted comment: x\nnot a signature\n\n\n".to_vec());
    refused(add(), 4, &["no signature at all", "1 signature that cannot be read"]);
    web.put("/guard.wasm.minisig", signature.to_string().into_bytes());
    add().expect(0);
    assert!(site.lock().contains("signers = [\"ada\"]"), "{}", site.lock());

    // Another key is trusted by now, and has signed: `lock` asks for the signature.
    let bob = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    let toml = String::from_utf8(site.repo.read("guards.toml")).unwrap();
    site.repo.write("guards.toml", toml.replace("ada", "bob").replace(&key, &bob.pk.to_base64()));
    let lock = || site.host_env(&["guard", "lock"], &[("SSL_CERT_FILE", &capability)]);
    refused(lock(), 4, &["not trusted"]);
    let guest = Guest::default().component();
    let signature =
        minisign::sign(Some(&bob.pk), &bob.sk, std::io::Cursor::new(&guest), Some("a guard"), None).unwrap();
    web.put("/guard.wasm.minisig", signature.to_string().into_bytes());
    lock().expect(0);
    assert!(site.lock().contains("signers = [\"bob\"]"), "{}", site.lock());
}
