//! `host guard suggest`: what the past of a small repository carries, and what it does not.

use serde_json::{Value, json};

use super::backtest::{Past, bad, file, good};
use crate::support::cli::host;

/// Of the default set one guard judges, and what it does not see comes in: a syntax error that is reverted, one that is fixed, and handlers that
/// swallow every error, one of which is fixed and three are kept.
fn past() -> Past {
    let mut past = Past::new();
    let rules = "schema = 1\n\n[[guard]]\nid = \"docs-kept\"\nsettings = { min_text = 300 }\n";
    past.repo.write("guards.toml", rules);
    past.repo.stage_all();
    past.git(&["commit", "-q", "-m", "Rules"]);
    past.days(30);
    past.change(1, &bad(1), "One");
    past.git(&["revert", "--no-edit", "HEAD"]);
    past.days(30);
    past.change(2, &bad(2), "Two");
    past.days(1);
    past.change(2, &good(2, "5"), "fix: close the bracket");
    past.days(30);
    let blind = |number: u64| {
        format!(
            "def f{number}():\n    try:\n        result = int(input())\n        return result\n    except:\n        pass\n"
        )
    };
    past.change(3, &blind(3), "Three");
    past.days(1);
    past.change(3, &good(3, "4"), "fix: three");
    past.days(30);
    for number in 4..=6 {
        past.change(number, &blind(number), "More");
        past.days(1);
    }
    past.days(30);
    past
}

fn row<'r>(report: &'r Value, list: &str, guard: &str) -> Option<&'r Value> {
    report[list].as_array().expect(list).iter().find(|row| row["guard"] == guard)
}

#[test]
fn what_the_past_carries_is_suggested_and_nothing_else() {
    let past = past();
    let report = host(past.repo.path(), &["guard", "suggest", "--format", "json"]).expect(0).json();
    assert_eq!(report["undone"], 3, "{report:#}");
    let found = row(&report, "suggestions", "syntax-holds").unwrap_or_else(|| panic!("{report:#}"));
    let subjects: Vec<&Value> =
        found["caught"].as_array().expect("changes").iter().map(|one| &one["subject"]).collect();
    assert_eq!(subjects, ["Two", "One"], "the newest first");
    assert_eq!(found["alarmed"], json!([]));
    assert_eq!(found["toml"], "[[guard]]\nid = \"syntax-holds\"");
    assert_eq!(found["caught"][0]["outcome"], "mended");
    assert_eq!(found["caught"][0]["findings"][0]["path"], file(2).as_str());
    // It would have caught one, and alarmed three of the few that were kept.
    let noisy = row(&report, "others", "errors-kept").unwrap_or_else(|| panic!("{report:#}"));
    let counts = |key: &str| noisy[key].as_array().expect(key).len();
    assert_eq!((counts("caught"), counts("alarmed")), (1, 3), "{noisy:#}");
    assert!(row(&report, "suggestions", "errors-kept").is_none());
    // Guards that are on are tried with other settings, over those that their pin has.
    let settings: Vec<&str> = report["others"]
        .as_array()
        .expect("rows")
        .iter()
        .filter(|row| row["guard"] == "docs-kept")
        .map(|row| row["toml"].as_str().expect("lines"))
        .collect();
    assert!(
        settings.contains(&"[[guard]]\nid = \"docs-kept\"\nsettings = { min_text = 300, shrink_floor = 0.5 }"),
        "{settings:?}"
    );
    for list in ["suggestions", "others"] {
        for dear in ["builds", "mutants", "critic-panel", "no-test-regressions"] {
            assert!(row(&report, list, dear).is_none(), "{dear} runs code or asks models");
        }
    }
    // The lines are what turns it on.
    let rules = std::fs::read_to_string(past.repo.path().join("guards.toml")).expect("rules");
    past.repo.write("guards.toml", format!("{rules}\n{}\n", found["toml"].as_str().expect("lines")));
    host(past.repo.path(), &["guard", "lock"]).expect(0);
    past.repo.stage_all();
    past.repo.git(&["commit", "-q", "--no-verify", "-m", "Two guards"]);
    let again = host(past.repo.path(), &["guard", "suggest", "--format", "json"]).expect(0).json();
    assert!(row(&again, "suggestions", "syntax-holds").is_none() && row(&again, "others", "syntax-holds").is_none());
    assert_eq!(again["undone"], 1, "the other two would have been stopped: {again:#}");
    let human = host(past.repo.path(), &["guard", "suggest"]).expect(0).stdout;
    assert!(human.contains("nothing is suggested") && human.contains("not suggested: errors-kept"), "{human}");
}

#[test]
fn where_nothing_came_back_nothing_is_tried() {
    let past = Past::new();
    let report = host(past.repo.path(), &["guard", "suggest", "--format", "json"]).expect(0).json();
    assert_eq!((&report["undone"], &report["suggestions"], &report["others"]), (&json!(0), &json!([]), &json!([])));
}
