-- What is known of jobs that came back.
create table fleet_history (
    fleet text not null,
    id text not null,
    body bytea not null,
    at timestamptz not null default clock_timestamp(),
    primary key (fleet, id)
);
create index fleet_history_age on fleet_history (fleet, at);
