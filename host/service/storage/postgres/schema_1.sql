create table observation (
    seq bigint generated always as identity primary key,
    id uuid not null unique,
    repo text not null,
    ts bigint not null,
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

create table claim (
    repo text not null,
    key text not null,
    holder text not null,
    fence bigint not null,
    until bigint not null,
    primary key (repo, key)
);

create table event (
    seq bigint generated always as identity primary key,
    repo text not null,
    run text not null,
    n bigint not null,
    ts bigint not null,
    name text not null,
    data text not null,
    unique (repo, run, n)
);
create index event_of_repo on event (repo, seq);
create index event_of_run on event (run, seq);

create table fingerprint (
    repo text not null,
    tree text not null,
    ts bigint not null,
    body text not null,
    primary key (repo, tree)
);
create index fingerprint_of_time on fingerprint (repo, ts);

create table token (
    name text primary key,
    hash text not null unique,
    repos text,
    ts bigint not null
);
