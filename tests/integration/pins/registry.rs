//! Against a real registry: publish, pin, update, pull, and run with no network at all.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::commands::rejecting;
use super::tampered::refused;
use crate::support::cli::{Ran, host_with};
use crate::support::guest::{Guest, ID};
use crate::support::registry::Registry;
use crate::support::repo::TestRepo;

/// A repository and a home of its own, so that its cache is clean.
pub struct Site {
    pub repo: TestRepo,
    pub home: tempfile::TempDir,
}

impl Site {
    pub fn new() -> Self {
        Site { repo: TestRepo::with(&[("a.txt", "one\n")]), home: tempfile::tempdir().unwrap() }
    }

    pub fn host(&self, args: &[&str]) -> Ran {
        self.host_env(args, &[])
    }

    pub fn host_env(&self, args: &[&str], env: &[(&str, &str)]) -> Ran {
        let home = self.home.path().display().to_string();
        let env = [&[("HOME", home.as_str())], env].concat();
        host_with(self.repo.path(), &[args, &["--format", "json"]].concat(), b"", &env)
    }

    /// Another machine: nothing is kept.
    pub fn forget(&mut self) {
        self.home = tempfile::tempdir().unwrap();
    }

    pub fn check(&self, more: &[&str]) -> Ran {
        self.repo.write("a.txt", "two\n");
        self.repo.git(&["add", "a.txt"]);
        let ran = self.host(&[&["check", "--staged"], more].concat());
        self.repo.git(&["reset", "-q", "--hard"]);
        ran
    }

    /// Publishes a guest; what the report says of it.
    pub fn publish(&self, guest: &Guest, to: &str, more: &[&str]) -> Value {
        self.repo.write("built.wasm", guest.component());
        let ran = self.host(&[&["guard", "publish", "built.wasm", to], more].concat()).expect(0).json();
        self.repo.remove("built.wasm");
        ran["changes"][0]["to"].clone()
    }

    pub fn lock(&self) -> String {
        String::from_utf8(self.repo.read("guards.lock")).unwrap()
    }
}

fn version(version: &'static str) -> Guest {
    Guest { version, ..Guest::default() }
}

#[test]
fn published_pinned_updated_pulled_and_offline() {
    let Some(mut registry) = Registry::start(None) else { return };
    let mut site = Site::new();
    let source = format!("oci://{}/team/test-guest", registry.host);

    let first = site.publish(&version("0.1.0"), &source, &[]);
    assert_eq!(first["version"], "0.1.0");
    // Nobody signed it, and nobody said that this is fine.
    site.repo.write("guards.toml", "schema = 1\nguards = []\n");
    refused(site.host(&["guard", "add", &source]), 4, &["no signature at all", "allow-unsigned"].map(|_| "signature"));
    assert_eq!(site.repo.read("guards.toml"), b"schema = 1\nguards = []\n");
    site.host(&["guard", "add", &source, "--allow-unsigned"]).expect(0);
    let toml = String::from_utf8(site.repo.read("guards.toml")).unwrap();
    assert!(toml.contains("version = \"^0.1.0\"") && toml.contains("allow-unsigned = true"), "{toml}");
    let resolved = format!("source = \"{}\"", first["source"].as_str().unwrap());
    assert!(site.lock().contains(&resolved) && resolved.contains(":0.1.0@sha256:"), "{}", site.lock());
    site.repo.commit("rules");
    let digest = site.check(&[]).expect(0).json()["guards"][0]["digest"].clone();
    assert_eq!(digest, first["digest"]);

    // A published version stays what it is; the same bytes are no other version.
    site.repo.write("built.wasm", rejecting("0.1.0").component());
    refused(site.host(&["guard", "publish", "built.wasm", &source]), 3, &["published already"].map(|_| "expected"));
    site.publish(&version("0.1.0"), &source, &[]);
    site.repo.write("built.wasm", "no component");
    site.host(&["guard", "publish", "built.wasm", &source]).expect(4);
    site.repo.remove("built.wasm");

    // A second version that rejects all: the backtest shows it, and the lock stays.
    site.publish(&rejecting("0.1.1"), &source, &[]);
    site.publish(&version("0.2.0"), &source, &[]);
    let lock = site.lock();
    let told = site.host(&["guard", "update", "--dry-run", "--backtest", "5"]).expect(0).json();
    let change = &told["changes"][0];
    assert_eq!(
        (&change["from"]["version"], &change["to"]["version"]),
        (&json!("0.1.0"), &json!("0.1.1")),
        "^0.1.0 admits no 0.2"
    );
    assert_eq!(told["backtests"][0]["flips"].as_array().map(Vec::len), Some(2), "{told}");
    let held = site.host(&["guard", "update", "--backtest", "5"]).expect(3).json();
    assert_eq!((&held["held"], &held["written"]), (&json!(true), &json!([])));
    assert_eq!(site.lock(), lock);
    // `lock` takes nothing newer.
    site.host(&["guard", "lock"]).expect(0);
    assert_eq!(site.lock(), lock);
    // It was published a moment ago.
    let young = site.host(&["guard", "update", "--cooldown", "7"]).expect(0).json();
    let note = &young["changes"][0]["notes"][0];
    assert_eq!(note, "0.1.1 is left out: it is 0 days old, and the cooldown is 7");
    assert_eq!(site.lock(), lock);
    site.host(&["guard", "update"]).expect(0);
    site.repo.commit("update");
    site.check(&[]).expect(1);
    // What lies in `.guards/` is of that lock: an older one does not take it for its own.
    site.host(&["guard", "vendor"]).expect(0);
    site.repo.write("guards.lock", &lock);
    let told = site.host(&["guard", "lock"]).expect(0).json();
    assert!(told["notices"][0].as_str().unwrap().contains("host guard vendor"), "{told}");
    assert_eq!(site.lock(), lock);
    site.repo.git(&["clean", "-qfd"]);
    site.repo.git(&["reset", "-q", "--hard", "HEAD~1"]);

    // A clean cache: pulled by digest, verified, kept; then offline; then from `.guards/`.
    site.forget();
    refused(site.check(&["--offline"]), 4, &["offline"]);
    site.check(&[]).expect(0);
    registry.stop();
    site.check(&["--frozen"]).expect(0);
    site.host(&["guard", "verify", "--offline"]).expect(0);
    let vendored = site.host(&["guard", "vendor", "--offline"]).expect(0).json();
    assert_eq!(vendored["written"], json!([".guards/test-guest.wasm"]));
    site.repo.commit("vendored");
    site.forget();
    let judged = site.check(&["--frozen"]).expect(0).json();
    assert_eq!(judged["guards"][0]["digest"], digest);
    // In the way of nothing: not a network in sight, and the cache is not asked.
    site.host(&["guard", "verify", "--frozen"]).expect(0);
    flip(&site.repo.path().join(".guards/test-guest.wasm"));
    site.repo.commit("a flipped bit");
    refused(site.check(&[]), 4, &[".guards/test-guest.wasm", "sha256:"]);
}

