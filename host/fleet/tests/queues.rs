//! Every queue keeps the same promises.

mod conformance;
#[path = "../../../tests/support/nats.rs"]
mod nats;
#[path = "../../../tests/support/servers.rs"]
mod servers;
mod strangers;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use guardhost_fleet::queue::memory::MemoryQueue;
use guardhost_fleet::queue::{Address, Queue};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn memory_keeps_the_promises() {
    // The handles of one fleet are one queue.
    let queues: Mutex<HashMap<String, Arc<dyn Queue>>> = Mutex::default();
    conformance::hold(&|settings| {
        let mut queues = queues.lock().unwrap();
        let queue = queues.entry(settings.name.clone()).or_insert_with(|| Arc::new(MemoryQueue::new(settings))).clone();
        Box::pin(async { queue })
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nats_keeps_the_promises() {
    let folder = tempfile::tempdir().unwrap();
    let Some(nats) = nats::Nats::new(folder.path()) else { return };
    let _server = nats.start();
    hold_at(&nats.address()).await;
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
        hold_at(&format!("postgresql://test@127.0.0.1:{}/postgres", server.port)).await;
    }
}

async fn hold_at(address: &str) {
    let address: Address = address.parse().unwrap();
    conformance::hold(&|settings| {
        let address = address.clone();
        Box::pin(async move { address.open(settings).await.unwrap() })
    })
    .await;
}
