-- Observations. `body` is the observation as it was posted; the other columns are what it is looked up by.
create table observation (
    seq integer primary key autoincrement,
    id text not null unique,
    repo text not null,
    ts integer not null,
    run_id text not null,
    agent text not null,
    commit_sha text,
    body text not null
);
create index observation_of_repo on observation (repo, ts, seq);
create index observation_of_time on observation (ts, seq);
create index observation_of_run on observation (run_id, ts, seq);
create index observation_of_agent on observation (agent, ts, seq);
create index observation_of_commit on observation (commit_sha) where commit_sha is not null;

-- One row a key, which stays: its fence only rises.
create table claim (
    repo text not null,
    key text not null,
    holder text not null,
    fence integer not null,
    until integer not null,
    primary key (repo, key)
) without rowid;

create table event (
    seq integer primary key autoincrement,
    repo text not null,
    run text not null,
    n integer not null,
    ts integer not null,
    name text not null,
    data text not null,
    unique (repo, run, n)
);
create index event_of_repo on event (repo, seq);
create index event_of_run on event (run, seq);

create table fingerprint (
    repo text not null,
    tree text not null,
    ts integer not null,
    body text not null,
    primary key (repo, tree)
) without rowid;
create index fingerprint_of_time on fingerprint (repo, ts);

create table token (
    name text primary key not null,
    hash text not null unique,
    repos text,
    ts integer not null
) without rowid;
