//! The host beside other clients: minisign signs and verifies, skopeo copies, ORAS pulls and pushes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::registry::Site;
use crate::support::cli::Ran;
use crate::support::guest::Guest;
use crate::support::registry::Registry;
use crate::support::tools::{Tool, needs};

/// A key that minisign 0.11 made: see `tests/support/minisign/README.md`.
fn fixture(name: &str) -> String {
    format!("{}/tests/support/minisign/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn public(name: &str) -> String {
    fs::read_to_string(fixture(name)).unwrap().lines().nth(1).unwrap().to_owned()
}

fn trust(name: &str) -> String {
    format!("schema = 1\nguards = []\n[trust]\nkeys = [{{ name = \"ada\", minisign = \"{}\" }}]\n", public(name))
}

pub fn run(program: &Path, args: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(args).current_dir(folder).stdin(Stdio::null()).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{} {}: {said}", program.display(), args.join(" "));
    said
}

/// A site with `built.wasm`.
fn built() -> Site {
    let site = Site::new();
    site.repo.write("built.wasm", Guest::default().component());
    site
}

fn error(ran: Ran) -> Value {
    ran.expect(2).json()["error"].clone()
}

/// Keys of the real minisign, with a password and without: needs no registry but for the last step.
#[test]
fn keys_of_minisign() {
    let site = built();
    let publish = |key: &str, password: &[(&str, &str)], to: &str| {
        site.host_env(&["guard", "publish", "built.wasm", to, "--sign", key], password)
    };
    let nowhere = "oci://127.0.0.1:1/x";
    let locked = fixture("locked.key");
    let said = |value: &Value| format!("{} {}", value["message"].as_str().unwrap(), value["hint"].as_str().unwrap());
    let missing = said(&error(publish(&locked, &[], nowhere)));
    assert!(missing.contains("no password") && missing.contains("GUARDHOST_SIGN_PASSWORD"), "{missing}");
    let wrong = said(&error(publish(&locked, &[("GUARDHOST_SIGN_PASSWORD", "guess")], nowhere)));
    assert!(wrong.contains("is not the password") && !wrong.contains("guess"), "{wrong}");
    let none = said(&error(publish(&fixture("plain.pub"), &[], nowhere)));
    assert!(none.contains("not a secret key"), "{none}");
    // One byte of the secret is another: the key has no checksum, and its signature shows it.
    let text = fs::read_to_string(fixture("plain.key")).unwrap();
    site.repo.write("altered.key", text.replace("xVWV2W", "xVWV2X"));
    assert!(
        said(&error(publish(site.repo.path().join("altered.key").to_str().unwrap(), &[], nowhere))).contains("altered")
    );

    let Some(registry) = Registry::start(None) else { return };
    for (name, password) in [("plain", ""), ("locked", "open sesame")] {
        let source = format!("oci://{}/guards/{name}", registry.host);
        publish(&fixture(&format!("{name}.key")), &[("GUARDHOST_SIGN_PASSWORD", password)], &source).expect(0);
        site.repo.write("guards.toml", trust(&format!("{name}.pub")));
        site.host(&["guard", "add", &source]).expect(0);
        assert!(site.lock().contains("signers = [\"ada\"]"), "{}", site.lock());
    }
}

/// Each verifies what the other signed; a signature made elsewhere is verified before it is published.
#[test]
fn signatures_of_minisign() {
    let (Some(minisign), Some(registry)) = (needs(Tool::Minisign), Registry::start(None)) else { return };
    let site = built();
    let folder = site.repo.path().to_path_buf();
    let key = fixture("plain.key");
    let source = format!("oci://{}/guards/test-guest", registry.host);
    let publish = |more: &[&str]| site.host(&[&["guard", "publish", "built.wasm", &source], more].concat());
    site.repo.write("other.wasm", b"another file");
    for (name, more) in [("good", &[][..]), ("legacy", &["-l"])] {
        run(&minisign, &[&["-S", "-s", &key, "-m", "built.wasm", "-x", name], more].concat(), &folder);
    }
    run(&minisign, &["-S", "-s", &key, "-m", "other.wasm", "-x", "other"], &folder);
    site.repo.write("junk", "no signature\n");

    // Nobody knows the key; then a file names it, and the key itself.
    let told = error(publish(&["--signature", "good"]));
    assert!(told["hint"].as_str().unwrap().contains("--public-key"), "{told}");
    let with = |signature: &str| publish(&["--signature", signature, "--public-key", &fixture("plain.pub")]);
    assert!(error(with("junk"))["message"].as_str().unwrap().contains("expected a signature of minisign"));
    let legacy = with("legacy").expect(4).json();
    assert!(legacy["error"]["message"].as_str().unwrap().contains("legacy"), "{legacy}");
    let other = with("other").expect(4).json();
    assert!(other["error"]["message"].as_str().unwrap().contains("is not of this component"), "{other}");
    site.repo.write("guards.toml", trust("plain.pub"));
    // None of these was pushed.
    let none = site.host(&["guard", "add", &format!("{source}:0.1.0")]).expect(4).json();
    assert!(none["error"]["message"].as_str().unwrap().contains("actual none (404"), "{none}");
    publish(&["--signature", "good", "--public-key", &public("plain.pub")]).expect(0);
    site.host(&["guard", "add", &source]).expect(0);
    assert!(site.lock().contains("signers = [\"ada\"]"), "{}", site.lock());

    // What the host signed, minisign verifies.
    site.repo.write("guards.toml", trust("plain.pub"));
    let second = format!("oci://{}/guards/second", registry.host);
    site.host(&["guard", "publish", "built.wasm", &second, "--sign", &key]).expect(0);
    site.host(&["guard", "add", &second]).expect(0);
    let lock: toml::Table = toml::from_str(&site.lock()).unwrap();
    let signature = lock["guard"][0]["signatures"][0].as_str().unwrap();
    site.repo.write("made-by-host", format!("{signature}\n"));
    let said = run(&minisign, &["-V", "-p", &fixture("plain.pub"), "-m", "built.wasm", "-x", "made-by-host"], &folder);
    assert!(said.contains("guard:test-guest version:0.1.0"), "{said}");
}

/// A copy has the signatures of the original.
#[test]
fn skopeo_copies() {
    let (Some(skopeo), Some(registry)) = (needs(Tool::Skopeo), Registry::start(None)) else { return };
    let site = built();
    let host = &registry.host;
    site.host(&[
        "guard",
        "publish",
        "built.wasm",
        &format!("oci://{host}/guards/test-guest"),
        "--sign",
        &fixture("plain.key"),
    ])
    .expect(0);
    let from = format!("docker://{host}/guards/test-guest:0.1.0");
    let to = format!("docker://{host}/mirror/test-guest:0.1.0");
    run(
        &skopeo,
        &["--insecure-policy", "copy", "--src-tls-verify=false", "--dest-tls-verify=false", &from, &to],
        site.repo.path(),
    );
    site.repo.write("guards.toml", trust("plain.pub"));
    site.host(&["guard", "add", &format!("oci://{host}/mirror/test-guest")]).expect(0);
    assert!(site.lock().contains("signers = [\"ada\"]"), "{}", site.lock());
    site.repo.commit("rules");
    site.check(&[]).expect(0);
}

const PULL_AND_PUSH: &str = r#"
import sys
import oras.client
host, folder, config = sys.argv[1:]
client = oras.client.OrasClient(hostname=host, insecure=True)
print(client.pull(target=f"{host}/guards/test-guest:0.1.0", outdir=folder))
client.push(target=f"{host}/oras/test-guest:0.1.0", files=[f"{folder}/test-guest.wasm:application/wasm"],
            manifest_config=f"{config}:application/vnd.wasm.config.v0+json", disable_path_validation=True)
"#;

/// The layer has a name, so that a pulled guard is a file of that name; what ORAS pushes, the host locks.
#[test]
fn oras_pulls_and_pushes() {
    let (Some(environment), Some(registry)) = (needs(Tool::Oras), Registry::start(None)) else { return };
    let site = built();
    let host = &registry.host;
    site.host(&["guard", "publish", "built.wasm", &format!("oci://{host}/guards/test-guest")]).expect(0);
    let pulled = tempfile::tempdir().unwrap();
    site.repo.write("config.json", "{}");
    let python: PathBuf = environment.join("bin/python");
    run(&python, &["-c", PULL_AND_PUSH, host, pulled.path().to_str().unwrap(), "config.json"], site.repo.path());
    assert_eq!(fs::read(pulled.path().join("test-guest.wasm")).unwrap(), Guest::default().component());
    site.repo.write("guards.toml", "schema = 1\nguards = []\n");
    site.host(&["guard", "add", &format!("oci://{host}/oras/test-guest"), "--allow-unsigned"]).expect(0);
}
