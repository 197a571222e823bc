//! New packages looked up, from a commit's manifest to a registry on loopback and back into a verdict.

mod kinds;

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::support::cli::{host, host_with};
use crate::support::repo::TestRepo;

/// Answers for all kinds below one address, and remembers the paths that it was asked for.
struct PackageServer {
    address: String,
    heard: Arc<Mutex<Vec<String>>>,
}

impl PackageServer {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let heard = Arc::<Mutex<Vec<String>>>::default();
        let all = heard.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let heard = all.clone();
                thread::spawn(move || answer(stream, &heard));
            }
        });
        PackageServer { address, heard }
    }

    fn heard(&self) -> Vec<String> {
        let mut heard = self.heard.lock().unwrap().clone();
        heard.sort();
        heard
    }

    /// Rules that pin the guard, and name this server for every kind.
    fn rules(&self) -> String {
        let address = &self.address;
        format!(
            "{PINNED}\n[registries]\nnpm = \"{address}/npm\"\npython = \"{address}/pip/\"\n\
             cargo = \"sparse+{address}/cargo/\"\ngo = \"{address}/go\"\n"
        )
    }
}

const PINNED: &str =
    "schema = 1\n[[guard]]\nid = \"packages-published\"\ngrants = [\"facts\", \"repo\", \"registry\"]\n";

