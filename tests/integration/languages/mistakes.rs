//! Mistakes of authors in JavaScript are told with words: the engine itself would end the guard with a bare trap.

use std::fs;

use super::pin;
use crate::support::author::{NAME, TemplateProject, host};
use crate::support::repo::TestRepo;

/// What is wrong ends the build with words, and the next step.
#[test]
fn mistakes_in_javascript_end_the_build_with_words() {
    let Some(project) = TemplateProject::build_template("js") else { return };
    let folder = project.kept(".").canonicalize().unwrap();
    let about = r#"id: "x", version: "0.1.0", promise: "p", check: () => []"#;
    let cases = [
        (format!("const x = guard({{ {about} }});"), "guard.js has no `export default guard({ … })`"),
        (format!("export default guard({{ {about}, glob: [] }});"), "guard has no property `glob`; it may have: id,"),
        (
            format!("export default guard({{ {about}, globs: \"*.js\" }});"),
            "guard.globs must be a list, and is the string \"*.js\"",
        ),
        (format!("export default guard({{ {about}, id: \"No Id\" }});"), "the id \"No Id\""),
        (
            format!("import * as tree from \"guardhost:repo/tree@0.1.0\";\nexport default guard({{ {about} }});"),
            "take the slashes off its line in wit/world.wit",
        ),
    ];
    for (text, words) in cases {
        fs::write(folder.join("guard.js"), format!("import {{ guard }} from \"./guardhost/index.js\";\n{text}"))
            .unwrap();
        let ran = host(&folder, &["guard", "build"]).expect(4);
        assert!(ran.stderr.contains(words), "{text}: {words}: {ran:?}");
    }
}

/// A finding of the wrong shape is an error that names the property, not a trap.
#[test]
fn findings_of_the_wrong_shape_are_named() {
    let Some(project) = TemplateProject::build_template("js") else { return };
    let finding = r#"{ rule: "r", severity: "error", message: "m", path: "a.txt", line: 1 }"#;
    let table: [(&str, String, &str); 7] = [
        (
            "line",
            finding.replace("line: 1", "line: \"1\""),
            "finding 0 (r).line must be a whole number from 1, and is the string \"1\"",
        ),
        (
            "zero",
            finding.replace("line: 1", "line: 0"),
            "finding 0 (r).line must be a whole number from 1, and is the number 0",
        ),
        (
            "severity",
            finding.replace("\"error\"", "\"fatal\""),
            "finding 0 (r).severity must be one of \"error\", \"warning\", \"info\"",
        ),
        (
            "unknown",
            finding.replace("line", "lines"),
            "finding 0 (r) has no property `lines`; it may have: rule, severity,",
        ),
        (
            "edit",
            finding.replace("line: 1", "fix: { title: \"t\", edits: [{}] }"),
            "finding 0 (r).fix.edits[0].path must be a string, and is undefined",
        ),
        ("missing", "{}".to_string(), "finding 0.rule must be a string, and is undefined"),
        ("none", "null".to_string(), "finding 0 must be an object, and is null"),
    ];
    let doors: String = table.iter().map(|(door, finding, _)| format!("  {door}: () => [{finding}],\n")).collect();
    let text = format!(
        "import {{ guard }} from \"./guardhost/index.js\";\nconst doors = {{\n{doors}  nothing: () => undefined,\n  promise: async () => [],\n}};\n\
         export default guard({{ id: \"{NAME}\", version: \"0.1.0\", promise: \"p\", settings: {{ type: \"object\", additionalProperties: false, \
         properties: {{ door: {{ type: \"string\" }} }} }}, check: (_, {{ door }}) => doors[door]() }});"
    );
    let Some(guard) = project.build("shapes", |folder| fs::write(folder.join("guard.js"), &text).unwrap()) else {
        return;
    };
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    repo.write("a.txt", "two\n");
    repo.stage_all();
    let what = "what `check` returns must be a list of findings, or notApplicable(reason), and is";
    let more = [("nothing", format!("{what} undefined")), ("promise", format!("{what} a promise"))];
    let table = table.map(|(door, _, words)| (door, words.to_string()));
    for (door, words) in table.iter().chain(&more) {
        let rules = repo.path().join("../shapes.toml");
        fs::write(&rules, pin(&guard, &format!(r#"{{"door":"{door}"}}"#))).unwrap();
        let ran =
            host(repo.path(), &["check", "--staged", "--format", "json", "--config", rules.to_str().unwrap()]).json();
        let reason = ran["guards"][0]["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(words.as_str()), "{door}: {words}: {ran}");
    }
}
