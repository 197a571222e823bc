//! Registries of each kind on loopback.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::*;

/// What one server answers for all four kinds, and what it was asked.
fn server() -> (String, Arc<Mutex<Vec<String>>>) {
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
    (address, heard)
}

fn answer(mut stream: TcpStream, heard: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    heard.lock().unwrap().push(path.clone());
    let (status, body) = match path.as_str() {
        "/npm/left-pad" => ("200 OK", r#"{"versions":{"1.0.0":{}},"time":{"created":"2014-03-14T00:00:00Z"}}"#),
        "/pip/zope-interface/" => {
            ("200 OK", r#"{"versions":["1","2"],"files":[{"upload-time":"2010-01-01T00:00:00Z"}]}"#)
        }
        "/cargo/se/rd/serde" => ("200 OK", "{\"vers\":\"1.0.0\",\"pubtime\":\"2015-01-01T00:00:00Z\"}\n"),
        "/go/example.org/!x/@v/list" => ("200 OK", "v1.1.0\nv1.0.0\n"),
        "/go/example.org/!x/@v/v1.0.0.info" => ("200 OK", r#"{"Time":"2016-01-01T00:00:00Z"}"#),
        "/npm/busy" => ("503 Service Unavailable", ""),
        "/npm/moved" => ("302 Found\r\nLocation: /npm/left-pad", ""),
        "/npm/page" => ("200 OK", "<html>sign in</html>"),
        "/npm/silent" => return thread::sleep(Duration::from_secs(30)),
        _ => ("404 Not Found", ""),
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(format!("{head}{body}").as_bytes());
}

fn process(variables: &[(&str, String)], cache: Option<&Path>) -> ProcessEnv {
    let env = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect();
    ProcessEnv { env, cache: cache.map(Path::to_path_buf), ..ProcessEnv::default() }
}

fn look_up(registries: &Registries, ecosystem: &str, name: &str) -> Standing {
    let package = PackageName { ecosystem: ecosystem.to_owned(), name: name.to_owned() };
    registries.look_up(&[package], &StopToken::default()).remove(0)
}

/// The settings of this machine, for one server.
fn set_up(address: &str, home: &Path) -> Vec<(&'static str, String)> {
    std::fs::create_dir_all(home.join(".cargo")).unwrap();
    let cargo =
        format!("[source.crates-io]\nreplace-with = \"m\"\n[source.m]\nregistry = \"sparse+{address}/cargo/\"\n");
    std::fs::write(home.join(".cargo/config.toml"), cargo).unwrap();
    std::fs::write(home.join(".npmrc"), format!("registry={address}/npm/\n@corp:registry={address}/corp/\n")).unwrap();
    vec![
        ("HOME", home.display().to_string()),
        ("PIP_INDEX_URL", format!("{address}/pip/")),
        ("GOPROXY", format!("{address}/go")),
        ("GOPRIVATE", "*.corp.example".to_owned()),
    ]
}

#[test]
fn each_kind_says_what_is_there_and_what_is_not() {
    let ((address, heard), home) = (server(), tempfile::tempdir().unwrap());
    let process = process(&set_up(&address, home.path()), None);
    let timeouts = Timeouts { each: Duration::from_secs(2), all: Duration::from_secs(20) };
    let registries = Registries::new(&process, Vec::new(), false).within(timeouts);
    for (ecosystem, name, expected) in
        [("npm", "left-pad", 1), ("python", "Zope.Interface", 2), ("cargo", "serde", 1), ("go", "example.org/X", 2)]
    {
        let standing = look_up(&registries, ecosystem, name);
        let Standing::Published { days: Some(days), versions } = standing else { panic!("{name}: {standing:?}") };
        assert!(days > 3_000 && versions == Some(expected), "{name}: {days} {versions:?}");
    }
    for (ecosystem, name) in [("npm", "nope"), ("python", "nope"), ("cargo", "nope"), ("go", "example.org/nope")] {
        let missing = Standing::Missing("the registry answers 404".to_owned());
        assert_eq!(look_up(&registries, ecosystem, name), missing, "{ecosystem}");
    }
    for (ecosystem, name, why) in [
        ("npm", "busy", "answers 503"),
        ("npm", "moved", "answers 302"),
        ("npm", "page", "form that is not known"),
        ("npm", "silent", "no answer within 2 seconds"),
        ("npm", "@other/private", "as it does for what is private"),
        ("npm", "@corp/private", "a registry of its own"),
        ("go", "git.corp.example/private", "a registry of its own"),
        ("npm", "../etc", "not spelled as a name"),
        ("ruby", "rails", "no registry of ruby"),
    ] {
        let standing = look_up(&registries, ecosystem, name);
        assert!(matches!(&standing, Standing::Unknown(found) if found.contains(why)), "{name}: {standing:?}");
    }
    let heard = heard.lock().unwrap();
    assert!(!heard.iter().any(|path| path.contains("corp") || path.contains("etc")), "{heard:?}");
}

#[test]
fn rules_win_and_nobody_is_asked_without_an_address() {
    let ((address, heard), home) = (server(), tempfile::tempdir().unwrap());
    let none = Registries::new(&process(&[("HOME", home.path().display().to_string())], None), Vec::new(), false);
    let standing = look_up(&none, "npm", "left-pad");
    assert!(
        matches!(&standing, Standing::Unknown(why) if why.contains("no registry of npm is set up")),
        "{standing:?}"
    );
    let named = RegistryAddress::new(RegistryEcosystem::Npm, &format!("{address}/npm")).unwrap();
    let elsewhere = process(&[("NPM_CONFIG_REGISTRY", format!("{address}/other"))], None);
    let standing = look_up(&Registries::new(&elsewhere, vec![named.clone()], false), "npm", "left-pad");
    assert!(matches!(standing, Standing::Published { .. }), "{standing:?}");
    let offline = look_up(&Registries::new(&elsewhere, vec![named], true), "npm", "left-pad");
    assert_eq!(offline, Standing::Unknown("the host is offline".to_owned()));
    assert_eq!(*heard.lock().unwrap(), ["/npm/left-pad"]);
    let direct = process(&[("GOPROXY", format!("{address}/go,direct"))], None);
    let standing = look_up(&Registries::new(&direct, Vec::new(), false), "go", "example.org/nope");
    assert!(matches!(&standing, Standing::Unknown(why) if why.contains("goes on")), "{standing:?}");
}

#[test]
fn an_answer_is_kept_for_the_next_run() {
    let ((address, heard), cache) = (server(), tempfile::tempdir().unwrap());
    let process = process(&[("NPM_CONFIG_REGISTRY", format!("{address}/npm"))], Some(cache.path()));
    for _ in 0..2 {
        let registries = Registries::new(&process, Vec::new(), false);
        assert!(matches!(look_up(&registries, "npm", "left-pad"), Standing::Published { .. }));
        assert!(matches!(look_up(&registries, "npm", "busy"), Standing::Unknown(_)));
    }
    assert_eq!(*heard.lock().unwrap(), ["/npm/left-pad", "/npm/busy", "/npm/busy"]);
}
