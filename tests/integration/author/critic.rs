//! A critic from its template: built, tested on its cases, pinned, and asked by `host review`.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::support::author::{TemplateProject, host};
use crate::support::repo::TestRepo;

const BEFORE: &str = "def load(path):\n    return open(path).read()\n";
const AFTER: &str = "def load(path):\n    try:\n        return open(path).read()\n    except OSError:\n        raise ValueError(\"error\")\n";

fn rules(mode: &str) -> String {
    format!(
        "schema = 1\n[[guard]]\nid = \"syntax-holds\"\n[[guard]]\nid = \"errors-help\"\nsource = \"path:guards/errors-help.wasm\"\ngrants = [\"model\"]\nmode = \"{mode}\"\n"
    )
}

#[test]
fn a_critic_in_javascript_is_built_tested_pinned_and_asked() {
    let Some(project) = TemplateProject::build_template("js") else { return };
    let tool = project.tool();
    let modules = tool.ancestors().find(|folder| folder.ends_with("node_modules")).expect("a folder of packages");
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("errors-help");
    let new = ["guard", "new", "errors-help", "--lang", "js", "--critic"];
    host(temp.path(), &new).expect(0);
    symlink(modules, folder.join("node_modules")).unwrap();
    host(&folder, &["guard", "build"]).expect(0);
    let tested = host(&folder, &["guard", "test", "--format", "json"]).expect(0).json();
    assert_eq!(tested["cases"].as_array().map(Vec::len), Some(4), "{tested:#}");
    // An answer that the case does not have is none.
    let case = folder.join("cases/example/rejected.case");
    let text = fs::read_to_string(&case).unwrap();
    fs::write(&case, text.replace("raise ValueError\"", "raise KeyError\"")).unwrap();
    let wrong = host(&folder, &["guard", "test", "--format", "json"]).expect(1);
    assert!(wrong.stdout.contains("expects a question with"), "{wrong:?}");

    let repo = TestRepo::with(&[("src/load.py", BEFORE), ("guards.toml", &rules("monitor"))]);
    fs::create_dir_all(repo.path().join("guards")).unwrap();
    fs::copy(folder.join("guard.wasm"), repo.path().join("guards/errors-help.wasm")).unwrap();
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.commit("pinned");
    repo.write("src/load.py", AFTER);
    repo.stage_all();
    let said = json!({ "findings": [
        { "severity": "major", "path": "src/load.py", "line": 5, "title": "The message says nothing", "detail": "Name the path." },
        { "severity": "major", "path": "src/load.py", "line": 50, "title": "Not there", "detail": "x" } ] });
    let line = json!({ "round": 1, "provider": "recorded", "reply": said.to_string() }).to_string();
    fs::write(repo.path().join("../replies.jsonl"), line).unwrap();
    let review = ["review", "--staged", "--provider", "replay:../replies.jsonl", "--format", "json"];
    let asked = |code| -> Value { host(repo.path(), &review).expect(code).json() };
    let reviewed = asked(0);
    let critic = &reviewed["critics"][0];
    assert_eq!(
        (&critic["id"], &critic["verdict"], &critic["mode"]),
        (&json!("errors-help"), &json!("reject"), &json!("monitor")),
        "{reviewed:#}"
    );
    assert_eq!((critic["findings"].as_array().unwrap().len(), &critic["findings"][0]["line"]), (1, &json!(5)));
    // Where no model is asked, it has nothing to say.
    let checked = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(0).json();
    let guards = checked["guards"].as_array().unwrap();
    let verdicts: Vec<&str> = guards.iter().filter_map(|guard| guard["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["pass", "not-applicable"], "{checked:#}");

    repo.git(&["reset", "-q", "--hard"]);
    repo.write("guards.toml", rules("enforce"));
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.commit("enforced");
    repo.write("src/load.py", AFTER);
    repo.stage_all();
    assert_eq!(asked(1)["critics"][0]["verdict"], "reject", "a critic that is enforced rejects where models are asked");
    let none = host(repo.path(), &["guard", "new", "x", "--lang", "go", "--critic"]).expect(2);
    assert!(none.stderr.contains("no template of a critic for `go`"), "{none:?}");
}
