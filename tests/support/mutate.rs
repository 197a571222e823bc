//! Random histories, on paths whose order in git is not the order of their text.

use std::fs;

use proptest::prelude::*;

use super::repo::TestRepo;

#[derive(Debug, Clone)]
pub enum Mutation {
    Write(usize, u8),
    Remove(usize),
    Move(usize, usize),
    Executable(usize),
    Link(usize),
    Stage,
    Commit,
}

/// Paths that are near one another in git's order, and some that lie below others.
const PATHS: [&str; 10] = ["a", "a-b", "a.b", "a/b", "a/b/c", "a0", "b/c/d", "b/c.d", "z", "b/c/e"];

pub fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    proptest::collection::vec(mutation(), 4..20)
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let path = 0..PATHS.len();
    prop_oneof![
        6 => (path.clone(), 0u8..4).prop_map(|(path, content)| Mutation::Write(path, content)),
        2 => path.clone().prop_map(Mutation::Remove),
        2 => (path.clone(), path.clone()).prop_map(|(from, to)| Mutation::Move(from, to)),
        1 => path.clone().prop_map(Mutation::Executable),
        1 => path.prop_map(Mutation::Link),
        2 => Just(Mutation::Stage),
        1 => Just(Mutation::Commit),
    ]
}

/// Makes room for a file: removes what is at the path, or at one of its parents.
fn clear(repo: &TestRepo, path: &str) {
    let target = repo.path().join(path);
    for place in target.ancestors().take_while(|place| *place != repo.path()) {
        match fs::symlink_metadata(place) {
            Ok(data) if data.is_dir() && place == target => fs::remove_dir_all(place).unwrap(),
            Ok(data) if !data.is_dir() => fs::remove_file(place).unwrap(),
            _ => {}
        }
    }
    fs::create_dir_all(target.parent().unwrap()).unwrap();
}

pub fn mutate(repo: &TestRepo, mutation: &Mutation) {
    let is_file = |path: &str| fs::symlink_metadata(repo.path().join(path)).is_ok_and(|data| data.is_file());
    match *mutation {
        Mutation::Write(path, content) => {
            clear(repo, PATHS[path]);
            // Of its own for each path, so that git and libgit2 cannot pair equal files differently.
            let lines: String = (0..30).map(|line| format!("{path} {line}\n")).collect();
            repo.write(PATHS[path], format!("{lines}{content}\n"));
        }
        Mutation::Remove(path) if is_file(PATHS[path]) => repo.remove(PATHS[path]),
        Mutation::Move(from, to) if is_file(PATHS[from]) => {
            let content = repo.read(PATHS[from]);
            repo.remove(PATHS[from]);
            clear(repo, PATHS[to]);
            repo.write(PATHS[to], content);
        }
        Mutation::Executable(path) if is_file(PATHS[path]) => repo.set_executable(PATHS[path], true),
        Mutation::Link(path) => {
            clear(repo, PATHS[path]);
            repo.symlink(&format!("to-{path}"), PATHS[path]);
        }
        Mutation::Stage => repo.stage_all(),
        Mutation::Commit => drop(repo.commit("step")),
        Mutation::Remove(_) | Mutation::Move(..) | Mutation::Executable(_) => {}
    }
}
