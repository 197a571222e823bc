//! A run that was recorded, played again.

use serde_json::{Value, json};

use super::place::{Place, SECRET, story};
use super::{CHAIN, PATCH, PROSE};

/// What a reader of the report sees, without times and names of this one run.
fn told(run: &Value) -> Value {
    let rounds = run["rounds"].as_array().unwrap().iter().map(|round| {
        let seen = ["provider", "model", "usage", "notes", "format", "setback"];
        seen.iter().map(|key| round[*key].clone()).collect::<Value>()
    });
    json!([run["outcome"], run["diff"], rounds.collect::<Vec<_>>()])
}

#[test]
fn a_recorded_run_is_played_again_with_all_that_went_wrong() {
    let place = Place::new(&format!("{CHAIN}[providers.key]\ncommand = \"key\"\nsecret_env = [\"SERVER_KEY\"]\n"));
    place.agent("first", "echo 'API Error: Repeated 529 Overloaded errors' >&2; exit 1");
    place.agent("second", &format!("echo '{PROSE}'"));
    place.agent("third", &format!("printf 'caf\\303\\251 \\377\\n'; cat <<'END'\n{PATCH}END"));
    let file = place.home.path().join("record.jsonl").display().to_string();
    let replay = format!("replay:{file}");
    let run = place.run(&["--record", &file]).expect(0).json();
    let again = place.run(&["--provider", &replay]).expect(0).json();
    assert_eq!(told(&again), told(&run));
    assert_eq!(again["rounds_max"], 4);
    assert!(again["rounds"].as_array().unwrap().iter().all(|round| round["recorded"] == true));
    let failed =
        |run: &Value| story(run).into_iter().filter(|line| line.starts_with("provider-failed")).collect::<Vec<_>>();
    assert_eq!(failed(&again), ["provider-failed first overloaded"]);
    let kept = |run: &Value, round: u32| {
        let dir = std::path::Path::new(run["trace"].as_str().unwrap()).parent().unwrap().to_owned();
        std::fs::read(dir.join(format!("{round}/reply.txt"))).unwrap()
    };
    assert_eq!(kept(&again, 4), kept(&run, 4), "byte for byte");

    // Nobody answered: that is played again too. The key is in neither.
    place.agent("key", "echo \"invalid api key $SERVER_KEY\" >&2; exit 1");
    let failed = place.run(&["--provider", "key", "--record", &file]).expect(6);
    let again = place.run(&["--provider", &replay]).expect(6);
    let recorded = std::fs::read_to_string(&file).unwrap();
    assert!(recorded.contains("\"class\":\"auth\"") && recorded.contains("invalid api key [secret]"), "{recorded}");
    assert!(!format!("{failed:?}{again:?}{recorded}").contains(SECRET));
}
