//! Registries that lie, break off, never end, or ask for what they must not get.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::registry::Site;
use crate::support::cli::Ran;
use crate::support::fake_registry::{Artifact, FakeRegistry, Trick};
use crate::support::guest::Guest;

const UNSIGNED: &str = "schema = 1\nguards = []\n[trust]\nallow-unsigned = true\n";

/// A registry with `test-guest` 0.1.0, and a repository that accepts unsigned guards.
fn site() -> (FakeRegistry, Site) {
    let registry = FakeRegistry::start();
    registry.put("0.1.0", &Artifact::new(Guest::default().component()));
    let site = Site::new();
    site.repo.write("guards.toml", UNSIGNED);
    (registry, site)
}

fn version(version: &'static str) -> Artifact {
    Artifact::new(Guest { version, ..Guest::default() }.component())
}

fn error(ran: Ran, code: i32) -> Value {
    ran.expect(code).json()["error"].clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// While a registry answers, a person saves another guards.toml in an editor, or another host locks.
#[test]
fn what_somebody_writes_meanwhile_is_not_overwritten() {
    const THEIRS: &str = "schema = 1\nguards = []\n[trust]\nallow-unsigned = true\n[policy]\nrounds = 7\n";
    for (file, theirs) in [("guards.toml", THEIRS), ("guards.lock", "somebody's\n")] {
        let (registry, site) = site();
        registry.trick("blobs/", Trick::Meanwhile(site.repo.path().join(file), theirs));
        let error = error(site.host(&["guard", "add", &registry.source()]), 3);
        assert!(text(&error["message"]).contains(&format!("{file} was changed")), "{error}");
        assert_eq!(site.repo.read(file), theirs.as_bytes());
        assert_eq!(site.repo.path().join("guards.lock").exists(), file == "guards.lock", "nothing else was written");
    }
}

/// More than any bound is served: the host hangs up after the bound.
#[test]
fn nothing_is_read_without_a_bound() {
    for (path, bound) in [("manifests/", 4 << 20), ("tags/list", 8 << 20), ("blobs/", 64 << 20)] {
        let (registry, site) = site();
        registry.trick(path, Trick::Endless);
        let error = error(site.host(&["guard", "add", &registry.source()]), 4);
        let told = text(&error["message"]);
        if path == "blobs/" {
            // The first blob is the configuration, whose bound is lower.
            assert!(told.contains("expected at most"), "{told}");
        } else {
            assert!(told.contains(&format!("expected at most {bound} bytes, actual more")), "{told}");
        }
        // What the sockets hold may be sent as well.
        let sent = registry.state().sent;
        assert!(sent < bound + (16 << 20), "{path}: {sent} bytes were taken");
    }
}

/// A token server without TLS, which a registry may name, gets nothing.
#[test]
fn credentials_go_to_no_realm_without_tls() {
    let (registry, site) = site();
    // This address reaches the machine itself, and is none of loopback.
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    let foreign = format!("http://0.0.0.0:{}", listener.local_addr().unwrap().port());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            count.fetch_add(1, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 19\r\n\r\n{\"token\":\"a-token\"}");
        }
    });
    let docker = tempfile::tempdir().unwrap();
    let folder = docker.path().display().to_string();
    let env = [("DOCKER_CONFIG", folder.as_str())];
    // `alice:secret-word`.
    let config = json!({ "auths": { &registry.host: { "auth": "YWxpY2U6c2VjcmV0LXdvcmQ=" } } });
    std::fs::write(docker.path().join("config.json"), config.to_string()).unwrap();

    registry.state().challenge = Some(format!("Bearer realm=\"{foreign}/token\",service=\"x\""));
    let refused = error(site.host_env(&["guard", "add", &registry.source()], &env), 4);
    assert!(
        text(&refused["message"]).contains("no TLS") && text(&refused["message"]).contains("expected an https://"),
        "{refused}"
    );
    site.repo.write("built.wasm", Guest::default().component());
    error(site.host_env(&["guard", "publish", "built.wasm", &registry.source()], &env), 4);
    site.repo.remove("built.wasm");
    assert_eq!(asked.load(Ordering::SeqCst), 0, "the token server was asked");
    assert!(registry.state().requests.iter().all(|(_, authorization)| authorization.is_none()));

    // One on loopback is trusted as the registry on loopback is; the registry itself gets the token alone.
    registry.state().challenge = Some(format!("Bearer realm=\"http://{}/token\",service=\"x\"", registry.host));
    site.host_env(&["guard", "add", &registry.source()], &env).expect(0);
    for (path, authorization) in registry.state().requests.iter().filter(|(_, authorization)| authorization.is_some()) {
        let expected = if path.starts_with("/token") { "Basic YWxpY2U6c2VjcmV0LXdvcmQ=" } else { "Bearer a-token" };
        assert_eq!(authorization.as_deref(), Some(expected), "{path}");
    }
}

