//! `host serve` with TLS, and a run that trusts its certificate.

use super::runs::{GOOD, TASK, claude, repo};
use super::served::Served;
use crate::support::cli::{host, host_with};
use crate::support::web::capability;

fn file(name: &str) -> String {
    format!("{}/tests/support/tls/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_run_speaks_tls_to_its_observer_and_trusts_no_other() {
    let (repo, folder) = (repo(), tempfile::tempdir().expect("a folder"));
    let data = folder.path().join("data");
    let made = host(folder.path(), &["serve", "--data", data.to_str().expect("a name"), "--add-token", "ci"]).expect(0);
    let (certificate, key) = (file("leaf.pem"), file("leaf.key"));
    let served = Served::start(&data, &["--tokens", "--tls-cert", &certificate, "--tls-key", &key]);
    // The certificate is for the name.
    let url = served.url.replace("127.0.0.1", "localhost");
    assert!(url.starts_with("https://localhost:"), "{url}");
    let (path, trusted) = (claude(folder.path(), GOOD, ""), capability());
    let env = [
        ("PATH", path.as_str()),
        ("GUARDHOST_OBSERVER", url.as_str()),
        ("GUARDHOST_OBSERVER_TOKEN", made.stdout.trim()),
        ("SSL_CERT_FILE", trusted.as_str()),
    ];
    let report = host_with(repo.path(), &TASK, b"", &env).expect(0).json();
    assert_eq!(report["notices"], serde_json::json!([]), "nothing was absent");
    let log = host_with(repo.path(), &["log", "--format", "json"], b"", &env).expect(0).json();
    assert_eq!((&log["notices"], &log["runs"][0]["run"]), (&serde_json::json!([]), &report["run"]));
    // Who does not know the authority sends nothing, and works without the observer.
    let stranger = host_with(repo.path(), &["log", "--format", "json"], b"", &env[..3]).expect(0).json();
    assert!(stranger["notices"].to_string().contains("UnknownIssuer"), "{stranger}");
    let one = host(folder.path(), &["serve", "--tls-cert", &certificate]).expect(2);
    assert!(one.stderr.contains("--tls-key"), "{one:?}");
    let swapped = host(folder.path(), &["serve", "--data", "other", "--tls-cert", &key, "--tls-key", &certificate]);
    assert!(swapped.expect(2).stderr.contains("holds no certificate"));
}
