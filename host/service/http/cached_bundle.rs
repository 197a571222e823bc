//! The events that pages are made of, kept from one page to the next: what is new is added, and nothing is read twice.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use guardhost_observer::wire::StoredEvent;
use guardhost_pages::Bundle;

use super::problem::Failure;
use crate::storage::{EventQuery, Storage};

/// Events that a page about all runs is made from: the newest.
const EVENTS: u64 = 20_000;
/// So many more, and it is made anew of the newest.
const MORE: u64 = 5_000;
/// Bytes of JSON of all of them. 20,000 events of real runs have some 10 MB.
const BYTES: usize = 128 << 20;
/// Events of one run that a page shows: a run of ten rounds has some 600.
const OF_RUN: usize = 5_000;
/// Events of one query: at most 64 MiB.
const PART: u32 = 64;

/// See the module.
pub struct CachedBundle {
    pub bundle: Bundle,
    query: EventQuery,
    /// Events before this one are not in it.
    first: u64,
    /// The repository of each run: the one that had the first event under its id. Whoever may write to another repository does not
    /// write to its page.
    owners: HashMap<String, String>,
    /// Of what is in the bundle.
    bytes: usize,
    /// Events by run.
    counts: HashMap<String, usize>,
    used: Instant,
}

impl CachedBundle {
    /// Of the newest events; of one repository, or all.
    pub async fn newest_runs(storage: &dyn Storage, repo: Option<String>) -> Result<Self, Failure> {
        let (_, newest) = storage.event_bounds().await?;
        Self::read(storage, repo, None, newest.saturating_sub(EVENTS)).await
    }

    /// Of all events of one run.
    pub async fn one_run(storage: &dyn Storage, repo: Option<String>, run: &str) -> Result<Self, Failure> {
        Self::read(storage, repo, Some(run.to_owned()), 0).await
    }

    async fn read(
        storage: &dyn Storage,
        repo: Option<String>,
        run: Option<String>,
        first: u64,
    ) -> Result<Self, Failure> {
        let query = EventQuery { repo, run, after: first, limit: PART };
        Self::empty(query, Instant::now()).with_newer(storage).await
    }

    /// Nothing yet, of what the query asks for.
    fn empty(query: EventQuery, used: Instant) -> Self {
        let (first, counts) = (query.after, HashMap::new());
        CachedBundle { bundle: Bundle::default(), query, first, owners: HashMap::new(), bytes: 0, counts, used }
    }

    pub fn serves(&self, repo: Option<&str>) -> bool {
        self.query.repo.as_deref() == repo
    }

    /// When it was brought up to date.
    pub fn used(&self) -> Instant {
        self.used
    }

    /// With what came since.
    pub async fn with_newer(mut self, storage: &dyn Storage) -> Result<Self, Failure> {
        if self.query.run.is_none() {
            let (_, newest) = storage.event_bounds().await?;
            if newest.saturating_sub(self.first) > EVENTS + MORE {
                self = Self::empty(EventQuery { after: newest - EVENTS, ..self.query }, self.used);
            }
        }
        let mut contested = BTreeSet::new();
        loop {
            let events = storage.events(self.query.clone()).await?;
            let Some(last) = events.last().map(|event| event.seq) else { break };
            for stored in events {
                let owner = self.owners.entry(stored.run.clone()).or_insert_with(|| stored.repo.clone());
                match *owner == stored.repo {
                    true => self.add(stored),
                    false => drop(contested.insert(stored.run)),
                }
            }
            self.query.after = last;
            if self.bytes > BYTES {
                // Of events as large as these only the newest are shown.
                self = Self::empty(self.query, self.used);
            }
        }
        for run in contested {
            self.settle(storage, run).await?;
        }
        self.used = Instant::now();
        Ok(self)
    }

    /// Several repositories have events under the id of one run. It belongs to the one that had the first, which may be older than what is
    /// kept here.
    async fn settle(&mut self, storage: &dyn Storage, run: String) -> Result<(), Failure> {
        let of_run = |repo, after, limit| EventQuery { repo, run: Some(run.clone()), after, limit };
        let first = storage.events(of_run(None, 0, 1)).await?;
        let Some(owner) = first.first().map(|first| first.repo.clone()) else { return Ok(()) };
        if self.owners.insert(run.clone(), owner.clone()).is_some_and(|present| present == owner) {
            return Ok(());
        }
        self.bundle.runs.remove(&run);
        let mut after = 0;
        loop {
            let events = storage.events(of_run(Some(owner.clone()), after, PART)).await?;
            let Some(last) = events.last().map(|event| event.seq) else { return Ok(()) };
            let newest = self.query.after;
            events.into_iter().filter(|stored| stored.seq <= newest).for_each(|stored| self.add(stored));
            after = last;
        }
    }

    fn add(&mut self, stored: StoredEvent) {
        let count = self.counts.entry(stored.run.clone()).or_default();
        *count += 1;
        if *count > OF_RUN {
            self.bundle.runs.entry(stored.run).or_default().unread += 1;
            return;
        }
        self.bytes += stored.event.data_bytes();
        let mut line = stored.event.data;
        if let Some(line) = line.as_object_mut() {
            // What the server checked, whatever the line says.
            line.insert("run".to_owned(), stored.run.into());
            line.insert("seq".to_owned(), stored.event.n.into());
            line.insert("event".to_owned(), stored.event.name.into());
        }
        self.bundle.add_event(&line);
    }
}