/// As a line that is lost: the second try has all of it.
#[test]
fn a_body_that_was_cut_is_asked_for_again() {
    for path in ["manifests/", "blobs/", "tags/list"] {
        let (registry, site) = site();
        registry.trick(path, Trick::CutOnce);
        site.host(&["guard", "add", &registry.source()]).expect(0);
    }
}

/// Each message names its source once, says what was expected and found, and sends to the network only if that is the trouble.
#[test]
fn errors_of_a_registry() {
    let component = || Guest::default().component();
    let honest = || Artifact::new(component());
    let tagged = |registry: &FakeRegistry| format!("{}:0.1.0", registry.source());
    let cases: [(&str, Artifact, Option<Trick>, [&str; 2]); 9] = [
        ("config", Artifact { config_type: "application/x", ..honest() }, None, ["vnd.wasm.config", "application/x"]),
        (
            "two layers",
            Artifact { layer_types: vec!["application/wasm"; 2], ..honest() },
            None,
            ["one layer", "application/wasm, application/wasm"],
        ),
        ("no layer", Artifact { layer_types: vec![], ..honest() }, None, ["one layer", "no layer"]),
        ("too large", Artifact { size: Some(65 << 20), ..honest() }, None, ["at most 67108864", "68157440"]),
        (
            "other size",
            Artifact { size: Some(10), ..honest() },
            None,
            ["expected 10 bytes", &format!("actual {}", component().len())]
                .map(|t| &*Box::leak(t.to_owned().into_boxed_str())),
        ),
        ("not JSON", honest(), Some(Trick::Body(b"<html>".to_vec())), ["vnd.oci.image.manifest", "line 1"]),
        ("missing", honest(), Some(Trick::Status(404)), ["the tag 0.1.0", "none (404)"]),
        ("denied", honest(), Some(Trick::Status(403)), ["denies access (403)", "docker login"]),
        ("broken", honest(), Some(Trick::Status(500)), ["answers 500", "try again later"]),
    ];
    for (name, artifact, trick, words) in cases {
        let (registry, site) = site();
        registry.put("0.1.0", &artifact);
        if let Some(trick) = trick {
            registry.trick("manifests/", trick);
        }
        let error = error(site.host(&["guard", "add", &tagged(&registry)]), 4);
        let (told, hint) = (text(&error["message"]), text(&error["hint"]));
        assert_eq!(told.matches("oci://").count(), 1, "{name}: {told}");
        for word in words {
            assert!(told.contains(word) || hint.contains(word), "{name}: no {word}: {error}");
        }
        if !["denied", "broken"].contains(&name) {
            assert!(told.contains("expected") && told.contains("actual"), "{name}: {told}");
        }
        assert!(!hint.contains("the network; "), "{name}: {hint}");
        assert!(!told.contains("stranger") && !told.contains("OCI API"), "{name}: {told}");
        assert_eq!(site.repo.read("guards.toml"), UNSIGNED.as_bytes());
    }
    // Nothing listens there.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let gone = error(Site::new().host(&["guard", "add", &format!("oci://127.0.0.1:{port}/x:1.0.0")]), 4);
    assert!(text(&gone["hint"]).contains("the network"), "{gone}");
}

/// Bytes that are not their digest: nobody is sent to take what is there now.
#[test]
fn what_was_tampered_with_is_not_taken_by_an_update() {
    for path in ["blobs/", "manifests/"] {
        let (registry, mut site) = site();
        site.host(&["guard", "add", &registry.source()]).expect(0);
        site.repo.commit("rules");
        site.forget();
        registry.trick(path, Trick::Body(b"{}".to_vec()));
        let error = error(site.check(&[]), 4);
        assert_eq!(error["code"], "digest-mismatch", "{error}");
        assert!(!text(&error["hint"]).contains("update") && text(&error["hint"]).contains("do not use it"), "{error}");
    }
}

/// Pages of a list that is longer than the registry gives at once.
#[test]
fn every_page_of_tags_is_read() {
    let (registry, site) = site();
    for tag in ["0.1.1", "0.1.2", "v0.2.0", "0.1.3", "latest"] {
        registry.put(tag, &version("0.1.3"));
    }
    registry.state().page = 2;
    site.host(&["guard", "add", &registry.source(), "--version", "^0.1"]).expect(0);
    assert!(site.lock().contains("version = \"0.1.3\""), "{}", site.lock());
    // `v0.2.0` is a tag, and no version.
    site.repo.write(
        "guards.toml",
        format!("schema = 1\n[trust]\nallow-unsigned = true\n[[guard]]\nid = \"test-guest\"\nsource = \"{}\"\nversion = \"^0.2\"\n", registry.source()),
    );
    let error = error(site.host(&["guard", "lock"]), 4);
    assert_eq!(error["code"], "no-version");
    assert!(text(&error["message"]).contains("v0.2.0") && text(&error["hint"]).contains("not v0.1.0"), "{error}");
    assert!(
        !text(&error["hint"]).contains("--cooldown") && !text(&error["hint"]).contains("host guard update"),
        "{error}"
    );
}

