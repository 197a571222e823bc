//! Whether git's commit-graph, a copy of what commits say, says what they say.

use std::io;
use std::path::Path;

use git2::{Oid, Repository};
use gix_commitgraph::Graph;

use guardhost_core::error::{Context, Error, Result};

/// Trees, parents, dates and generations of every commit are compared. What cannot be read is an error.
pub(super) fn is_true(git: &Path, info: &Path) -> Result<bool> {
    let repo = Repository::open(git)?;
    let kind = gix_index::hash::Kind::Sha1;
    // Git reads the one file, and the folder if there is no such file.
    let file = info.join("commit-graph");
    let folder = info.join("commit-graphs");
    let mut graphs = Vec::new();
    if file.exists() {
        graphs.push(Graph::from_file(&file, kind));
    }
    if folder.join("commit-graph-chain").exists() {
        graphs.push(Graph::from_commit_graphs_dir(&folder, kind));
    }
    for graph in graphs {
        let graph = graph.map_err(|error| Error::msg(error.to_string()))?;
        if graph.verify_integrity(|_| Ok::<_, io::Error>(())).is_err() || !says_what_commits_say(&graph, &repo)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn says_what_commits_say(graph: &Graph, repo: &Repository) -> Result<bool> {
    for said in graph.iter_commits() {
        let commit = repo.find_commit(Oid::from_bytes(said.id().as_bytes())?)?;
        let parents: Vec<_> =
            said.iter_parents().collect::<Result<_, _>>().map_err(|error| Error::msg(error.to_string()))?;
        let parents = parents.into_iter().map(|parent| graph.id_at(parent).as_bytes());
        let seconds = u64::try_from(commit.time().seconds()).context("a commit before 1970")?;
        let same = said.root_tree_id().as_bytes() == commit.tree_id().as_bytes()
            && said.committer_timestamp() == seconds
            && parents.eq(commit.parent_ids().map(|parent| parent.as_bytes().to_vec()).collect::<Vec<_>>());
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}