pub fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

/// What the registry serves is not what was pinned: on the way in, and in what is kept.
#[test]
fn flipped_bits_in_the_registry_and_in_the_cache() {
    let Some(registry) = Registry::start(None) else { return };
    let mut site = Site::new();
    let source = format!("oci://{}/guards/test-guest", registry.host);
    let published = site.publish(&version("0.1.0"), &source, &[]);
    site.repo.write("guards.toml", "schema = 1\nguards = []\n[trust]\nallow-unsigned = true\n");
    site.host(&["guard", "add", &source]).expect(0);
    site.repo.commit("rules");

    // Kept, and flipped: offline it is refused, else fetched again.
    let digest = published["digest"].as_str().unwrap();
    let kept = site.home.path().join(".cache/guardhost/components").join(&digest["sha256:".len()..]);
    flip(&kept);
    refused(site.check(&["--offline"]), 4, &[digest]);
    site.check(&[]).expect(0);
    site.check(&["--offline"]).expect(0);

    for what in [digest, published["source"].as_str().unwrap().split_once('@').unwrap().1] {
        let blob = registry.blob(what);
        let good = fs::read(&blob).unwrap();
        flip(&blob);
        site.forget();
        refused(site.check(&[]), 4, &[what, "do not use it"]);
        assert_eq!(kept_components(&site), 0, "nothing unverified is kept");
        fs::write(&blob, good).unwrap();
        site.check(&[]).expect(0);
    }
    // A lock that names another manifest finds none.
    let lock = site.lock();
    let manifest = published["source"].as_str().unwrap().split_once('@').unwrap().1;
    let other = format!("sha256:{}", "0".repeat(64));
    site.repo.write("guards.lock", lock.replace(manifest, &other));
    site.repo.commit("another manifest");
    site.forget();
    site.check(&[]).expect(4);
}

