//! Rows of jobs, of the dead, and what the fleet does.

use std::time::Duration;

use serde::de::DeserializeOwned;

use super::PostgresQueue;
use super::database::Parameter;
use crate::failure::DeadCause;
use crate::job::{Job, JobId, Lane};
use crate::queue::status::GONE;
use crate::queue::{DeadJob, Ended, LaneStatus, Queue, QueueError, Result, Status, signed_beat};

/// The newest that a status shows.
const SHOWN: usize = 10;

impl PostgresQueue {
    /// False when the job waits already, or the lane is full. A row of that id that holds something else is corrected, so that nobody keeps a
    /// job from its verdict by writing its id first.
    pub(super) async fn insert(&self, job: &Job, retries: u32) -> Result<bool> {
        const SQL: &str = "with added as (insert into fleet_job (fleet, lane, id, body, retries)
            select $1, $2, $3, $4, $5
            where (select count(*) from (select 1 from fleet_job where fleet = $1 and lane = $2 limit $6) waiting) < $6
            on conflict (fleet, lane, id) do update set body = excluded.body where fleet_job.body <> excluded.body
            returning xmax = 0 as is_new)
            select count(*) filter (where is_new), pg_notify('guardhost_fleet', 'job') from added";
        let most = i64::try_from(self.settings.most_waiting).unwrap_or(i64::MAX);
        let (lane, id, retries) = (job.lane().as_str(), job.id(), i32::try_from(retries).unwrap_or(i32::MAX));
        let parameters: [Parameter; 6] = [&self.name(), &lane, &id.as_str(), &job.to_json(), &retries, &most];
        let rows = self.database.rows(SQL, &parameters).await?;
        Ok(rows.first().is_some_and(|row| row.get::<_, i64>(0) > 0))
    }

    pub(super) async fn waits(&self, id: &JobId, lane: Lane) -> Result<bool> {
        let sql = "select 1 from fleet_job where fleet = $1 and lane = $2 and id = $3";
        Ok(!self.database.rows(sql, &[&self.name(), &lane.as_str(), &id.as_str()]).await?.is_empty())
    }

    pub(super) async fn end_of(&self, id: &JobId) -> Result<Option<Ended>> {
        if let Some(result) = self.result(id).await? {
            return Ok(Some(Ended::Judged(Box::new(result))));
        }
        Ok(self.dead(id).await?.map(|dead| Ended::Dead(Box::new(dead))))
    }

    /// Puts a job aside, unless it has a result.
    pub(super) async fn keep_dead(
        &self,
        body: &[u8],
        attempts: u32,
        retries: i32,
        cause: DeadCause,
        reason: &str,
    ) -> Result<()> {
        let job = Job::from_json(body)?;
        if job.lane() == Lane::Audit {
            return Ok(());
        }
        let (id, at) = (job.id(), jiff::Timestamp::now().to_string());
        let retries = u32::try_from(retries).unwrap_or(0);
        let dead = DeadJob { job, reason: reason.to_owned(), cause, attempts, retries, at };
        let json = serde_json::to_vec(&dead).unwrap_or_default();
        let sql = "with kept as (insert into fleet_dead (fleet, id, body) select $1, $2, $3
            where not exists (select 1 from fleet_result where fleet = $1 and id = $2) on conflict do nothing returning 1)
            select count(*), pg_notify('guardhost_fleet', 'end ' || $2) from kept";
        self.database.rows(sql, &[&self.name(), &id.as_str(), &json]).await.map(drop)
    }

    pub(super) async fn newest<T: DeserializeOwned>(&self, limit: usize, sql: &str) -> Result<Vec<T>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.database.rows(sql, &[&self.name(), &limit]).await?;
        Ok(rows.iter().filter_map(|row| serde_json::from_slice(row.get(0)).ok()).collect())
    }

    pub(super) async fn room(&self, table: &str, bytes: usize) -> Result<()> {
        let present = self.bytes_of(table).await?;
        match present + bytes as u64 > self.settings.most_bytes {
            true => Err(QueueError::NoRoom(format!("{present} of {} bytes are used", self.settings.most_bytes))),
            false => Ok(()),
        }
    }

    /// Of the rows of this fleet. The tables are larger by what deleted rows have left, until the database uses that again.
    async fn bytes_of(&self, table: &str) -> Result<u64> {
        let sql = format!("select coalesce(sum(octet_length(body)), 0)::bigint from {table} where fleet = $1");
        let rows = self.database.rows(&sql, &[&self.name()]).await?;
        Ok(rows.first().map_or(0, |row| u64::try_from(row.get::<_, i64>(0)).unwrap_or(0)))
    }

    /// Deletes what is older than the settings allow.
    pub(super) async fn forget_old(&self) -> Result<()> {
        for table in ["fleet_result", "fleet_object", "fleet_verdicts", "fleet_dead", "fleet_history"] {
            let sql =
                format!("delete from {table} where fleet = $1 and at < clock_timestamp() - make_interval(secs => $2)");
            self.database.rows(&sql, &[&self.name(), &self.settings.keep.as_secs_f64()]).await?;
        }
        Ok(())
    }

    pub(super) async fn present_status(&self) -> Result<Status> {
        const LANES: &str = "select lane, count(*) filter (where lease is null or until <= clock_timestamp()),
            count(*) filter (where lease is not null and until > clock_timestamp()),
            coalesce(extract(epoch from clock_timestamp() - min(since)), 0)::float8
            from fleet_job where fleet = $1 group by lane";
        const WORKERS: &str = "select name, body, extract(epoch from clock_timestamp() - at)::float8 from fleet_worker
            where fleet = $1 and at > clock_timestamp() - make_interval(secs => $2) order by name";
        let rows = self.database.rows(LANES, &[&self.name()]).await?;
        let count = |number: i64| u64::try_from(number).unwrap_or(0);
        let of_lane = |lane: Lane| {
            let row = rows.iter().find(|row| row.get::<_, &str>(0) == lane.as_str());
            let (waiting, leased, oldest) = row.map_or((0, 0, 0.0), |row| (row.get(1), row.get(2), row.get(3)));
            LaneStatus { lane, waiting: count(waiting), leased: count(leased), oldest: seconds(oldest) }
        };
        let workers = self.database.rows(WORKERS, &[&self.name(), &GONE.as_secs_f64()]).await?;
        let worker =
            |row: &tokio_postgres::Row| signed_beat::read(row.get(0), row.get(1), seconds(row.get(2)), &self.settings);
        let dead = self.database.rows("select count(*) from fleet_dead where fleet = $1", &[&self.name()]).await?;
        Ok(Status {
            lanes: Lane::ALL.into_iter().map(of_lane).collect(),
            workers: workers.iter().filter_map(worker).collect(),
            dead: dead.first().map_or(0, |row| count(row.get(0))),
            object_bytes: self.bytes_of("fleet_object").await?,
            most_object_bytes: self.settings.most_bytes,
            newest_dead: self.all_dead(SHOWN).await?,
            alarms: self.alarms(SHOWN).await?,
        })
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
