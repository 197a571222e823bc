//! What somebody who may insert rows into the tables of PostgreSQL can do, and nothing more: no job and no lane is held up by it.

use guardhost_fleet::alarm::AlarmKind;
use guardhost_fleet::job::Lane;
use guardhost_fleet::queue::{Address, Submitted};
use tokio_postgres::{Client, NoTls};

use super::next;
use crate::conformance::{job, settings};
use crate::servers;

const FLEET: &str = "test-rows";

/// Somebody with a connection of their own.
struct Stranger(Client);

impl Stranger {
    async fn at(address: &str) -> Self {
        let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
        tokio::spawn(connection);
        Stranger(client)
    }

    async fn inserts(&self, id: &str, body: &[u8], attempts: i32) {
        let sql = "insert into fleet_job (fleet, lane, id, body, attempts) values ($1, 'fast', $2, $3, $4)";
        self.0.execute(sql, &[&FLEET, &id, &body, &attempts]).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn rows_of_others_hold_up_nothing() {
    let Some(postgres) = servers::postgres().pop() else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = postgres.start(folder.path(), false);
    let address = format!("postgresql://test@127.0.0.1:{}/postgres", server.port);
    let queue = address.parse::<Address>().unwrap().open(settings("rows")).await.unwrap();
    let stranger = Stranger::at(&address).await;

    // The id of a job, with something else: with what is no job, with another job, and handed out as often as a number can say.
    stranger.inserts(job(1).id().as_str(), b"{}", 0).await;
    stranger.inserts(job(2).id().as_str(), &job(7).to_json(), 0).await;
    stranger.inserts(job(3).id().as_str(), &job(3).to_json(), i32::MAX).await;
    // Rows that nobody reads stand before the jobs, and cost one question each.
    for number in 0..200 {
        stranger.inserts(&format!("junk-{number}"), b"junk", 0).await;
    }
    let mut wanted: Vec<_> = (1..=4).map(job).collect();
    for (job, waits) in wanted.iter().zip([true, true, true, false]) {
        let submitted = queue.submit(job).await.unwrap();
        assert_eq!(submitted, if waits { Submitted::Waiting } else { Submitted::Accepted });
    }
    for _ in 0..wanted.len() {
        let claimed = next(&queue).await;
        let at = wanted.iter().position(|job| *job == claimed.job).expect("a job that was submitted, once");
        wanted.remove(at);
        queue.end(claimed.lease).await.unwrap();
    }

    // What nobody could read for long is deleted, with an alarm.
    let sql = "update fleet_job set attempts = 1000, until = clock_timestamp() where fleet = $1";
    let junk = stranger.0.execute(sql, &[&FLEET]).await.unwrap();
    assert_eq!(junk, 200);
    assert!(queue.claim("w", Lane::Fast, std::time::Duration::ZERO).await.unwrap().is_none());
    let left = stranger.0.query("select 1 from fleet_job where fleet = $1", &[&FLEET]).await.unwrap();
    let alarms = queue.alarms(1_000).await.unwrap();
    assert_eq!((left.len(), alarms.len()), (0, 200));
    assert!(alarms.iter().all(|alarm| alarm.kind == AlarmKind::UnreadableJob));
}