fn answer(mut stream: TcpStream, heard: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    heard.lock().unwrap().push(path.clone());
    let old = "2015-01-01T00:00:00Z";
    let (status, body) = match path.as_str() {
        "/npm/left-pad" => ("200 OK", format!(r#"{{"versions":{{"1.0.0":{{}}}},"time":{{"created":"{old}"}}}}"#)),
        // A clock that is ahead of ours published it in the future: it is of today.
        "/npm/newcomer" => {
            ("200 OK", r#"{"versions":{"1.0.0":{}},"time":{"created":"2999-01-01T00:00:00Z"}}"#.to_owned())
        }
        "/pip/zope-interface/" => {
            ("200 OK", format!(r#"{{"versions":["1","2"],"files":[{{"upload-time":"{old}"}}]}}"#))
        }
        "/cargo/to/ki/tokio" => ("200 OK", format!("{{\"vers\":\"1.0.0\",\"pubtime\":\"{old}\"}}\n")),
        "/go/example.org/!there/@v/list" => ("200 OK", "v1.1.0\nv1.0.0\n".to_owned()),
        // Without a tag: a module has its last commit.
        "/go/example.org/untagged/@v/list" | "/go/example.org/unsteady/@v/list" => ("200 OK", String::new()),
        "/go/example.org/!there/@v/v1.0.0.info" | "/go/example.org/untagged/@latest" => {
            ("200 OK", format!(r#"{{"Time":"{old}"}}"#))
        }
        "/go/example.org/unsteady/@latest" => ("502 Bad Gateway", String::new()),
        "/npm/moved" => ("302 Found\r\nLocation: /npm/left-pad", String::new()),
        "/npm/page" => ("200 OK", "<html>sign in</html>".to_owned()),
        path if path.contains("busy") => ("503 Service Unavailable", String::new()),
        path if path.contains("limited") => ("429 Too Many Requests", String::new()),
        path if path.contains("secret") => ("401 Unauthorized", String::new()),
        path if path.contains("silent") => return thread::sleep(Duration::from_secs(30)),
        _ => ("404 Not Found", String::new()),
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(format!("{head}{body}").as_bytes());
}

/// The manifests of a repository, by kind, that declare these packages.
fn manifests(npm: &[&str], python: &[&str], cargo: &[&str], go: &[&str]) -> [(&'static str, String); 4] {
    let npm: Vec<String> = npm.iter().map(|name| format!("    \"{name}\": \"^1\"")).collect();
    let lines = |names: &[&str], line: fn(&str) -> String| names.iter().map(|name| line(name)).collect::<String>();
    [
        ("package.json", format!("{{\n  \"name\": \"app\",\n  \"dependencies\": {{\n{}\n  }}\n}}\n", npm.join(",\n"))),
        ("requirements.txt", lines(python, |name| format!("{name}\n"))),
        (
            "Cargo.toml",
            format!("[package]\nname = \"app\"\n[dependencies]\n{}", lines(cargo, |name| format!("{name} = \"1\"\n"))),
        ),
        ("go.mod", format!("module example.org/app\n{}", lines(go, |name| format!("require {name} v1.0.0\n")))),
    ]
}

fn with_rules(rules: &str) -> TestRepo {
    let manifests = manifests(&[], &[], &[], &[]);
    let files = manifests.iter().map(|(path, text)| (*path, text.as_str())).chain([("guards.toml", rules)]);
    TestRepo::with(&files.collect::<Vec<_>>())
}

fn declare(repo: &TestRepo, npm: &[&str], python: &[&str], cargo: &[&str], go: &[&str]) {
    manifests(npm, python, cargo, go).iter().for_each(|(path, text)| repo.write(path, text));
    repo.stage_all();
}

fn check(repo: &TestRepo, more: &[&str], env: &[(&str, &str)], code: i32) -> Value {
    let arguments = [&["check", "--staged", "--format", "json"], more].concat();
    let said = host_with(repo.path(), &arguments, b"", env).expect(code).json();
    said["guards"].as_array().unwrap().iter().find(|guard| guard["id"] == "packages-published").unwrap().clone()
}

fn rules_found(guard: &Value) -> Vec<String> {
    let findings = guard["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|it| format!("{} {}", it["path"].as_str().unwrap_or("-"), it["rule"].as_str().unwrap()))
        .collect()
}

#[test]
fn each_kind_from_a_manifest_to_a_verdict() {
    let server = PackageServer::start();
    let repo = with_rules(&server.rules());
    declare(&repo, &["left-pad"], &["Zope.Interface"], &["tokio"], &["example.org/There"]);
    let said = check(&repo, &[], &[], 0);
    assert_eq!((&said["verdict"], rules_found(&said)), (&Value::from("pass"), Vec::new()), "{said}");

    declare(&repo, &["nope", "newcomer"], &["nope"], &["nope"], &["example.org/nope"]);
    let mut found = rules_found(&check(&repo, &[], &[], 1));
    found.sort();
    let expected = [
        "Cargo.toml package-missing",
        "go.mod package-missing",
        "package.json package-missing",
        "package.json package-young",
        "requirements.txt package-missing",
    ];
    assert_eq!(found, expected);
    let asked = server.heard();
    for path in ["/npm/nope", "/pip/nope/", "/cargo/no/pe/nope", "/go/example.org/nope/@v/list"] {
        assert!(asked.iter().any(|heard| heard == path), "{path}: {asked:?}");
    }
}

/// What a registry in trouble says of a package is no word about the package; and a guard that learned nothing did not judge.
#[test]
fn nothing_is_proved_by_trouble_or_offline() {
    let server = PackageServer::start();
    let repo = with_rules(&server.rules());
    declare(&repo, &["busy"], &["busy"], &["busy"], &["example.org/busy"]);
    let said = check(&repo, &[], &[], 0);
    assert_eq!(said["verdict"], "not-applicable", "{said}");
    assert!(said["reason"].as_str().unwrap().contains("the registry answers 503"), "{said}");
    let asked = server.heard().len();
    declare(&repo, &["left-pad", "nope"], &[], &[], &[]);
    let said = check(&repo, &["--offline"], &[], 0);
    assert_eq!(said["verdict"], "not-applicable", "{said}");
    assert!(said["reason"].as_str().unwrap().contains("the host is offline"), "{said}");
    assert_eq!(server.heard().len(), asked, "nobody is asked");
    // Beside one that is known, the others are told.
    declare(&repo, &["left-pad", "busy"], &[], &[], &[]);
    let said = check(&repo, &[], &[], 0);
    assert_eq!(
        (&said["verdict"], rules_found(&said)),
        (&Value::from("pass"), vec!["- packages-unknown".to_owned()]),
        "{said}"
    );
    // What was said of a package does not stand for what is said later.
    declare(&repo, &["nope"], &[], &[], &[]);
    check(&repo, &[], &[], 1);
    assert_eq!(check(&repo, &["--offline"], &[], 0)["verdict"], "not-applicable");
}

/// The registry is that of the base's rules, then that of the person; nobody is asked who was not named.
#[test]
fn a_change_does_not_choose_who_is_asked() {
    let (server, other) = (PackageServer::start(), PackageServer::start());
    let repo = with_rules(PINNED);
    declare(&repo, &["nope"], &[], &[], &[]);
    let said = check(&repo, &[], &[], 0);
    assert!(said["reason"].as_str().unwrap().contains("no registry of npm is set up here"), "{said}");
    let person = [("NPM_CONFIG_REGISTRY", format!("{}/npm", server.address))];
    let person = person.each_ref().map(|(name, value)| (*name, value.as_str()));
    check(&repo, &[], &person, 1);
    assert_eq!(server.heard(), ["/npm/nope"]);
    // Settings that the change brings are not read, and rules that it brings do not judge it.
    repo.write(".npmrc", format!("registry={}/npm\n", other.address));
    repo.stage_all();
    check(&repo, &[], &[], 0);
    repo.write("guards.toml", other.rules());
    repo.stage_all();
    host_with(repo.path(), &["check", "--staged", "--allow-rule-changes"], b"", &person).expect(1);
    assert_eq!(other.heard(), [""; 0]);
}

/// Without a pin the guard does not judge, with one it needs the grant.
#[test]
fn it_is_asked_for_by_name() {
    let server = PackageServer::start();
    let repo = TestRepo::with(&[("package.json", "{}\n")]);
    repo.write("package.json", "{ \"dependencies\": { \"nope\": \"^1\" } }\n");
    repo.stage_all();
    let environment = [("NPM_CONFIG_REGISTRY", server.address.as_str())];
    let said = host_with(repo.path(), &["check", "--staged", "--format", "json"], b"", &environment).json();
    assert!(said["guards"].as_array().unwrap().iter().all(|guard| guard["id"] != "packages-published"), "{said}");
    let repo = with_rules(&server.rules().replace(", \"registry\"]", "]"));
    declare(&repo, &["nope"], &[], &[], &[]);
    let refused = host(repo.path(), &["check", "--staged"]).expect(4);
    assert!(refused.stdout.contains("add \"registry\" to its grants"), "{refused:?}");
    assert_eq!(server.heard(), [""; 0]);
}
