//! `host plan --to vitepress`: the plan follows from the tree, its steps pass the guards, and the real VitePress builds what they leave.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::author::host;
use crate::support::repo::TestRepo;
use crate::support::servers::skip;

const FILES: [(&str, &str); 7] = [
    ("README.md", "# tally\n\nCounts things. See the [guide](docs/guide/start.md).\n"),
    ("mkdocs.yml", "site_name: tally\n"),
    ("docs/README.md", "# tally: the \"manual\"\n\nBegin with the [start](guide/start.md).\n"),
    ("docs/guide/start.md", "# Start\n\n!!! note \"First\"\n    Install it.\n\nThen see [usage](../usage.md).\n"),
    ("docs/guide/index.md", "# Guide\n\n- [Start](start.md)\n"),
    ("docs/usage.md", "# Usage\n\nRun `tally {{ name }}`.\n\n```yaml\nname: {{ name }}\n```\n"),
    ("docs/values.md", "# Values\n\nIt prints {{ count }} things.\n"),
];

/// What a model makes of the pages that VitePress does not read.
const MENDED: [(&str, &str); 3] = [
    ("docs/guide/start.md", "# Start\n\n::: info First\nInstall it.\n:::\n\nThen see [usage](../usage.md).\n"),
    ("docs/usage.md", "# Usage\n\nRun <code v-pre>tally {{ name }}</code>.\n\n```yaml\nname: {{ name }}\n```\n"),
    ("docs/values.md", "# Values\n\nIt prints <span v-pre>{{ count }}</span> things.\n"),
];

fn planned(repo: &TestRepo) -> Value {
    let plan = host(repo.path(), &["plan", "--to", "vitepress", "--format", "json"]).expect(0);
    fs::write(repo.path().join("../plan.json"), &plan.stdout).expect("written");
    plan.json()
}

#[test]
fn the_plan_follows_from_the_tree_alone() {
    let repo = TestRepo::with(&FILES);
    let plan = planned(&repo);
    let hints: Vec<Value> = plan["tasks"]
        .as_array()
        .expect("tasks")
        .iter()
        .flat_map(|task| task["subtasks"].as_array().expect("steps"))
        .map(|step| json!([step["id"], step["action"], step["file_hints"]]))
        .collect();
    assert_eq!(
        hints,
        [
            json!(["T001-S01", "create", ["docs/.vitepress/config.mjs", "docs/package.json", "docs/.gitignore"]]),
            json!(["T002-S01", "modify", ["docs/guide/start.md", "docs/usage.md", "docs/values.md"]]),
            json!(["T003-S01", "delete", ["mkdocs.yml"]]),
        ],
        "{plan}"
    );
    assert_eq!(planned(&repo)["tasks"], plan["tasks"]);
    let none = TestRepo::with(&[("README.md", "# tally\n")]);
    let refused = host(none.path(), &["plan", "--to", "vitepress"]).expect(2);
    assert!(refused.stderr.contains("there are no Markdown documents below docs/"), "{refused:?}");
}

/// The files that the text of a step gives, as whole files.
fn written(plan: &Value) -> String {
    let text = plan["tasks"][0]["subtasks"][0]["description"].as_str().expect("a text");
    let files = text.split("````text\n").skip(1).map(|rest| rest.split("````").next().expect("an end"));
    let names = text.split('`').filter(|part| part.starts_with("docs/"));
    names.zip(files).map(|(name, file)| format!("<file path=\"{name}\">\n{file}</file>\n")).collect()
}

#[test]
fn vitepress_builds_what_the_steps_leave() {
    let npm = "npm";
    if Command::new(npm).arg("--version").output().is_err() {
        return skip(npm, "it is not installed");
    }
    let repo = TestRepo::with(&FILES);
    let plan = planned(&repo);
    let mended: String = MENDED.iter().map(|(path, text)| format!("<file path=\"{path}\">\n{text}</file>\n")).collect();
    let removed = "*** Begin Patch\n*** Delete File: mkdocs.yml\n*** End Patch\n".to_owned();
    // Each step is asked about by itself.
    let beside = |name: &str, text: &str| fs::write(repo.path().join("..").join(name), text).expect("written");
    for (name, reply) in [("set-up.txt", written(&plan)), ("mended.txt", mended), ("removed.txt", removed)] {
        beside(name, &reply);
    }
    let folder = repo.path().parent().expect("a folder").canonicalize().expect("it is there").display().to_string();
    let cases = "*'These files set up'*) cat set-up.txt;; *'none of its words'*) cat mended.txt;; *) cat removed.txt;;";
    beside("agent.sh", &format!("asked=$(cat)\ncd '{folder}'\ncase \"$asked\" in {cases} esac\n"));
    let agent = format!("command:sh {folder}/agent.sh");
    let args = ["run", "--plan", "../plan.json", "--provider", &agent, "--offline", "--format", "json"];
    let ran = host(repo.path(), &args).expect(0).json();
    let branch = ran["branch"].as_str().unwrap_or_else(|| panic!("{ran}")).to_owned();
    repo.git(&["checkout", "-q", &branch]);
    assert!(!repo.path().join("mkdocs.yml").exists());

    let docs = repo.path().join("docs");
    let install =
        Command::new(npm).args(["install", "--no-audit", "--no-fund", "--silent"]).current_dir(&docs).output();
    let install = install.expect("npm starts");
    assert!(install.status.success(), "{}", String::from_utf8_lossy(&install.stderr));
    let build = Command::new(npm).args(["run", "build"]).current_dir(&docs).output().expect("npm starts");
    let said = [build.stdout, build.stderr].concat();
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&said));
    let page = |name: &str| fs::read_to_string(docs.join(".vitepress/dist").join(name)).expect("a page");
    assert!(page("index.html").contains("tally: the"));
    assert!(page("guide/start.html").contains("info custom-block"));
    assert!(page("usage.html").contains("tally {{ name }}"));
    assert!(page("values.html").contains("{{ count }}"));
    // Without what is ignored: the packages and what was built.
    assert_eq!(repo.git(&["status", "--porcelain"]).trim(), "?? docs/package-lock.json");
}
