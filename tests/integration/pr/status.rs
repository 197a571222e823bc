//! `host pr status`, and which forge is meant.

use serde_json::{Value, json};

use super::{GOOD, LOST, MONITORED, Place, README, X, build};
use crate::support::cli::host_with;
use crate::support::forge::{Face, TOKEN};

#[test]
fn a_pull_request_is_shown_as_it_stands_and_nothing_is_written() {
    let place = Place::new(&[("x.py", X), ("README.md", README), ("guards.toml", MONITORED)]);
    place.run("Let x return 2", LOST);
    let none = place.host(&["pr", "status", "--format", "json"]).expect(8).json();
    assert_eq!(none["pull"], Value::Null);
    place.open(&[]).expect(0);
    place.forge.state().planned = vec![build("failure", "it failed")];
    let before = place.forge.requests().len();
    let shown = place.host(&["pr", "status", "--format", "json"]).expect(1).json();
    let pull = &shown["pull"];
    assert_eq!((&pull["number"], &pull["outcome"], &pull["merge"]), (&json!(1), &json!("failure"), &json!("clean")));
    assert_eq!((&pull["commit"], &pull["findings"]), (&shown["commit"], &json!({ "open": 1, "resolved": 0 })));
    assert_eq!(pull["builds"][0]["name"], "ci");
    assert!(place.forge.requests()[before..].iter().all(|request| request.starts_with("GET")));
    place.forge.check();
}

/// The same commands with the other adapters: a run is opened twice and shown.
#[test]
fn every_forge_has_one_pull_request_and_one_comment() {
    for (face, variable, named) in [
        (Face::Gitea, "GITEA_TOKEN", None),
        (Face::GitLab, "GITLAB_TOKEN", Some("gitlab")),
        (Face::GitHub, "GITHUB_TOKEN", Some("github")),
    ] {
        let place = Place::new(&[("x.py", X)]);
        place.run("Let x return 2", GOOD);
        let api = place.forge.api_of(face);
        let mut env = vec![(variable, TOKEN), ("GUARDHOST_API", api.as_str())];
        env.extend(named.map(|named| ("GUARDHOST_FORGE", named)));
        let host = |args: &[&str]| host_with(place.repo.path(), &[args, &["--format", "json"]].concat(), b"", &env);
        for action in ["made", "unchanged"] {
            assert_eq!(host(&["pr", "open"]).expect(0).json()["pull"]["action"], action, "{face:?}");
        }
        assert_eq!(host(&["pr", "status"]).expect(0).json()["pull"]["number"], 1, "{face:?}");
        assert_eq!(host(&["pr", "queue"]).expect(0).json()["pulls"][0]["outcome"], "fits", "{face:?}");
        let state = place.forge.state();
        assert_eq!((state.pulls.len(), state.comments.len(), state.statuses.is_empty()), (1, 1, false), "{face:?}");
        drop(state);
        place.forge.check();
    }
}

#[test]
fn a_forge_that_is_not_known_is_asked_for() {
    let place = Place::new(&[("x.py", X)]);
    place.run("Let x return 2", GOOD);
    let said = host_with(place.repo.path(), &["pr", "open", "--format", "json"], b"", &[("GITHUB_TOKEN", TOKEN)]);
    let error = said.expect(2).json()["error"].to_string();
    assert!(error.contains("which forge is at 127.0.0.1") && error.contains("--forge github"), "{error}");
    // The token of another forge is none.
    let env = [("GITHUB_TOKEN", TOKEN), ("GUARDHOST_FORGE", "gitlab")];
    let said = host_with(place.repo.path(), &["pr", "open", "--format", "json"], b"", &env);
    assert!(said.expect(2).json()["error"].to_string().contains("the variable GITLAB_TOKEN is not set"));
    assert!(place.forge.requests().is_empty());
}
