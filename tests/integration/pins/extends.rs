//! Rules that repositories share: `[extends]`, and `host guard extend`.

use serde_json::Value;

use super::clients::run;
use super::registry::Site;
use crate::support::cli::Ran;
use crate::support::registry::Registry;
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};
use crate::support::web::{Web, capability};

/// What the team says: two guards, and a file that nobody's patch may touch.
const TEAM: &str = "schema = 1\n[policy]\nprotect = [\"deploy/**\"]\n[[guard]]\nid = \"syntax-holds\"\n[[guard]]\nid = \"no-secrets\"\n";

fn text(repo: &TestRepo, name: &str) -> String {
    String::from_utf8(repo.read(name)).unwrap()
}

/// The ids of the guards that judge.
fn guards(site: &Site) -> Vec<String> {
    let list = site.host(&["guard", "list"]).expect(0).json();
    list["guards"].as_array().unwrap().iter().map(|guard| guard["id"].as_str().unwrap().to_owned()).collect()
}

/// It ends with exit code 3, and message, causes and hint hold all of this.
fn refused(ran: Ran, words: &[&str]) {
    let said = ran.expect(3).json()["error"].to_string();
    for word in words {
        assert!(said.contains(word), "no {word}: {said}");
    }
}

/// What `host check --staged` says of one file.
fn verdict(site: &Site, path: &str, content: &str) -> (i32, Value) {
    site.repo.write(path, content);
    site.repo.git(&["add", path]);
    let ran = site.host(&["check", "--staged"]);
    site.repo.git(&["reset", "-q", "--hard"]);
    (ran.code, ran.json())
}

#[test]
fn a_file_of_the_repository() {
    let site = Site::new();
    site.repo.write("team/guards.toml", TEAM);
    site.repo.write("guards.toml", "schema = 1\n[[guard]]\nid = \"docs-kept\"\nmode = \"monitor\"\n");
    let said = site.host(&["guard", "extend", "path:team/guards.toml"]).expect(0).json();
    assert_eq!(said["written"], serde_json::json!(["guards.toml", "guards.lock"]), "{said}");
    site.repo.commit("rules");
    // The repository's own come first.
    assert_eq!(guards(&site), ["docs-kept", "syntax-holds", "no-secrets"]);
    assert_eq!(verdict(&site, "a.json", "{").0, 1);
    // What the team protects is protected from patches, and the file that says so from everybody without a permission.
    site.repo.write("new.patch", "--- /dev/null\n+++ b/deploy/a.txt\n@@ -0,0 +1 @@\n+x\n");
    let said = site.host(&["check", "--patch", "new.patch"]).expect(7).json();
    assert_eq!(said["refusal"]["path"], "deploy/a.txt", "{said}");
    let (code, said) = verdict(&site, "team/guards.toml", "schema = 1\n");
    assert_eq!((code, &said["refusal"]["path"]), (7, &"team/guards.toml".into()), "{said}");

    // A guard that does not judge here.
    site.host(&["guard", "extend", "--without", "no-secrets"]).expect(0);
    assert!(text(&site.repo, "guards.toml").contains("without = [\"no-secrets\"]"));
    site.repo.commit("less");
    assert_eq!(guards(&site), ["docs-kept", "syntax-holds"]);

    site.host(&["guard", "extend", "--remove"]).expect(0);
    site.repo.commit("alone");
    assert_eq!(guards(&site), ["docs-kept"]);
    assert!(!text(&site.repo, "guards.lock").contains("syntax-holds"));
    assert!(site.host(&["guard", "extend", "--remove"]).expect(2).json()["error"]["hint"].is_string());
}

