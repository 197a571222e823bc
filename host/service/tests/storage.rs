//! Every storage keeps the same promises.

mod conformance;
#[path = "../../../tests/support/servers.rs"]
mod servers;

use std::sync::Arc;

use guardhost_service::storage::Storage;
use guardhost_service::storage::postgres::PostgresStore;
use guardhost_service::storage::sqlite::Sqlite;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_the_promises() {
    let folder = tempfile::tempdir().unwrap();
    let storage: Arc<dyn Storage> = Arc::new(Sqlite::open(folder.path()).unwrap());
    conformance::hold(Arc::clone(&storage)).await;
    storage.ready().await.unwrap();
    storage.close().await;
    assert!(storage.ready().await.is_err());
    let again = Sqlite::open(folder.path()).unwrap();
    assert_eq!(again.tokens().await.unwrap().len(), 1, "what was kept is there after a new start");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgresql_keeps_the_promises() {
    let installed = servers::postgres();
    if installed.len() < 2 {
        let found: Vec<&str> = installed.iter().map(|each| each.version.as_str()).collect();
        let why = "two versions are tested; GUARDHOST_TEST_POSTGRES names more folders with programs";
        servers::skip("postgres", &format!("found {found:?}; {why}"));
    }
    for postgres in installed {
        let folder = tempfile::tempdir().unwrap();
        let server = postgres.start(folder.path(), false);
        eprintln!("{}", postgres.version);
        let address = format!("postgresql://test@127.0.0.1:{}/postgres", server.port);
        // Two servers that start at once bring the database to its version once.
        let (one, two) = tokio::join!(PostgresStore::connect(&address), PostgresStore::connect(&address));
        let storage: Arc<dyn Storage> = Arc::new(one.unwrap());
        conformance::hold(Arc::clone(&storage)).await;
        assert_eq!(two.unwrap().tokens().await.unwrap().len(), 1, "the other server sees the same");
        storage.close().await;
        assert!(storage.ready().await.is_err());
    }
}
