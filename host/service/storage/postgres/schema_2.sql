create index event_of_time on event (ts, seq);
create index fingerprint_of_age on fingerprint (ts);
