//! The Rust SDK against the engine: what a guard sees and says through it.

use std::fs;

use serde_json::json;

use crate::support::author::{NAME, TemplateProject, host, root};
use crate::support::component;
use crate::support::repo::TestRepo;

#[test]
fn a_guard_sees_what_is_granted_and_says_all_that_a_finding_can_have() {
    let Some(project) = TemplateProject::build_template("rust") else { return };
    let source = fs::read_to_string(root().join("tests/probes/rust/contract.rs")).unwrap();
    let guard = project.build("contract", |folder| {
        fs::write(folder.join("src/lib.rs"), source.replace("{{name}}", NAME)).unwrap();
    });
    let Some(guard) = guard else { return };
    let imports = component::imports(&fs::read(&guard).unwrap());
    for (capability, wanted) in
        [("repo", true), ("commits", true), ("facts", false), ("net", false), ("history", false)]
    {
        let prefix = format!("guardhost:{capability}/");
        assert_eq!(imports.iter().any(|import| import.starts_with(&prefix)), wanted, "{capability}: {imports:?}");
    }

    let repo = TestRepo::with(&[
        ("a.md", "wide\nwider\n"),
        ("b.md", "width = 9\n"),
        ("a.toml", "x = 1\n"),
        ("link.md", "x\n"),
    ]);
    repo.write("a.md", "wide\nwidest\n");
    fs::remove_file(repo.path().join("link.md")).unwrap();
    std::os::unix::fs::symlink("a.md", repo.path().join("link.md")).unwrap();
    repo.write("back\\slash.md", "\n");
    repo.stage_all();
    repo.git(&["commit", "-q", "-m", "Widen\n\nBecause.\n\nSigned-off-by: Ana <ana@example.org>"]);
    let pin = json!({"id": NAME, "source": format!("path:{}", guard.display()), "grants": ["repo:*.toml", "commits"]});
    let rules = repo.path().join("../rules.toml");
    fs::write(&rules, toml::to_string(&json!({"schema": 1, "guard": [pin]})).unwrap()).unwrap();
    let arguments = ["check", "--range", "HEAD~1..HEAD", "--format", "json", "--config", rules.to_str().unwrap()];
    let report = host(repo.path(), &arguments).expect(1).json();
    insta::assert_json_snapshot!(report["guards"][0]["findings"]);
}
