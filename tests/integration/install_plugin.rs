//! `host install plugin`: a folder that is written, written anew, told of and removed, and the copies of it that the canary finds.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use guardhost_core::component::Component;
use serde_json::{Value, json};

use crate::support::cli::{Ran, guardhost, host, host_with};
use crate::support::repo::TestRepo;

fn install(folder: &Path, more: &[&str]) -> Ran {
    host(folder, &[&["install", "plugin", "--dir", "shared", "--format", "json"], more].concat())
}

/// How many files have each state.
fn states(ran: &Ran) -> BTreeMap<String, usize> {
    let mut states = BTreeMap::new();
    for file in ran.json()["files"].as_array().unwrap() {
        *states.entry(file["state"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    states
}

fn all(state: &str) -> BTreeMap<String, usize> {
    BTreeMap::from([(state.to_owned(), 15)])
}

/// A folder that was there is the person's, and stays.
fn repo() -> TestRepo {
    let repo = TestRepo::with(&[("a.txt", "a\n")]);
    fs::create_dir(repo.path().join("shared")).unwrap();
    repo
}

#[test]
fn a_folder_is_written_once_and_goes_as_it_came() {
    let repo = repo();
    let before = repo.snapshot();
    assert_eq!(states(&install(repo.path(), &["--status"]).expect(0)), all("absent"));
    assert_eq!(states(&install(repo.path(), &["--dry-run"]).expect(0)), all("created"));
    assert_eq!(repo.snapshot(), before, "nothing was written yet");
    assert_eq!(states(&install(repo.path(), &[]).expect(0)), all("created"));
    let written = repo.snapshot();
    assert_eq!(states(&install(repo.path(), &[]).expect(0)), all("unchanged"));
    assert_eq!(states(&install(repo.path(), &["--status"]).expect(0)), all("installed"));
    assert_eq!(repo.snapshot(), written);
    assert_eq!(states(&install(repo.path(), &["--remove"]).expect(0)), all("deleted"));
    assert_eq!(repo.snapshot(), before, "no folder is left either");
    assert_eq!(states(&install(repo.path(), &["--remove"]).expect(0)), all("absent"));
}

/// A folder that was made for the files goes with them, but for what somebody else put there; `sha256sum --check` reads the line that says so.
#[test]
fn a_folder_that_was_made_goes() {
    let repo = TestRepo::with(&[("a.txt", "a\n")]);
    let shared = repo.path().join("shared");
    install(repo.path(), &[]).expect(0);
    assert_eq!(states(&install(repo.path(), &[]).expect(0)), all("unchanged"));
    let check = ["--check", "--strict", "--quiet", "guardhost.sha256"];
    assert!(std::process::Command::new("sha256sum").args(check).current_dir(&shared).status().unwrap().success());
    install(repo.path(), &["--remove"]).expect(0);
    assert!(!shared.exists());
    install(repo.path(), &[]).expect(0);
    repo.write("shared/notes.md", "Ours.\n");
    install(repo.path(), &["--remove"]).expect(0);
    let left: Vec<_> = fs::read_dir(&shared).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["notes.md"]);
}

/// An earlier version wrote another text, and the list has its digest: it is ours, and is written anew.
#[test]
fn what_an_earlier_version_wrote_is_written_anew() {
    let repo = repo();
    let before = repo.snapshot();
    install(repo.path(), &[]).expect(0);
    let written = repo.snapshot();
    let older = "# Guardhost, as an earlier version wrote it\n";
    let list = String::from_utf8(repo.read("shared/guardhost.sha256")).unwrap();
    let digest = |text: &[u8]| {
        let component = Component::from(text);
        component.digest().trim_start_matches("sha256:").to_owned()
    };
    let (now, then) = (digest(&repo.read("shared/README.md")), digest(older.as_bytes()));
    assert!(list.contains(&format!("{now}  README.md\n")), "{list}");
    repo.write("shared/README.md", older);
    repo.write("shared/guardhost.sha256", list.replace(&now, &then));
    let status = states(&install(repo.path(), &["--status"]).expect(0));
    assert_eq!(status, BTreeMap::from([("installed".to_owned(), 13), ("outdated".to_owned(), 2)]));
    install(repo.path(), &[]).expect(0);
    assert_eq!(repo.snapshot(), written);
    repo.write("shared/README.md", older);
    repo.write("shared/guardhost.sha256", list.replace(&now, &then));
    install(repo.path(), &["--remove"]).expect(0);
    assert_eq!(repo.snapshot(), before);
}

/// One file that somebody edited, or that somebody else wrote, stops all of it: half of a plugin is none.
#[test]
fn what_others_wrote_is_left_alone() {
    for (path, why) in [
        ("shared/README.md", "it was edited since it was written"),
        ("shared/plugin/hooks/claude.json", "it was edited since it was written"),
    ] {
        let repo = TestRepo::with(&[("a.txt", "a\n")]);
        install(repo.path(), &[]).expect(0);
        let ours = repo.read(path);
        repo.write(path, [ours.as_slice(), b"\n"].concat());
        let edited = repo.snapshot();
        let status = install(repo.path(), &["--status"]).expect(0);
        assert_eq!(states(&status)["outdated"], 1, "{status:?}");
        for more in [&[][..], &["--remove"]] {
            let refused = host(repo.path(), &[&["install", "plugin", "--dir", "shared"], more].concat()).expect(3);
            assert!(refused.stderr.contains(why) && refused.stderr.contains(path), "{refused:?}");
            assert_eq!(repo.snapshot(), edited, "{path} {more:?}");
        }
        repo.write(path, ours);
        install(repo.path(), &["--remove"]).expect(0);
    }
    let repo = TestRepo::with(&[("shared/README.md", "# Theirs\n"), ("shared/hooks/hooks.json", "{}\n")]);
    let before = repo.snapshot();
    install(repo.path(), &[]).expect(3);
    assert_eq!(repo.snapshot(), before);
}

/// A home folder in which the four agents list the plugin as they do when they took it by their own commands.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = Home(tempfile::tempdir().unwrap());
        install(home.0.path(), &[]).expect(0);
        for copy in [
            ".claude/plugins/cache/guardhost/guardhost/0.1.0",
            ".codex/plugins/cache/guardhost/guardhost/0.1.0",
            ".gemini/extensions/guardhost",
        ] {
            let from = if copy.starts_with(".gemini") { "shared" } else { "shared/plugin" };
            let to = home.0.path().join(copy);
            fs::create_dir_all(to.join("hooks")).unwrap();
            for file in fs::read_dir(home.0.path().join(from).join("hooks")).unwrap() {
                let file = file.unwrap();
                fs::copy(file.path(), to.join("hooks").join(file.file_name())).unwrap();
            }
        }
        let claude = home.0.path().join(".claude/plugins/cache/guardhost/guardhost/0.1.0");
        let copies = json!({ "plugins": { "guardhost@guardhost": [{ "scope": "user", "installPath": claude }] } });
        home.write(".claude/plugins/installed_plugins.json", &copies.to_string());
        home.turn("true");
        home
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// On or off, for all of them.
    fn turn(&self, on: &str) {
        let enabled = format!("\"enabledPlugins\": {{ \"guardhost@guardhost\": {on} }}");
        self.write(".claude/settings.json", &format!("{{ {enabled} }}"));
        self.write(".codex/config.toml", &format!("[plugins.\"guardhost@guardhost\"]\nenabled = {on}\n"));
        let source =
            json!({ "guardhost": { "source": { "source": "directory", "path": self.0.path().join("shared") } } });
        self.write(".copilot/settings.json", &format!("{{ \"extraKnownMarketplaces\": {source}, {enabled} }}"));
        let mark = if on == "true" { "" } else { "!" };
        let lines = json!({ "guardhost": { "overrides": ["/*", format!("{mark}/*")] } });
        self.write(".gemini/extensions/extension-enablement.json", &lines.to_string());
    }

    /// The rows of the canary about plugins: name, state and what is said.
    fn rows(&self, path: &str) -> Vec<(String, String, String)> {
        self.rows_with(path, &[])
    }

    fn rows_with(&self, path: &str, more: &[(&str, &str)]) -> Vec<(String, String, String)> {
        let repo = TestRepo::with(&[("x.py", "def x():\n    return 1\n")]);
        let home = self.0.path().to_str().unwrap();
        let variables = [("HOME", home), ("PATH", path), ("GEMINI_CLI_TRUST_WORKSPACE", "true")];
        let variables = [&variables, more].concat();
        let ran = host_with(repo.path(), &["doctor", "--canary", "--format", "json"], b"", &variables).json();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let rows = ran["checks"].as_array().unwrap().iter();
        let rows = rows.filter(|row| text(&row["name"]).contains("plugin"));
        rows.map(|row| (text(&row["name"]), text(&row["ok"]), text(&row["detail"]))).collect()
    }
}

#[test]
fn the_canary_asks_the_copies_of_agents() {
    let home = Home::new();
    let path = std::env::var("PATH").unwrap();
    let with_guardhost = format!("{}:{path}", guardhost().display());
    let found = home.rows(&with_guardhost);
    assert_eq!(found.len(), 4 * 3, "{found:#?}");
    assert!(found.iter().all(|(_, ok, _)| ok == "pass"), "{found:#?}");
    assert!(found.iter().any(|(name, ..)| name == "canary claude PreToolUse (plugin)"), "{found:#?}");
    let fails = |found: &[(String, String, String)], words: &str| {
        assert_eq!(found.len(), 4 * 3, "{found:#?}");
        assert!(found.iter().all(|(_, ok, said)| ok == "fail" && said.contains(words)), "{words}: {found:#?}");
    };
    // Everything that is denied where the program is missing is no denial of the change.
    fails(&home.rows("/usr/bin:/bin"), "");
    home.turn("false");
    fails(&home.rows(&with_guardhost), "turned off");
    home.turn("true");
    for hooks in [
        ".claude/plugins/cache/guardhost/guardhost/0.1.0/hooks/claude.json",
        ".codex/plugins/cache/guardhost/guardhost/0.1.0/hooks/codex.json",
        "shared/plugin/hooks/copilot.json",
        ".gemini/extensions/guardhost/hooks/hooks.json",
    ] {
        fs::remove_file(home.0.path().join(hooks)).unwrap();
    }
    fails(&home.rows(&with_guardhost), "its hooks are gone");
    home.write(".codex/config.toml", "[plugins\n");
    let found = home.rows(&with_guardhost);
    assert!(matches!(&found[..], [(_, ok, said)] if ok == "fail" && said.contains("config.toml")), "{found:#?}");
}

/// Agents read their settings where a variable of theirs says; a relative folder would be chosen by the repository.
#[test]
fn the_canary_follows_the_variables_of_agents() {
    let home = Home::new();
    let path = format!("{}:{}", guardhost().display(), std::env::var("PATH").unwrap());
    let folder = |name: &str| home.0.path().join(name).display().to_string();
    let elsewhere = [
        ("CLAUDE_CONFIG_DIR", folder("c"), ".claude", "c"),
        ("CODEX_HOME", folder("x"), ".codex", "x"),
        ("COPILOT_HOME", folder("p"), ".copilot", "p"),
        ("GEMINI_CLI_HOME", folder("g"), ".gemini", "g/.gemini"),
    ];
    let variables: Vec<(&str, &str)> = elsewhere.iter().map(|(name, to, ..)| (*name, to.as_str())).collect();
    assert_eq!(home.rows_with(&path, &variables), [], "nothing is there");
    fs::create_dir(home.0.path().join("g")).unwrap();
    for (_, _, from, to) in &elsewhere {
        fs::rename(home.0.path().join(from), home.0.path().join(to)).unwrap();
    }
    let claude = home.0.path().join("c/plugins/cache/guardhost/guardhost/0.1.0");
    let copies = json!({ "plugins": { "guardhost@guardhost": [{ "scope": "user", "installPath": claude }] } });
    home.write("c/plugins/installed_plugins.json", &copies.to_string());
    let found = home.rows_with(&path, &variables);
    assert!(found.len() == 4 * 3 && found.iter().all(|(_, ok, _)| ok == "pass"), "{found:#?}");
    let relative: Vec<(&str, &str)> = elsewhere.iter().map(|(name, _, _, to)| (*name, *to)).collect();
    assert_eq!(home.rows_with(&path, &relative), [], "a relative folder is not followed");
}
