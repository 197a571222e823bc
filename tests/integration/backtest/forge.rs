//! `host backtest --forge`: what a forge says of pull requests counts before what the history tells.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Past, figures, good, pulls, stopped};
use crate::support::cli::{Ran, host_with};
use crate::support::forge::{Face, FaultKind, Loopback, Pull, TOKEN};

/// Numbers of pull requests that no head is here of, so that the list has pages.
const OTHERS: std::ops::RangeInclusive<u64> = 17..=230;

/// A past, and the forge that knows better in some of it.
struct AtForge {
    past: Past,
    forge: Loopback,
    face: Face,
}

/// How a pull request stands at the forge.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Merged,
    Closed,
    Open,
}

impl AtForge {
    fn new(face: Face) -> Self {
        let (mut past, forge) = (pulls(), Loopback::start());
        // Six came in with other words, and was taken back: no patch tells that it is this.
        past.change(6, &good(6, "20"), "Another six");
        let six = past.repo.git(&["rev-parse", "HEAD"]);
        past.days(1);
        past.git(&["revert", "--no-edit", "HEAD"]);
        past.repo.git(&["remote", "add", "origin", &forge.remote()]);
        let bare = forge.repository().display().to_string();
        past.repo.git(&["push", "-q", &bare, "HEAD:refs/heads/main"]);
        for number in 1..=14 {
            past.repo.git(&["push", "-q", &bare, &format!("refs/pull/{number}/head:refs/heads/p{number}")]);
        }
        let at_forge = AtForge { past, forge, face };
        for number in (1..=14).chain(OTHERS) {
            let end = match number {
                5 | 6 => End::Merged,
                10 | 14 => End::Closed,
                11 => End::Open,
                number if OTHERS.contains(&number) => End::Closed,
                _ => End::Merged,
            };
            let merge_commit = match number {
                6 => Some(six.clone()),
                // Into another branch, which is not here.
                5 => Some("5".repeat(40)),
                _ => None,
            };
            at_forge.forge.state().pulls.push(Pull {
                number,
                title: format!("Title {number}"),
                is_open: end == End::Open,
                is_merged: end == End::Merged,
                head: if number <= 14 { format!("p{number}") } else { "main".to_owned() },
                base: "main".to_owned(),
                merge_commit,
                account: (number == 8).then(|| "renovate[bot]".to_owned()),
                ..Pull::default()
            });
        }
        at_forge
    }

    fn run(&self, more: &[&str]) -> Ran {
        self.run_as(TOKEN, more)
    }

    fn run_as(&self, token: &str, more: &[&str]) -> Ran {
        let args = [&["backtest", "--pulls", "--forge", "--format", "json"], more].concat();
        let variable = match self.face {
            Face::GitHub => "GITHUB_TOKEN",
            Face::Gitea => "GITEA_TOKEN",
            Face::GitLab => "GITLAB_TOKEN",
        };
        let api = self.forge.api_of(self.face);
        host_with(self.past.repo.path(), &args, b"", &[(variable, token), ("GUARDHOST_API", &api)])
    }

    fn report(&self) -> Value {
        self.run(&[]).expect(0).json()
    }

    /// Pages of the list that were asked for so far.
    fn pages(&self) -> usize {
        let path = self.face.pulls_path();
        self.forge.requests().iter().filter(|request| request.ends_with(path)).count()
    }
}

fn counts(kept: u64, reverted: u64, mended: u64, closed: u64, undecided: u64) -> Value {
    json!({ "kept": kept, "reverted": reverted, "mended": mended, "closed": closed, "undecided": undecided })
}

#[test]
fn the_word_of_the_forge_counts_before_the_history() {
    for face in Face::ALL {
        let at_forge = AtForge::new(face);
        let report = at_forge.report();
        // By the history alone: 7, 2, 1, 2, 2.
        assert_eq!(report["all"], counts(7, 3, 1, 2, 1), "{face:?} {report:#}");
        let forge = &report["forge"];
        assert_eq!(
            (&forge["told"], &forge["unknown"], &forge["settled"]),
            (&json!(14), &json!(0), &json!(1)),
            "{forge:#}"
        );
        let differences = json!([
            { "number": 10, "history": "kept", "forge": "closed" },
            { "number": 6, "history": "closed", "forge": "merged" },
            { "number": 5, "history": "closed", "forge": "merged" },
        ]);
        assert_eq!((&forge["differences"], &forge["ended_by"]), (&differences, &Value::Null));
        let outcomes: BTreeSet<(u64, String)> =
            stopped(&report).into_iter().map(|(number, outcome, _)| (number, outcome)).collect();
        let expected = [(2, "kept"), (5, "kept"), (7, "reverted"), (9, "mended"), (14, "closed")];
        assert_eq!(outcomes, expected.map(|(number, outcome)| (number, outcome.to_owned())).into());
        assert!(report["stopped"].to_string().contains("Title 5"), "{report:#}");
        let bots = report["makers"].as_array().expect("makers").iter().find(|maker| maker["maker"] == "bot");
        assert_eq!(bots.expect("bots")["all"]["reverted"], 1, "its account tells that of eight: {report:#}");
        at_forge.forge.check();
        // What is merged is for ever, what is closed may be open again.
        at_forge.forge.state().pulls.iter_mut().filter(|pull| pull.number == 14).for_each(|pull| pull.is_open = true);
        assert_eq!(at_forge.report()["all"], counts(7, 3, 1, 1, 2));
    }
}

#[test]
fn what_the_forge_does_not_say_is_neither_closed_nor_merged_and_is_asked_again() {
    let at_forge = AtForge::new(Face::GitHub);
    let limited = FaultKind::Status(429, vec![("retry-after", "4000".to_owned())], "slow down");
    at_forge.forge.fault("GET", "&page=3", limited, 1);
    let report = at_forge.report();
    let forge = &report["forge"];
    assert_eq!((&forge["told"], &forge["unknown"]), (&json!(0), &json!(14)), "{forge:#}");
    assert_eq!((&forge["ended_by"], at_forge.pages()), (&json!("forge-rate-limited"), 3));
    assert_eq!(report["all"], counts(7, 2, 1, 0, 4), "nothing counts as closed: {report:#}");
    assert!(report["notices"].to_string().contains("slow down"), "{report:#}");
    // The same command asks for the page that failed, and for no other.
    let rest = at_forge.report();
    assert_eq!((rest["forge"]["told"].as_u64(), at_forge.pages()), (Some(14), 4), "{rest:#}");
    let whole = at_forge.run(&["--fresh"]).expect(0).json();
    assert_eq!((figures(rest), at_forge.pages()), (figures(whole), 7));
    at_forge.forge.check();
    // One more commit at the forge: what it says is not about the head that is here.
    let past = &at_forge.past;
    past.repo.git(&["push", "-q", "-f", &at_forge.forge.repository().display().to_string(), "HEAD:refs/heads/p14"]);
    let moved = at_forge.report();
    assert_eq!((&moved["forge"]["told"], &moved["forge"]["unknown"]), (&json!(13), &json!(1)), "{moved:#}");
}

#[test]
fn what_a_person_has_to_mend_ends_the_command() {
    let at_forge = AtForge::new(Face::GitHub);
    let refused = at_forge.run_as("wrong", &[]);
    assert_eq!(refused.json()["error"]["code"], "forge-unauthorized", "{refused:?}");
    at_forge.run(&["--offline"]).expect(2);
    let args = ["backtest", "--forge"];
    host_with(at_forge.past.repo.path(), &args, b"", &[("GITHUB_TOKEN", TOKEN)]).expect(2);
}
