//! What every adapter does alike, against the loopback forge: what is made is made once, whatever goes wrong.

mod forge;
mod support;

use guardhost_forge::{ForgeFailure, MergeState, PullState, PushAccess, Viewer, WriteOutcome, open_or_update, sticky};

use forge::{Face, FaultKind, Pull, TOKEN, TrackerIssue};
use support::Place;

const SUMMARY: &str = "<!-- guardhost summary schema=1 -->\nAll well.";

#[test]
fn a_pull_request_is_opened_and_brought_up_to_date() {
    for face in Face::ALL {
        let place = Place::with_branch();
        let client = place.client(face, TOKEN);
        assert_eq!(client.viewer().unwrap(), Viewer::User("robot".into()));
        let repository = client.repository().unwrap();
        assert_eq!((repository.default_branch.as_str(), repository.push), ("main", PushAccess::Allowed));
        assert_eq!(client.find("guardhost/work").unwrap(), None);
        let (pull, done) = open_or_update(&*client, &place.new_pull("first")).unwrap();
        assert_eq!((pull.number, done, pull.from_fork), (1, WriteOutcome::Made, false));
        assert_eq!((pull.head_sha.as_str(), pull.base.as_str()), (place.head().as_str(), "main"));
        let again = open_or_update(&*client, &place.new_pull("first")).unwrap();
        assert_eq!((again.0.number, again.1), (1, WriteOutcome::Unchanged));
        let changed = open_or_update(&*client, &place.new_pull("second")).unwrap();
        assert_eq!((changed.0.number, changed.1), (1, WriteOutcome::Changed));
        client.add_labels(1, &["guardhost", "automated"]).unwrap();
        client.add_labels(1, &["guardhost"]).unwrap();
        let pull = client.pull(1).unwrap();
        assert_eq!((pull.labels.join(" ").as_str(), pull.merge), ("guardhost automated", MergeState::Clean));
        let files = client.files(1).unwrap();
        assert_eq!(files.iter().map(|file| (file.path.as_str(), file.additions)).collect::<Vec<_>>(), [("a.py", 2)]);
        place.loopback.check();
    }
}

#[test]
fn an_issue_is_read_and_a_pull_request_is_none() {
    let issue = |number, body: Option<&str>, is_open| TrackerIssue {
        number,
        title: format!("Issue {number}"),
        body: body.map(str::to_owned),
        is_open,
    };
    for face in Face::ALL {
        let place = Place::with_branch();
        let client = place.client(face, TOKEN);
        place.loopback.state().issues = vec![issue(7, Some("It **breaks**."), true), issue(8, None, false)];
        let found = client.issue(7).unwrap();
        assert_eq!((found.number, found.title.as_str(), found.body.as_str()), (7, "Issue 7", "It **breaks**."));
        assert!(found.is_open && found.url.ends_with("/issues/7"), "{}", found.url);
        let closed = client.issue(8).unwrap();
        assert_eq!((closed.body.as_str(), closed.is_open), ("", false));
        assert_eq!(client.issue(9).unwrap_err().class, ForgeFailure::NotFound);
        open_or_update(&*client, &place.new_pull("text")).unwrap();
        assert_eq!(client.issue(1).unwrap_err().class, ForgeFailure::NotFound, "{face:?}");
        place.loopback.check();
    }
}

