//! PostgreSQL, for teams that allow no second server: jobs are rows that one worker at a time locks, leases end by the database's clock.

mod database;
mod listen;
mod state;

use std::time::Duration;

use async_trait::async_trait;
use guardhost_postgres::{AddressError, Target};
use tokio::time::Instant;

use super::access::{Access, Credentials};
use super::lease::Handle;
use super::{
    Claimed, Completed, DeadJob, Ended, Lease, Queue, QueueError, Result, Status, Submitted, UNREADABLE, WorkerBeat,
    signed_beat, unreadable_entry,
};
use crate::alarm::Alarm;
use crate::failure::{DeadCause, JobHistory};
use crate::hex;
use crate::job::{Job, JobId, Lane};
use crate::keys::WorkerKey;
use crate::result::SignedResult;
use crate::settings::FleetSettings;
use database::Database;
use listen::Listener;

/// Between looks for what nobody told.
const LOOK: Duration = Duration::from_secs(1);

pub struct PostgresQueue {
    settings: FleetSettings,
    database: Database,
    listener: Listener,
}

impl PostgresQueue {
    /// `address` as in `postgresql://user:password@host/database?sslmode=verify-full`; without `sslmode` or certificates the connection is not
    /// encrypted.
    ///
    /// # Errors
    /// The database cannot be reached, or its user must not make tables.
    pub async fn connect(address: &str, settings: FleetSettings, access: &Access) -> Result<Self> {
        let target = target(address, access)?;
        let database = Database::open(target.clone(), settings.patience).await?;
        Ok(PostgresQueue { settings, database, listener: Listener::start(target) })
    }

    fn name(&self) -> &str {
        &self.settings.name
    }

    /// The oldest job that is free, leased. Rows that are no job of this version are left to other workers, and the next one is looked at
    /// at once: whoever may write rows holds up nobody's job.
    async fn take(&self, lane: Lane) -> Result<Option<Claimed>> {
        const SQL: &str =
            "update fleet_job set attempts = least(attempts, 2147483646) + 1, lease = nextval('fleet_lease'),
                until = clock_timestamp() + make_interval(secs => $3)
            where seq = (select seq from fleet_job where fleet = $1 and lane = $2
                and until <= clock_timestamp() order by seq limit 1 for update skip locked)
            returning body, attempts, lease, id, seq";
        let parameters: [database::Parameter; 3] = [&self.name(), &lane.as_str(), &self.settings.lease.as_secs_f64()];
        loop {
            let rows = self.database.rows(SQL, &parameters).await?;
            let Some(row) = rows.first() else { return Ok(None) };
            let attempt = u32::try_from(row.get::<_, i32>(1)).unwrap_or(u32::MAX);
            let handle = Handle::Number(row.get(2));
            match Job::from_json(row.get(0)) {
                Ok(job) if job.id().as_str() == row.get::<_, &str>(3) && job.lane() == lane => {
                    return Ok(Some(Claimed { lease: Lease { job: job.id(), lane, handle }, job, attempt }));
                }
                Ok(job) => self.leave_unreadable(row, attempt, &format!("it holds the job {}", job.id())).await?,
                Err(error) => self.leave_unreadable(row, attempt, &error.to_string()).await?,
            }
        }
    }

    /// A row that is no job of this version is free for others when its lease is over. One that nobody could read is deleted, with an alarm.
    async fn leave_unreadable(&self, row: &tokio_postgres::Row, attempt: u32, why: &str) -> Result<()> {
        if attempt < UNREADABLE {
            tracing::warn!("a job in the queue is left to other workers: {why}");
            return Ok(());
        }
        self.raise(&unreadable_entry(row.get(0), why)?).await?;
        self.database.rows("delete from fleet_job where seq = $1", &[&row.get::<_, i64>(4)]).await.map(drop)
    }

