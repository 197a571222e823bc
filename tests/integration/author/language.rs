//! A language of a stranger's own, as `docs/languages.md` tells it: every command of the guide is run, word for word.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::author::{TemplateProject, root};

/// The heading of the guide, and of what follows it.
const GUIDE: (&str, &str) = ("## Write a language\n", "\n## ");

/// The blocks of commands: one to make the language, one to pin it, one to break a text.
fn commands() -> [Vec<String>; 3] {
    let text = fs::read_to_string(root().join("docs/languages.md")).unwrap();
    let (_, guide) = text.split_once(GUIDE.0).expect("the guide");
    let (guide, _) = guide.split_once(GUIDE.1).expect("what follows the guide");
    let blocks = guide.split("```console\n").skip(1).map(|rest| {
        let (block, _) = rest.split_once("```").expect("the block ends");
        block.lines().map(|line| line.strip_prefix("$ ").expect("a command").to_owned()).collect()
    });
    blocks.collect::<Vec<Vec<String>>>().try_into().expect("three blocks of commands")
}

/// Runs commands in one shell that stops at the first that fails, as a person does.
fn shell(folder: &Path, commands: &[String]) -> Output {
    let host = Path::new(env!("CARGO_BIN_EXE_host")).parent().unwrap().to_path_buf();
    let outer = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([host].into_iter().chain(std::env::split_paths(&outer))).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &commands.join("\n")]).current_dir(folder).env_clear();
    // rustup and cargo look for theirs at home.
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    shell.env("PATH", path).env("HOME", home).env("XDG_CACHE_HOME", root().join("target/languages/cache"));
    for key in ["CARGO_HOME", "RUSTUP_HOME"] {
        shell.envs(std::env::var_os(key).map(|value| (key, value)));
    }
    for (key, value) in [("GIT_AUTHOR_NAME", "Ada"), ("GIT_AUTHOR_EMAIL", "ada@example.org")] {
        shell.env(key, value).env(key.replace("AUTHOR", "COMMITTER"), value);
    }
    shell.output().expect("a shell")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

#[test]
fn the_guide_is_followed_word_for_word() {
    // What was compiled for the template is not compiled again.
    let Some(project) = TemplateProject::build_reader_template() else { return };
    let kept = project.kept("target");
    let folder = tempfile::tempdir().unwrap();
    let [mut make, pin, breaks] = commands();
    let at = make.iter().position(|command| command == "cd toy").expect("the new folder is entered");
    make.insert(at + 1, format!("ln -s '{}' target", kept.display()));
    let made = shell(folder.path(), &make);
    assert!(made.status.success(), "{}", told(&made));
    let case = fs::read_to_string(folder.path().join("toy/cases/definitions.case")).unwrap();
    assert!(case.contains("\"name\": \"greeting\""), "the facts were written: {case}");

    let pinned = shell(folder.path(), &pin);
    assert!(pinned.status.success(), "{}", told(&pinned));
    let judged = shell(&folder.path().join("shop"), &breaks);
    assert_eq!(judged.status.code(), Some(1), "{}", told(&judged));
    let said = told(&judged);
    assert!(said.contains("syntax-holds") && said.contains("the block `greet` is never closed"), "{said}");
}

#[test]
fn a_case_that_differs_and_a_reader_that_breaks_are_told() {
    let Some(project) = TemplateProject::build_reader_template() else { return };
    let component = project.build("example", |_| {}).map(|made| fs::read(made).unwrap());
    // It reads outside of the text when that is cut inside of a word, and claims what it does not answer.
    let broken = project.build("broken", |folder| {
        let file = folder.join("src/lib.rs");
        let text = fs::read_to_string(&file).unwrap();
        let text = text.replace("names: false }", "names: true }");
        let text = text.replace("let parsed = ", "assert!(!source.text.contains('\\u{fffd}'));\n        let parsed = ");
        fs::write(file, text).unwrap();
    });
    let (Some(component), Some(broken)) = (component, broken) else { return };
    drop(project);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("toy.wasm"), component).unwrap();
    fs::write(at("broken.wasm"), fs::read(broken).unwrap()).unwrap();
    fs::create_dir(at("cases")).unwrap();
    let case = "-- text/a.toy --\nfn greet\n    say hello\nend\n-- expect.json --\n{\"problems\": []}\n";
    fs::write(at("cases/one.case"), case).unwrap();

    let host = crate::support::author::host;
    let tested = host(folder.path(), &["guard", "test", "toy.wasm", "--format", "json"]).expect(1).json();
    let wrong = tested["cases"][0]["wrong"].to_string();
    assert!(wrong.contains("outline: nothing is expected"), "{tested}");
    host(folder.path(), &["guard", "test", "toy.wasm", "--update"]).expect(0);
    host(folder.path(), &["guard", "test", "toy.wasm"]).expect(0);

    let good = host(folder.path(), &["guard", "certify", "toy.wasm", "--format", "json"]).expect(0).json();
    assert_eq!(good["id"], "toy", "{good}");
    let bad = host(folder.path(), &["guard", "certify", "broken.wasm", "--format", "json"]).expect(1).json();
    let failed: Vec<&str> = bad["looks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|check| check["outcome"] == "fail")
        .map(|check| check["name"].as_str().unwrap())
        .collect();
    assert!(failed.contains(&"answers") && failed.contains(&"claims"), "{bad}");
    // What needs a change to judge has nothing to do with a language.
    host(folder.path(), &["guard", "bench", "toy.wasm"]).expect(2);
}