/// A registry that hides the locked version must not bring back an older one.
#[test]
fn an_update_never_goes_below_the_lock() {
    let (registry, site) = site();
    registry.put("0.1.1", &version("0.1.1"));
    site.host(&["guard", "add", &registry.source(), "--version", "^0.1"]).expect(0);
    let lock = site.lock();
    assert!(lock.contains("version = \"0.1.1\""), "{lock}");
    registry.withdraw("0.1.1");
    for args in [&["guard", "update"][..], &["guard", "update", "--dry-run"], &["guard", "update", "--backtest", "1"]] {
        let error = error(site.host(args), 4);
        assert_eq!(error["code"], "downgrade", "{error}");
        let told = text(&error["message"]);
        assert!(
            told.contains("0.1.1 is not listed any more")
                && told.contains("expected ≥ 0.1.1")
                && told.contains("actual newest 0.1.0"),
            "{told}"
        );
        assert!(text(&error["hint"]).contains("--allow-downgrade"), "{error}");
    }
    assert_eq!(site.lock(), lock);
    // `lock` keeps what is locked, as long as it can be had.
    site.host(&["guard", "lock"]).expect(0);
    assert_eq!(site.lock(), lock);
    let told = site.host(&["guard", "update", "--allow-downgrade", "--dry-run"]).expect(0).json();
    assert_eq!(
        (&told["changes"][0]["from"]["version"], &told["changes"][0]["to"]["version"]),
        (&json!("0.1.1"), &json!("0.1.0"))
    );
    site.host(&["guard", "update", "--allow-downgrade"]).expect(0);
    assert!(site.lock().contains("version = \"0.1.0\""));
    // A narrower version says it as well.
    site.repo.write("guards.lock", &lock);
    let toml = String::from_utf8(site.repo.read("guards.toml")).unwrap();
    site.repo.write("guards.toml", toml.replace("\"^0.1\"", "\"=0.1.0\""));
    site.host(&["guard", "update"]).expect(0);
    assert!(site.lock().contains("version = \"0.1.0\""));
}

/// A file of the repository and a tag that moves go down no more than a list of tags does.
#[test]
fn a_tag_and_a_file_that_go_down() {
    let (registry, site) = site();
    registry.put("stable", &version("0.1.1"));
    site.host(&["guard", "add", &format!("{}:stable", registry.source())]).expect(0);
    registry.put("stable", &version("0.1.0"));
    assert_eq!(error(site.host(&["guard", "update"]), 4)["code"], "downgrade");
    site.host(&["guard", "remove", "test-guest"]).expect(0);

    site.repo.write("guard.wasm", version("0.1.1").component);
    site.host(&["guard", "add", "path:guard.wasm"]).expect(0);
    site.repo.write("guard.wasm", version("0.1.0").component);
    for command in ["lock", "update"] {
        assert_eq!(error(site.host(&["guard", command]), 4)["code"], "downgrade", "{command}");
    }
    site.host(&["guard", "update", "--allow-downgrade"]).expect(0);
}

/// The digest of the manifest in the lock is compared as well, also with the component in the cache.
#[test]
fn the_manifest_of_the_lock_is_compared() {
    let (registry, mut site) = site();
    site.host(&["guard", "add", &registry.source()]).expect(0);
    site.repo.commit("rules");
    site.check(&["--offline"]).expect(0);
    let lock = site.lock();
    let at = lock.find("@sha256:").unwrap() + "@sha256:".len();
    site.repo.write("guards.lock", format!("{}{}{}", &lock[..at], "0".repeat(64), &lock[at + 64..]));
    site.repo.commit("another manifest");
    assert_eq!(error(site.check(&["--offline"]), 4)["code"], "offline");
    assert_eq!(error(site.host(&["guard", "verify", "--offline"]), 4)["code"], "offline");
    error(site.check(&[]), 4);
    // A manifest of another component is none of this one.
    let other = registry.put("9.9.9", &version("9.9.9"));
    site.repo.write("guards.lock", format!("{}{}{}", &lock[..at], &other["sha256:".len()..], &lock[at + 64..]));
    site.repo.commit("the manifest of another component");
    let error = error(site.check(&[]), 4);
    assert_eq!(error["code"], "digest-mismatch", "{error}");
    site.repo.git(&["reset", "-q", "--hard", "HEAD~2"]);
    site.check(&["--offline"]).expect(0);
    // A cache that has the component alone fetches the manifest, once.
    let folder = site.home.path().join(".cache/guardhost/components");
    for entry in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|ending| ending == "manifest") {
            std::fs::remove_file(entry).unwrap();
        }
    }
    site.check(&["--offline"]).expect(4);
    site.check(&[]).expect(0);
    site.check(&["--offline"]).expect(0);
    site.forget();
    site.check(&[]).expect(0);
}
