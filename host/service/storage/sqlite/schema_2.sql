-- What is removed by age and number is found by time.
create index event_of_time on event (ts, seq);
create index fingerprint_of_age on fingerprint (ts);