    /// Sets when a lease ends, or when a job that is given back is free. False when the lease is over.
    async fn until(&self, lease: &Lease, delay: Duration, keeps: bool) -> Result<bool> {
        const SQL: &str = "with moved as (update fleet_job set until = clock_timestamp() + make_interval(secs => $4),
                lease = case when $5 then lease end
            where fleet = $1 and lane = $2 and lease = $3 and until > clock_timestamp() returning 1)
            select count(*), pg_notify('guardhost_fleet', case when $5 then '' else 'job' end) from moved";
        let Handle::Number(number) = lease.handle else { return Ok(false) };
        let parameters: [database::Parameter; 5] =
            [&self.name(), &lease.lane.as_str(), &number, &delay.as_secs_f64(), &keeps];
        let rows = self.database.rows(SQL, &parameters).await?;
        Ok(rows.first().is_some_and(|row| row.get::<_, i64>(0) > 0))
    }

    async fn drop_job(&self, lease: &Lease) -> Result<()> {
        const SQL: &str = "delete from fleet_job where fleet = $1 and lane = $2 and id = $3";
        self.database.rows(SQL, &[&self.name(), &lease.lane.as_str(), &lease.job.as_str()]).await.map(drop)
    }

    /// Waits until the database tells something, or for a while.
    async fn wait_for_notice(notices: &mut tokio::sync::broadcast::Receiver<String>, end: Instant, wanted: &str) {
        let until = end.min(Instant::now() + LOOK);
        let heard = async {
            // After too many at once, as after a lost connection, one looks.
            while notices.recv().await.is_ok_and(|text| !text.is_empty() && !text.starts_with(wanted)) {}
        };
        let _ = tokio::time::timeout_at(until, heard).await;
    }
}

#[async_trait]
impl Queue for PostgresQueue {
    async fn submit(&self, job: &Job) -> Result<Submitted> {
        let (id, lane) = (job.id(), job.lane());
        if lane != Lane::Audit
            && let Some(ended) = self.end_of(&id).await?
        {
            return Ok(match ended {
                Ended::Judged(result) => Submitted::Judged(result),
                Ended::Dead(dead) => Submitted::Dead(dead),
            });
        }
        match self.insert(job, 0).await? {
            true => Ok(Submitted::Accepted),
            false if self.waits(&id, lane).await? => Ok(Submitted::Waiting),
            false => match self.end_of(&id).await? {
                // It ended between the two looks.
                Some(Ended::Judged(result)) => Ok(Submitted::Judged(result)),
                Some(Ended::Dead(dead)) => Ok(Submitted::Dead(dead)),
                None => Err(QueueError::Full { lane, most: self.settings.most_waiting }),
            },
        }
    }

    async fn claim(&self, _: &str, lane: Lane, wait: Duration) -> Result<Option<Claimed>> {
        let end = Instant::now() + wait;
        let mut notices = self.listener.subscribe();
        loop {
            if let Some(claimed) = self.take(lane).await? {
                return Ok(Some(claimed));
            }
            if Instant::now() >= end {
                return Ok(None);
            }
            Self::wait_for_notice(&mut notices, end, "job").await;
        }
    }

    async fn extend(&self, lease: &Lease) -> Result<bool> {
        self.until(lease, self.settings.lease, true).await
    }

    async fn give_back(&self, lease: Lease, delay: Duration) -> Result<()> {
        self.until(&lease, delay, false).await.map(drop)
    }

    async fn complete(&self, lease: Lease, result: &SignedResult) -> Result<Completed> {
        const SQL: &str =
            "with kept as (insert into fleet_result (fleet, id, body) values ($1, $2, $3) on conflict do nothing returning 1),
            gone as (delete from fleet_job where fleet = $1 and lane = $4 and id = $2),
            revived as (delete from fleet_dead where fleet = $1 and id = $2)
            select count(*), pg_notify('guardhost_fleet', 'end ' || $2) from kept";
        let parameters: [database::Parameter; 4] =
            [&self.name(), &lease.job.as_str(), &result.to_json(), &lease.lane.as_str()];
        let rows = self.database.rows(SQL, &parameters).await?;
        if rows.first().is_some_and(|row| row.get::<_, i64>(0) > 0) {
            return Ok(Completed::First);
        }
        match self.result(&lease.job).await? {
            // The answer to an earlier try was lost.
            Some(present) if present == *result => Ok(Completed::First),
            Some(present) => Ok(Completed::Present(Box::new(present))),
            // Nothing that a worker wrote.
            None => self.replace_result(&lease.job, result).await.map(|()| Completed::First),
        }
    }

