//! Every storage keeps the same promises.

mod conformance;

use std::sync::Arc;

use guardhost_service::storage::Storage;
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