#[test]
fn whatever_goes_wrong_one_pull_request_and_one_comment_are_made() {
    for face in Face::ALL {
        let limited = |status, headers: &[(&'static str, &str)], message| {
            FaultKind::Status(
                status,
                headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
                message,
            )
        };
        let faults = [
            ("lost", FaultKind::Lost),
            ("behind a gateway", FaultKind::LostBehindGateway(502)),
            ("dropped", FaultKind::Dropped),
            ("too many", limited(429, &[("retry-after", "9")], "slow down")),
            ("secondary", limited(403, &[], "You have exceeded a secondary rate limit")),
            ("failed", limited(500, &[], "oops")),
        ];
        for (name, fault) in faults {
            for times in [1, 2] {
                let place = Place::with_branch();
                let client = place.client(face, TOKEN);
                for (method, path) in [
                    ("POST", face.pulls_path()),
                    ("POST", face.comments_path()),
                    ("GET", face.pulls_path()),
                    ("GET", face.comments_path()),
                ] {
                    // What was done although its answer was lost is found, and not asked for again.
                    let is_done =
                        matches!(fault, FaultKind::Lost | FaultKind::LostBehindGateway(_)) && method == "POST";
                    place.loopback.fault(method, path, fault.clone(), if is_done { 1 } else { times });
                }
                let (pull, _) =
                    open_or_update(&*client, &place.new_pull("text")).unwrap_or_else(|error| panic!("{name}: {error}"));
                sticky(&*client, pull.number, SUMMARY).unwrap_or_else(|error| panic!("{name}: {error}"));
                sticky(&*client, pull.number, SUMMARY).unwrap_or_else(|error| panic!("{name}: {error}"));
                let state = place.loopback.state();
                assert_eq!((state.pulls.len(), state.comments.len()), (1, 1), "{name}, {times} times");
                drop(state);
                place.loopback.check();
            }
        }
    }
}

#[test]
fn pull_requests_of_the_past_come_page_by_page_with_what_became_of_them() {
    for face in Face::ALL {
        let place = Place::with_branch();
        let client = place.client(face, TOKEN);
        open_or_update(&*client, &place.new_pull("text")).unwrap();
        let main = place.tip("refs/heads/main").to_string();
        {
            let mut state = place.loopback.state();
            for number in 2..=105 {
                state.pulls.push(Pull {
                    number,
                    title: format!("Pull {number}"),
                    body: String::new(),
                    is_open: false,
                    is_merged: number % 2 == 0,
                    head: "guardhost/work".into(),
                    base: "main".into(),
                    draft: false,
                    labels: Vec::new(),
                    ..Pull::default()
                });
            }
        }
        let mut seen = Vec::new();
        for page in 1.. {
            let found = client.past_pulls(page).unwrap();
            seen.extend(found.pulls);
            if found.is_last {
                break;
            }
        }
        assert_eq!(
            seen.iter().map(|pull| pull.number).collect::<Vec<_>>(),
            (1..=105).rev().collect::<Vec<_>>(),
            "{face:?}"
        );
        for pull in &seen {
            let expected = match pull.number {
                1 => (PullState::Open, None),
                number if number % 2 == 0 => (PullState::Merged, Some(main.as_str())),
                _ => (PullState::Closed, None),
            };
            // GitHub names the commit of a merge that it only tried, too.
            assert_eq!((pull.state, pull.merge_commit.as_deref()), expected, "{face:?} {}", pull.number);
            assert_eq!((pull.author.as_str(), pull.head.as_str(), pull.is_by_bot), ("robot", "guardhost/work", false));
            assert_eq!(pull.head_sha, place.tip("refs/heads/guardhost/work").to_string(), "{face:?}");
        }
        let limited = FaultKind::Status(429, vec![("retry-after", "4000".to_owned())], "slow down");
        place.loopback.fault("GET", face.pulls_path(), limited, 1);
        assert_eq!(client.past_pulls(1).unwrap_err().class, ForgeFailure::RateLimited);
        place.loopback.check();
    }
}

#[test]
fn a_comment_of_another_account_is_never_taken_for_ours() {
    for face in Face::ALL {
        let place = Place::with_branch();
        let client = place.client(face, TOKEN);
        open_or_update(&*client, &place.new_pull("text")).unwrap();
        place.loopback.state().add_comment(1, "mallory", SUMMARY);
        assert_eq!(sticky(&*client, 1, SUMMARY).unwrap(), WriteOutcome::Made);
        assert_eq!(sticky(&*client, 1, &format!("{SUMMARY} More.")).unwrap(), WriteOutcome::Changed);
        let state = place.loopback.state();
        let bodies: Vec<(&str, &str)> =
            state.comments.iter().map(|found| (found.user.as_str(), found.body.as_str())).collect();
        assert_eq!(bodies, [("mallory", SUMMARY), ("robot", &*format!("{SUMMARY} More."))]);
    }
}

#[test]
fn a_wrong_token_is_said_and_not_shown() {
    for face in Face::ALL {
        let place = Place::with_branch();
        let error = place.client(face, "ghp_wrong").find("guardhost/work").unwrap_err();
        assert_eq!(error.class, ForgeFailure::Unauthorized);
        let said = format!("{error:?} {:?}", error.clone().into_error());
        assert!(!said.contains("ghp_wrong") && said.contains("Bad credentials"), "{said}");
    }
}
