//! Connections that lose their other end without a word, as after a failover or behind a gateway that forgets: nothing closes them, and what
//! is sent on them goes nowhere. New connections work. A worker goes on by itself.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use guardhost_fleet::queue::Ended;

use super::machines::{Machines, Server};

const LONG: Duration = Duration::from_secs(300);
const JOBS: usize = 6;

#[test]
fn a_worker_outlives_its_connections_on_nats() {
    let folder = tempfile::tempdir().unwrap();
    if let Some((server, _running)) = Server::nats(folder.path()) {
        goes_on(&server);
    }
}

#[test]
fn a_worker_outlives_its_connections_on_postgresql() {
    let folder = tempfile::tempdir().unwrap();
    if let Some((server, _running)) = Server::postgres(folder.path()) {
        goes_on(&server);
    }
}

/// Passes bytes on, until it forgets all connections that there are.
struct Gateway {
    port: u16,
    forgotten: Arc<AtomicU32>,
}

impl Gateway {
    fn before(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let gateway = Gateway { port: listener.local_addr().unwrap().port(), forgotten: Arc::default() };
        let forgotten = Arc::clone(&gateway.forgotten);
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let Ok(far) = TcpStream::connect(("127.0.0.1", target)) else { continue };
                let of = forgotten.load(Ordering::SeqCst);
                for (from, to) in [(near.try_clone(), far.try_clone()), (far.try_clone(), near.try_clone())] {
                    let (mut from, mut to, forgotten) = (from.unwrap(), to.unwrap(), Arc::clone(&forgotten));
                    std::thread::spawn(move || {
                        let mut buffer = vec![0; 64 << 10];
                        while let Ok(count @ 1..) = from.read(&mut buffer) {
                            if forgotten.load(Ordering::SeqCst) == of && to.write_all(&buffer[..count]).is_err() {
                                return;
                            }
                        }
                        // Whoever hangs up is not heard either.
                        if forgotten.load(Ordering::SeqCst) == of {
                            let _ = to.shutdown(std::net::Shutdown::Both);
                        }
                    });
                }
            }
        });
        gateway
    }

    fn forget(&self) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
    }
}

fn goes_on(server: &Server) {
    let machines = Machines::new(server.address(), 2 * JOBS);
    let (before, port) = machines.address.split_once("127.0.0.1:").unwrap();
    let (port, behind) = port.split_at(port.find(|c: char| !c.is_ascii_digit()).unwrap_or(port.len()));
    let gateway = Gateway::before(port.parse().unwrap());
    let address = format!("{before}127.0.0.1:{}{behind}", gateway.port);
    let _worker = machines.worker("w0", &["--queue", &address, "--jobs", "2"]);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let commits = machines.commits(2 * JOBS);
    runtime.block_on(async {
        let queue = machines.queue().await;
        for (round, commits) in commits.chunks(JOBS).enumerate() {
            let mut ids = Vec::new();
            for commit in commits {
                let job = machines.job(commit, &*queue).await;
                queue.submit(&job).await.unwrap();
                ids.push(job.id());
            }
            for id in ids {
                let ended = queue.wait(&id, LONG).await.unwrap();
                assert!(matches!(ended, Some(Ended::Judged(_))), "round {round}: {ended:?}\n{}", machines.log("w0"));
            }
            gateway.forget();
        }
        assert_eq!(queue.status().await.unwrap().dead, 0);
    });
}