    async fn end(&self, lease: Lease) -> Result<()> {
        self.drop_job(&lease).await
    }

    async fn bury(&self, lease: Lease, attempts: u32, cause: DeadCause, reason: &str) -> Result<()> {
        let sql = "select body, retries from fleet_job where fleet = $1 and lane = $2 and id = $3";
        let rows = self.database.rows(sql, &[&self.name(), &lease.lane.as_str(), &lease.job.as_str()]).await?;
        if let Some(row) = rows.first() {
            self.keep_dead(row.get(0), attempts, row.get(1), cause, reason).await?;
        }
        self.drop_job(&lease).await
    }

    async fn retry(&self, id: &JobId, anew: Option<&Job>) -> Result<bool> {
        let Some(dead) = self.dead(id).await? else { return Ok(false) };
        let sql = "delete from fleet_history where fleet = $1 and id = $2";
        self.database.rows(sql, &[&self.name(), &id.as_str()]).await?;
        // First into the queue: a process that ends in between leaves it in both, and the result will count.
        let job = anew.unwrap_or(&dead.job);
        if !self.insert(job, dead.retries.saturating_add(1)).await? && !self.waits(id, job.lane()).await? {
            return Err(QueueError::Full { lane: job.lane(), most: self.settings.most_waiting });
        }
        let sql = "delete from fleet_dead where fleet = $1 and id = $2";
        self.database.rows(sql, &[&self.name(), &id.as_str()]).await?;
        Ok(true)
    }

    async fn judge_again(&self, job: &Job) -> Result<()> {
        self.insert(job, 0).await.map(drop)
    }