/// The copy is what judges: it is fetched by its digest when a person says so, and by nothing else.
#[test]
fn a_file_on_a_web_server() {
    let web = Web::start();
    web.put("/guards.toml", TEAM.as_bytes().to_vec());
    let (site, capability) = (Site::new(), capability());
    let extend =
        |args: &[&str]| site.host_env(&[&["guard", "extend"], args].concat(), &[("SSL_CERT_FILE", &capability)]);
    extend(&[&web.url("/guards.toml")]).expect(0);
    assert_eq!(text(&site.repo, ".guards/extends.toml"), TEAM);
    site.repo.commit("rules");
    assert_eq!(guards(&site), ["syntax-holds", "no-secrets"]);

    // The team says something else: nothing changes here before somebody takes it.
    web.put("/guards.toml", TEAM.replace("no-secrets", "docs-kept").into_bytes());
    assert_eq!(guards(&site), ["syntax-holds", "no-secrets"]);
    let taken = extend(&[]).expect(0).json();
    assert_eq!(taken["written"], serde_json::json!([".guards/extends.toml", "guards.toml", "guards.lock"]), "{taken}");
    site.repo.commit("newer");
    assert_eq!(guards(&site), ["syntax-holds", "docs-kept"]);

    // Bytes of another digest judge nothing, and no copy is none.
    site.repo.write(".guards/extends.toml", "schema = 1\nguards = []\n");
    site.repo.commit("weaker");
    refused(site.host(&["guard", "list"]), &["is not what", "host guard extend"]);
    site.repo.remove(".guards/extends.toml");
    site.repo.commit("none");
    refused(site.host(&["guard", "list"]), &["there is no .guards/extends.toml", "host guard extend"]);
    // Its owner fixes it, and is judged by the rules that are there again.
    extend(&[]).expect(0);
    site.repo.git(&["add", "-A"]);
    site.host(&["check", "--staged", "--allow-rule-changes"]).expect(0);
    site.repo.commit("mended");
    assert_eq!(guards(&site), ["syntax-holds", "docs-kept"]);
    web.files.lock().unwrap().clear();
    assert!(extend(&[]).expect(4).json()["error"]["message"].as_str().unwrap().contains("404"));
}

const PUSH: &str = r#"
import sys
import oras.client
host = sys.argv[1]
client = oras.client.OrasClient(hostname=host, insecure=True)
client.push(target=f"{host}/team/rules:1", files=["shared.toml:application/toml"], disable_path_validation=True)
"#;

#[test]
fn an_artifact_of_a_registry() {
    let (Some(environment), Some(registry)) = (needs(Tool::Oras), Registry::start(None)) else { return };
    let (site, host) = (Site::new(), &registry.host);
    site.repo.write("shared.toml", TEAM);
    run(&environment.join("bin/python"), &["-c", PUSH, host], site.repo.path());
    let name = format!("{host}/team/rules:1");
    site.repo.remove("shared.toml");
    site.host(&["guard", "extend", &format!("oci://{name}")]).expect(0);
    site.repo.commit("rules");
    assert_eq!(guards(&site), ["syntax-holds", "no-secrets"]);
}

/// Mistakes are told in the file that has them.
#[test]
fn mistakes() {
    let site = Site::new();
    for (shared, said) in [
        ("schema = 1\n[policy]\nround = 3\n", &["team.toml", "round", "rounds"][..]),
        ("schema = 1\n[policy]\nrounds = 90\n", &["team.toml", "out of range"]),
        ("schema = 1\n[extends]\nsource = \"path:c.toml\"\n", &["team.toml", "extends rules itself"]),
        ("schema = 1\n[[guard]]\nid = \"no-such\"\n", &["no-such", "not among the embedded guards"]),
    ] {
        site.repo.write("team.toml", shared);
        site.repo.write("guards.toml", "schema = 1\n[extends]\nsource = \"path:team.toml\"\n");
        site.repo.commit("rules");
        refused(site.host(&["guard", "list"]), said);
    }
    site.repo.write("guards.toml", "schema = 1\n[extends]\nsource = \"https://example.org/a\"\n");
    refused(site.host(&["guard", "lock"]), &["need a digest"]);
    site.repo.write("guards.toml", "schema = 1\n");
    refused(site.host(&["guard", "extend", "path:./guards.toml"]), &["guards.toml extends itself"]);
    assert_eq!(text(&site.repo, "guards.toml"), "schema = 1\n");
}