/// The name does not exist (RFC 6761), so that what is asked is told.
#[test]
fn a_registry_without_tls_is_asked_where_the_toml_says_so() {
    let site = Site::new();
    let rules = "schema = 1\nguards = []\n[trust]\nallow-unsigned = true\n";
    for (plain, asked) in [("", "https://"), ("plain-http = [\"registry.invalid:5000\"]\n", "http://")] {
        site.repo.write("guards.toml", format!("{rules}{plain}"));
        let told = site.host(&["guard", "add", "oci://registry.invalid:5000/guards/x"]).expect(4).json();
        let message = told["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("({asked}registry.invalid:5000/")), "{message}");
    }
}

fn kept_components(site: &Site) -> usize {
    let folder = site.home.path().join(".cache/guardhost/components");
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter(|entry| {
            let name = entry.as_ref().unwrap().file_name().to_string_lossy().into_owned();
            !name.starts_with('.') && !name.ends_with(".manifest")
        })
        .count()
}

/// Two teams, two versions, one machine.
#[test]
fn two_repositories_share_the_cache() {
    let Some(registry) = Registry::start(None) else { return };
    let mut one = Site::new();
    let source = format!("oci://{}/guards/test-guest", registry.host);
    for guest in [version("0.1.0"), rejecting("0.2.0")] {
        one.publish(&guest, &source, &[]);
    }
    let two = Site { repo: TestRepo::with(&[("a.txt", "one\n")]), home: tempfile::tempdir().unwrap() };
    one.home = tempfile::tempdir().unwrap();
    let home = one.home.path().display().to_string();
    let shared = [("HOME", home.as_str())];
    for (site, wanted) in [(&one, "=0.1.0"), (&two, "=0.2.0")] {
        let toml = format!(
            "schema = 1\n[trust]\nallow-unsigned = true\n[[guard]]\nid = \"{ID}\"\nsource = \"{source}\"\nversion = \"{wanted}\"\n"
        );
        site.repo.write("guards.toml", toml);
        site.host_env(&["guard", "lock"], &shared).expect(0);
        site.repo.commit("rules");
        site.repo.write("a.txt", "two\n");
        site.repo.stage_all();
    }
    let both: Vec<_> = std::thread::scope(|scope| {
        let judge = |site| scope.spawn(move || Site::host_env(site, &["check", "--staged", "--offline"], &shared));
        [judge(&one), judge(&two)].map(|running| running.join().unwrap()).into()
    });
    assert_eq!((both[0].code, both[1].code), (0, 1), "{both:?}");
    for (ran, wanted) in both.iter().zip(["0.1.0", "0.2.0"]) {
        let guard = ran.json()["guards"][0].clone();
        assert_eq!((&guard["version"], &guard["cached"]), (&json!(wanted), &json!(true)));
    }
    assert_eq!(kept_components(&one), 2);
}

/// As `docker login` leaves it, in the file and by a helper. What they hold is told nowhere.
#[test]
fn credentials_of_docker() {
    // `user:secret-word`.
    let line = "user:$2y$05$cPpDTeZCuCVc0KRvzc3vIeOM1uL2Khn9biH6COKe8504SJyqwIgoC";
    let Some(registry) = Registry::start(Some(line)) else { return };
    let site = Site::new();
    site.repo.write("built.wasm", Guest::default().component());
    let source = format!("oci://{}/guards/test-guest", registry.host);
    let docker = tempfile::tempdir().unwrap();
    let folder = docker.path().display().to_string();
    let publish = |env: &[(&str, &str)]| site.host_env(&["guard", "publish", "built.wasm", &source], env);
    let anonymous = publish(&[("DOCKER_CONFIG", &folder)]).expect(4);
    assert!(anonymous.stdout.contains("docker login"), "{anonymous:?}");

    let config = |pair: &str| {
        use base64::Engine;
        let auth = base64::engine::general_purpose::STANDARD.encode(pair);
        fs::write(
            docker.path().join("config.json"),
            json!({ "auths": { &registry.host: { "auth": auth } } }).to_string(),
        )
        .unwrap();
    };
    config("user:wrong-word");
    let wrong = publish(&[("DOCKER_CONFIG", &folder)]).expect(4);
    assert!(!wrong.stdout.contains("wrong-word") && !wrong.stderr.contains("wrong-word"), "{wrong:?}");
    config("user:secret-word");
    publish(&[("DOCKER_CONFIG", &folder)]).expect(0);

    let helper = docker.path().join("docker-credential-test");
    fs::write(
        &helper,
        "#!/bin/sh\nread host\necho '{\"ServerURL\":\"'$host'\",\"Username\":\"user\",\"Secret\":\"secret-word\"}'\n",
    )
    .unwrap();
    fs::set_permissions(&helper, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    fs::write(docker.path().join("config.json"), json!({ "credHelpers": { &registry.host: "test" } }).to_string())
        .unwrap();
    let path = format!("{folder}:/bin:/usr/bin");
    publish(&[("DOCKER_CONFIG", &folder), ("PATH", &path)]).expect(0);
    fs::write(docker.path().join("config.json"), "{ not json").unwrap();
    publish(&[("DOCKER_CONFIG", &folder)]).expect(3);
}