    async fn replace_result(&self, id: &JobId, result: &SignedResult) -> Result<()> {
        const SQL: &str = "with kept as (insert into fleet_result (fleet, id, body) values ($1, $2, $3)
                on conflict (fleet, id) do update set body = $3 returning 1)
            select count(*), pg_notify('guardhost_fleet', 'end ' || $2) from kept";
        self.database.rows(SQL, &[&self.name(), &id.as_str(), &result.to_json()]).await.map(drop)
    }

    async fn history(&self, id: &JobId) -> Result<JobHistory> {
        let sql = "select body from fleet_history where fleet = $1 and id = $2";
        let body = self.database.bytes(sql, &[&self.name(), &id.as_str()]).await?;
        // What another version wrote counts as nothing: at worst a job is tried more often.
        Ok(body.and_then(|body| serde_json::from_slice(&body).ok()).unwrap_or_default())
    }

    async fn put_history(&self, id: &JobId, history: &JobHistory) -> Result<()> {
        let json = serde_json::to_vec(history).unwrap_or_default();
        let sql = "insert into fleet_history (fleet, id, body) values ($1, $2, $3)
            on conflict (fleet, id) do update set body = $3, at = clock_timestamp()";
        self.database.rows(sql, &[&self.name(), &id.as_str(), &json]).await.map(drop)
    }

    async fn result(&self, id: &JobId) -> Result<Option<SignedResult>> {
        let sql = "select body from fleet_result where fleet = $1 and id = $2";
        let body = self.database.bytes(sql, &[&self.name(), &id.as_str()]).await?;
        // Nothing that a worker wrote: it is judged again.
        Ok(body.and_then(|body| SignedResult::from_json(&body)))
    }

    async fn dead(&self, id: &JobId) -> Result<Option<DeadJob>> {
        let sql = "select body from fleet_dead where fleet = $1 and id = $2";
        let body = self.database.bytes(sql, &[&self.name(), &id.as_str()]).await?;
        Ok(body.and_then(|body| serde_json::from_slice(&body).ok()))
    }

    async fn all_dead(&self, limit: usize) -> Result<Vec<DeadJob>> {
        self.newest(limit, "select body from fleet_dead where fleet = $1 order by at desc limit $2").await
    }

    async fn wait(&self, id: &JobId, most: Duration) -> Result<Option<Ended>> {
        let end = Instant::now() + most;
        let mut notices = self.listener.subscribe();
        let wanted = format!("end {id}");
        loop {
            if let Some(ended) = self.end_of(id).await? {
                return Ok(Some(ended));
            }
            if Instant::now() >= end {
                return Ok(None);
            }
            Self::wait_for_notice(&mut notices, end, &wanted).await;
        }
    }

    async fn tidy(&self) -> Result<()> {
        self.forget_old().await
    }

    async fn raise(&self, alarm: &Alarm) -> Result<()> {
        let json = serde_json::to_vec(alarm).unwrap_or_default();
        let sql = "insert into fleet_alarm (fleet, body) values ($1, $2)";
        self.database.rows(sql, &[&self.name(), &json]).await.map(drop)
    }

    async fn alarms(&self, limit: usize) -> Result<Vec<Alarm>> {
        self.newest(limit, "select body from fleet_alarm where fleet = $1 order by seq desc limit $2").await
    }

    async fn beat(&self, beat: &WorkerBeat, key: &WorkerKey) -> Result<()> {
        let signed = signed_beat::sign(self.name(), beat, key);
        let sql = "insert into fleet_worker (fleet, name, body) values ($1, $2, $3)
            on conflict (fleet, name) do update set body = $3, at = clock_timestamp()";
        self.database.rows(sql, &[&self.name(), &beat.name, &signed]).await.map(drop)
    }

    async fn status(&self) -> Result<Status> {
        self.present_status().await
    }

    async fn put_object(&self, bytes: &[u8]) -> Result<String> {
        let name = hex::sha256(bytes);
        self.room("fleet_object", bytes.len()).await?;
        let sql = "insert into fleet_object (fleet, name, body) values ($1, $2, $3)
            on conflict (fleet, name) do update set body = $3 where fleet_object.body <> $3";
        self.database.rows(sql, &[&self.name(), &name, &bytes]).await?;
        Ok(name)
    }

    async fn object(&self, sha256: &str) -> Result<Option<Vec<u8>>> {
        let sql = "select body from fleet_object where fleet = $1 and name = $2";
        let found = self.database.bytes(sql, &[&self.name(), &sha256]).await?;
        Ok(found.filter(|bytes| hex::sha256(bytes) == sha256))
    }

    async fn drop_object(&self, sha256: &str) -> Result<()> {
        let sql = "delete from fleet_object where fleet = $1 and name = $2";
        self.database.rows(sql, &[&self.name(), &sha256]).await.map(drop)
    }

    async fn put_verdicts(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.room("fleet_verdicts", bytes.len()).await?;
        let sql = "insert into fleet_verdicts (fleet, name, body) values ($1, $2, $3)
            on conflict (fleet, name) do update set body = $3, at = clock_timestamp()";
        self.database.rows(sql, &[&self.name(), &name, &bytes]).await.map(drop)
    }

    async fn verdicts(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let sql = "select body from fleet_verdicts where fleet = $1 and name = $2";
        self.database.bytes(sql, &[&self.name(), &name]).await
    }
}

fn target(address: &str, access: &Access) -> Result<Target> {
    let mut target = Target::read(address, access.ca.as_deref()).map_err(|error| match error {
        AddressError::Unreadable => QueueError::Address("postgresql".to_owned()),
        AddressError::TlsMode(_) | AddressError::UselessCertificates | AddressError::Certificates(..) => {
            QueueError::Access("the encryption of PostgreSQL".to_owned(), error.to_string())
        }
    })?;
    match &access.credentials {
        None => {}
        Some(Credentials::UserPassword { user, password }) => {
            target.config.user(user).password(password);
        }
        Some(Credentials::Secret(password)) => {
            target.config.password(password);
        }
        Some(Credentials::Nkey(_) | Credentials::File(_)) => {
            let why = "they are of NATS; PostgreSQL takes USER:PASSWORD, or a password";
            return Err(QueueError::Access("the credentials".to_owned(), why.to_owned()));
        }
    }
    Ok(target)
}
