-- A row a run, made of its events as they come: a list of runs reads no event. `body` is what a row of the list says; the other columns are what
-- it is found by. It belongs to the repository that had its first event.
create table run (
    run text primary key not null,
    repo text not null,
    began integer not null,
    heard integer not null,
    took integer not null,
    state text not null,
    accepted integer not null,
    repository text not null,
    person text not null,
    machine text not null,
    agent text not null,
    provider text not null,
    command text not null,
    plan text not null,
    words text not null,
    body text not null
) without rowid;
create index run_by_time on run (began, run);
create index run_by_length on run (took, run);
create index run_by_repo on run (repo, began, run);
create index run_by_state on run (state, began, run);
create index run_by_acceptance on run (accepted, began, run);
create index run_by_repository on run (repository, began, run);
create index run_by_person on run (person, began, run);
create index run_by_machine on run (machine, began, run);
create index run_by_agent on run (agent, began, run);
create index run_by_provider on run (provider, began, run);
create index run_by_command on run (command, began, run);
create index run_by_plan on run (plan, began, run);
create index run_by_hearing on run (heard, run);

-- The guards that rejected a change of the run.
create table run_guard (
    guard text not null,
    began integer not null,
    run text not null,
    primary key (guard, began, run)
) without rowid;
create index run_guard_of_run on run_guard (run);
create trigger run_is_gone after delete on run begin
    delete from run_guard where run = old.run;
end;
