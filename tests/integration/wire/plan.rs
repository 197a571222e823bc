//! `host run --plan`.

use serde_json::json;

use super::RULES;
use super::place::Place;

/// Answers for the functions that it is asked to change; `b` does not parse.
const AGENT: &str = r#"prompt="$0.prompt"
cat > "$prompt"
for one in a=2 'b=(2'; do
    name=${one%%=*}
    if grep -q "Change $name now" "$prompt"; then
        printf -- '--- a/%s.py\n+++ b/%s.py\n@@ -1,2 +1,2 @@\n def %s():\n-    return 1\n+    return %s\n' $name $name $name "${one#*=}"
    fi
done
"#;

fn place() -> (Place, Vec<String>) {
    let rules = format!("{RULES}\n[[guard]]\nid = \"no-repeated-failures\"\ngrants = [\"history\"]\n");
    let text = |name| format!("def {name}():\n    return 1\n");
    let place = Place::new(&[("guards.toml", &rules), ("a.py", &text("a")), ("b.py", &text("b"))]);
    let agent = place.beside("agent.sh", AGENT);
    let args = ["run", "--provider", &format!("command:sh {agent}"), "--rounds", "1"].map(str::to_owned);
    (place, args.to_vec())
}

#[test]
fn two_steps_of_which_one_is_rejected_and_later_dropped() {
    let (place, common) = place();
    let common: Vec<&str> = common.iter().map(String::as_str).collect();
    let titled = |name: &str, title: &str| json!({ "title": title, "file_hints": [format!("{name}.py")] });
    let step = |name: &str| titled(name, &format!("Change {name} now"));
    let both = json!({ "tasks": [{ "id": "T1", "title": "first", "priority": 1, "metric": "docs", "subtasks": [step("b"), step("a")] }] });
    place.beside("plan.json", format!("{}\n", both));
    let args = |more: &[&'static str]| [&common[..], more].concat();
    let report = place.record_runs("plan-rejected", &args(&["--plan", "../plan.json"])).json();
    place.record("log-plan", &["log"]);
    let id = report["plan"].as_str().unwrap();
    place.record_runs("plan-resumed", &[&common[..], &["--resume", id]].concat());
    place.beside("plan.json", format!("{}\n", json!({ "tasks": [{ "subtasks": [step("b")] }] })));
    place.record("plan-layered", &args(&["--plan", "../plan.json"]));
    let other = |title| format!("{}\n", json!({ "tasks": [{ "subtasks": [titled("b", title)] }] }));
    place.beside("plan.json", other("Change b now, in another way"));
    place.host(&args(&["--plan", "../plan.json"]), "").expect(1);
    place.beside("plan.json", other("Change b now, at last"));
    place.record("plan-dropped", &args(&["--plan", "../plan.json"]));
    place.beside("plan.json", format!("{}\n", json!({ "tasks": [] })));
    place.record("plan-empty", &args(&["--plan", "../plan.json"]));
}

#[test]
fn an_interrupted_plan_reaches_no_further_step() {
    let (place, common) = place();
    let common: Vec<&str> = common.iter().map(String::as_str).collect();
    place.beside("agent.sh", "cat >/dev/null\nkill -INT $PPID\nsleep 30\n");
    let plan = json!({ "tasks": [{ "subtasks": [{ "title": "Change a now" }, { "title": "Change b now" }] }] });
    place.beside("plan.json", format!("{plan}\n"));
    place.record_runs("plan-interrupted", &[&common[..], &["--plan", "../plan.json"]].concat());
}

/// `host plan` with recorded replies: one that is grounded after a second question, and two that are no plan; and `host audit`.
#[test]
fn a_plan_is_made_and_none_is() {
    let (place, _) = place();
    let replies = |replies: &[&str]| {
        let line = |(round, reply): (usize, &&str)| {
            json!({ "round": round + 1, "provider": "planner", "model": "m", "reply": reply }).to_string() + "\n"
        };
        place.beside("replies.jsonl", replies.iter().enumerate().map(line).collect::<String>());
    };
    let step = |title: &str, hint: &str| json!({ "title": title, "file_hints": [hint], "action": "modify" });
    let plan = json!({ "tasks": [{ "title": "Better", "priority": 1, "subtasks": [step("Change a", "a.py"), step("Change c", "src/a.py")] }] });
    let args = ["plan", "--task", "Let it be better", "--scope", "issue", "--provider", "replay:../replies.jsonl"];
    replies(&[&plan.to_string(), &plan.to_string()]);
    place.record_runs("plan-made", &args);
    replies(&["No.", "{\"tasks\": 1}"]);
    place.record("plan-made-invalid", &args);
    place.record("audit-one-metric", &["audit", "--no-builds", "--metric", "license"]);
}

/// `host improve`: a step that is committed, and one that guards reject to the end.
#[test]
fn an_improvement() {
    let (place, common) = place();
    let step = |name: &str| json!({ "title": format!("Change {name} now"), "file_hints": [format!("{name}.py")], "action": "modify" });
    let plan = json!({ "tasks": [{ "title": "Better", "priority": 1, "subtasks": [step("a"), step("b")] }] });
    let planner = "cat > \"$0.question\"\nif grep -q 'You plan changes' \"$0.question\"; then cat <<'END'";
    place.beside("agent.sh", format!("{planner}\n{plan}\nEND\nexit 0\nfi\nexec < \"$0.question\"\n{AGENT}"));
    let args: Vec<&str> = ["improve"].into_iter().chain(common[1..].iter().map(String::as_str)).collect();
    place.record_runs("improve", &[&args[..], &["--no-builds"]].concat());
}
