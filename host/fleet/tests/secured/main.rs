//! Queues whose servers let in only whom they know, and which are known by their certificates. Real servers.

#[path = "../../../../tests/support/nats.rs"]
mod nats;
mod nkeys;
#[path = "../../../../tests/support/servers.rs"]
mod servers;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use guardhost_fleet::queue::access::{Access, Credentials};
use guardhost_fleet::queue::{Address, QueueError};
use guardhost_fleet::settings::FleetSettings;
use nkeys::{Key, Role};
use serde_json::json;

fn tls(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/support/tls").join(name)
}

/// Credentials as a user has them: in a file for its owner alone.
fn from_file(folder: &Path, text: &str) -> Access {
    let file = folder.join("credentials");
    fs::write(&file, text).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    Access { credentials: Some(Credentials::read(&file).unwrap()), ..Access::default() }
}

/// Opens the queue, and asks it something.
async fn open(address: &str, access: &Access) -> Result<(), QueueError> {
    let settings = FleetSettings { patience: Duration::from_secs(20), ..FleetSettings::default() };
    let queue = address.parse::<Address>()?.open_with(settings, access).await?;
    queue.status().await.map(drop)
}

fn is_refused(opened: &Result<(), QueueError>) -> bool {
    matches!(opened, Err(QueueError::Refused(_)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nats_lets_in_whom_it_knows() {
    let folder = tempfile::tempdir().unwrap();
    let user = Key::new(Role::User, 3);
    let config = folder.path().join("nkey.conf");
    fs::write(&config, format!("authorization {{ users: [ {{ nkey: {} }} ] }}", user.public())).unwrap();
    let servers: [(&[&str], &str, String); 3] = [
        (&["--user", "ada", "--pass", "se:cret"], "ada:se:cret", "ada:wrong".to_owned()),
        (&["--auth", "a-token"], "a-token\n", "b-token".to_owned()),
        (&["-c", config.to_str().unwrap()], &user.seed(), Key::new(Role::User, 4).seed()),
    ];
    for (words, right, wrong) in servers {
        let data = tempfile::tempdir().unwrap();
        let Some(nats) = nats::Nats::new(data.path()) else { return };
        let _server = nats.start_with(words);
        open(&nats.address(), &from_file(folder.path(), right))
            .await
            .unwrap_or_else(|error| panic!("{words:?}: {error}"));
        for access in [from_file(folder.path(), &wrong), Access::default()] {
            let opened = open(&nats.address(), &access).await;
            assert!(is_refused(&opened), "{words:?} {access:?}: {opened:?}");
            let shown = format!("{opened:?} {access:?}");
            assert!(!shown.contains(&wrong) && !shown.contains("wrong"), "{shown}");
        }
    }
}

/// The file that `nsc` makes for a user of an account.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nats_lets_in_who_has_a_credentials_file() {
    let folder = tempfile::tempdir().unwrap();
    let Some(nats) = nats::Nats::new(folder.path()) else { return };
    let (operator, system) = (Key::new(Role::Operator, 1), Key::new(Role::Account, 5));
    let (account, user) = (Key::new(Role::Account, 2), Key::new(Role::User, 3));
    let limits = |storage: i64| {
        json!({
            "limits": {
                "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
                "mem_storage": storage, "disk_storage": storage, "streams": storage, "consumer": storage,
            },
            "type": "account", "version": 2,
        })
    };
    let config = folder.path().join("operator.conf");
    let of_accounts = [(&system, limits(0)), (&account, limits(-1))];
    let preloaded =
        of_accounts.map(|(key, claims)| format!("{}: {}", key.public(), operator.jwt(key, "an account", claims)));
    let own = operator.jwt(&operator, "an operator", json!({ "type": "operator", "version": 2 }));
    let system = system.public();
    let text = format!(
        "operator: {own}\nsystem_account: {system}\nresolver: MEMORY\nresolver_preload: {{\n{}\n}}\n",
        preloaded.join("\n")
    );
    fs::write(&config, text).unwrap();
    let _server = nats.start_with(&["-c", config.to_str().unwrap()]);
    let credentials = |user: &Key, issuer: &Key| {
        let claims =
            json!({ "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2 });
        format!(
            "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            issuer.jwt(user, "a worker", claims),
            user.seed()
        )
    };
    open(&nats.address(), &from_file(folder.path(), &credentials(&user, &account))).await.unwrap();
    let stranger = credentials(&user, &Key::new(Role::Account, 9));
    let opened = open(&nats.address(), &from_file(folder.path(), &stranger)).await;
    assert!(is_refused(&opened), "{opened:?}");
    let broken = from_file(folder.path(), "-----BEGIN NATS USER JWT-----\nnothing\n");
    assert!(matches!(open(&nats.address(), &broken).await, Err(QueueError::Access(..))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nats_is_known_by_its_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let Some(nats) = nats::Nats::new(folder.path()) else { return };
    let (certificate, key) = (tls("leaf.pem"), tls("leaf.key"));
    let words = ["--tls", "--tlscert", certificate.to_str().unwrap(), "--tlskey", key.to_str().unwrap()];
    let _server = nats.start_with(&words);
    let ours = Access { ca: Some(tls("ca.pem")), ..Access::default() };
    // The certificate is for this name.
    for scheme in ["nats", "tls"] {
        open(&format!("{scheme}://localhost:{}", nats.port), &ours).await.unwrap();
    }
    // The authorities of the system do not know it.
    let opened = open(&format!("tls://localhost:{}", nats.port), &Access::default()).await;
    assert!(is_refused(&opened), "{opened:?}");
    let none = Access { ca: Some(folder.path().join("none.pem")), ..Access::default() };
    assert!(matches!(open(&nats.address(), &none).await, Err(QueueError::Access(..))));
}

/// Whoever names certificates is never connected in the clear.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nats_without_tls_is_refused_where_tls_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let Some(nats) = nats::Nats::new(folder.path()) else { return };
    let _server = nats.start();
    let ours = Access { ca: Some(tls("ca.pem")), ..Access::default() };
    let settings = FleetSettings { patience: Duration::from_millis(300), ..FleetSettings::default() };
    let address: Address = format!("nats://localhost:{}", nats.port).parse().unwrap();
    assert!(address.open_with(settings, &ours).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgresql_is_encrypted_as_the_address_says() {
    let installed = servers::postgres();
    if installed.is_empty() {
        servers::skip("postgres", "none is installed");
    }
    for postgres in installed {
        let folder = tempfile::tempdir().unwrap();
        // Its owner is the user of the server.
        for name in ["leaf.pem", "leaf.key"] {
            let file = folder.path().join(name);
            fs::copy(tls(name), &file).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            let _ = chown(&file, Some(65534), Some(65534));
        }
        let file = |name: &str| folder.path().join(name).display().to_string();
        let (certificate, key) =
            (format!("ssl_cert_file={}", file("leaf.pem")), format!("ssl_key_file={}", file("leaf.key")));
        let server = postgres.start_with(folder.path(), false, &["ssl=on", &certificate, &key]);
        let at = |host: &str, query: &str| format!("postgresql://test@{host}:{}/postgres{query}", server.port);
        // From here on it lets in by password alone, and encrypted.
        let (client, connection) = tokio_postgres::connect(&at("127.0.0.1", ""), tokio_postgres::NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute("alter user test password 'se:cret'").await.unwrap();
        fs::write(folder.path().join("data/pg_hba.conf"), "hostssl all all all scram-sha-256\n").unwrap();
        client.batch_execute("select pg_reload_conf()").await.unwrap();
        connection.abort();

        let password = from_file(folder.path(), "test:se:cret");
        let mut refused = open(&at("localhost", ""), &password).await;
        // The server reads its rules a moment later.
        while refused.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
            refused = open(&at("localhost", ""), &password).await;
        }
        assert!(is_refused(&refused), "{}: {refused:?}", postgres.version);
        let ours = Access { ca: Some(tls("ca.pem")), ..password.clone() };
        let query = format!("?sslmode=verify-full&sslrootcert={}", tls("ca.pem").display());
        for (host, query, access) in [
            ("localhost", "?sslmode=require", &password),
            ("db.example.org", "?sslmode=require&hostaddr=127.0.0.1", &password),
            ("localhost", "", &ours),
            ("localhost", "?sslmode=require", &ours),
            ("localhost", &query, &password),
        ] {
            let opened = open(&at(host, query), access).await;
            assert!(opened.is_ok(), "{} {host} {query} {access:?}: {opened:?}", postgres.version);
        }
        let wrong = from_file(folder.path(), "wrong");
        for (host, query, access) in [
            // Another name than that of the certificate.
            ("db.example.org", "?hostaddr=127.0.0.1", &ours),
            ("db.example.org", "?sslmode=verify-full&hostaddr=127.0.0.1", &ours),
            // An authority that nobody knows.
            ("localhost", "?sslmode=verify-full", &password),
            ("localhost", "?sslmode=require", &wrong),
        ] {
            let opened = open(&at(host, query), access).await;
            assert!(is_refused(&opened), "{} {host} {query} {access:?}: {opened:?}", postgres.version);
            assert!(!format!("{opened:?}").contains("se:cret"));
        }
        for (query, access) in [("?sslmode=prefer", &password), ("?sslmode=disable", &ours)] {
            assert!(matches!(open(&at("localhost", query), access).await, Err(QueueError::Access(..))), "{query}");
        }
        let of_nats = from_file(folder.path(), &Key::new(Role::User, 3).seed());
        assert!(matches!(open(&at("localhost", ""), &of_nats).await, Err(QueueError::Access(..))));
    }
}
