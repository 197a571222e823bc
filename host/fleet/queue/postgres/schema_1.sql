create sequence fleet_lease;

-- Jobs without a result. `until`: when a job that waits is free, or when a lease is over.
create table fleet_job (
    seq bigint generated always as identity primary key,
    fleet text not null,
    lane text not null,
    id text not null,
    body bytea not null,
    attempts integer not null default 0,
    retries integer not null default 0,
    since timestamptz not null default clock_timestamp(),
    until timestamptz not null default clock_timestamp(),
    lease bigint,
    unique (fleet, lane, id)
);
create index fleet_job_order on fleet_job (fleet, lane, seq);

create table fleet_result (
    fleet text not null,
    id text not null,
    body bytea not null,
    at timestamptz not null default clock_timestamp(),
    primary key (fleet, id)
);
create index fleet_result_age on fleet_result (fleet, at);

create table fleet_dead (
    fleet text not null,
    id text not null,
    body bytea not null,
    at timestamptz not null default clock_timestamp(),
    primary key (fleet, id)
);

create table fleet_worker (
    fleet text not null,
    name text not null,
    body bytea not null,
    at timestamptz not null default clock_timestamp(),
    primary key (fleet, name)
);

create table fleet_alarm (
    seq bigint generated always as identity primary key,
    fleet text not null,
    body bytea not null,
    at timestamptz not null default clock_timestamp()
);

create table fleet_object (
    fleet text not null,
    name text not null,
    body bytea not null,
    at timestamptz not null default clock_timestamp(),
    primary key (fleet, name)
);
create index fleet_object_age on fleet_object (fleet, at);

create table fleet_verdicts (
    fleet text not null,
    name text not null,
    body bytea not null,
    at timestamptz not null default clock_timestamp(),
    primary key (fleet, name)
);
create index fleet_verdicts_age on fleet_verdicts (fleet, at);
