-- One row, which is written to see whether rows can be written.
create table readiness (
    id integer primary key,
    at integer not null,
    room blob not null
) strict;
