//! How each kind of registry is asked, and what is made of its answer.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use guardhost_core::process_env::ProcessEnv;
use guardhost_core::stop::StopToken;
use guardhost_engine::link_check::Timeouts;
use guardhost_engine::registries::{PackageName, Registries, RegistryAddress, RegistryEcosystem, Standing};

use super::PackageServer;

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
    let (server, home) = (PackageServer::start(), tempfile::tempdir().unwrap());
    let address = &server.address;
    let process = process(&set_up(address, home.path()), None);
    let registries = Registries::new(&process, Vec::new(), false);
    for (ecosystem, name, expected) in [
        ("npm", "left-pad", 1),
        ("python", "Zope.Interface", 2),
        ("cargo", "tokio", 1),
        ("go", "example.org/There", 2),
        ("go", "example.org/untagged", 0),
    ] {
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
        ("python", "busy", "answers 503"),
        ("cargo", "busy", "answers 503"),
        ("go", "example.org/busy", "answers 503"),
        ("go", "example.org/unsteady", "answers 502"),
        ("npm", "limited", "answers 429"),
        ("cargo", "secret", "answers 401"),
        ("npm", "moved", "answers 302"),
        ("npm", "page", "form that is not known"),
        ("npm", "@other/private", "as it does for what is private"),
        ("npm", "@corp/private", "a registry of its own"),
        ("go", "git.corp.example/private", "a registry of its own"),
        ("npm", "../etc", "not spelled as a name"),
        ("ruby", "rails", "no registry of ruby"),
    ] {
        let standing = look_up(&registries, ecosystem, name);
        assert!(matches!(&standing, Standing::Unknown(found) if found.contains(why)), "{name}: {standing:?}");
    }
    let heard = server.heard();
    assert!(!heard.iter().any(|path| path.contains("corp") || path.contains("etc")), "{heard:?}");
}

#[test]
fn a_registry_that_is_silent_says_nothing() {
    let (server, home) = (PackageServer::start(), tempfile::tempdir().unwrap());
    let address = &server.address;
    let process = process(&set_up(address, home.path()), None);
    let silent = ["npm", "python", "cargo", "go"].map(|ecosystem| {
        let name = if ecosystem == "go" { "example.org/silent" } else { "silent" };
        PackageName { ecosystem: ecosystem.to_owned(), name: name.to_owned() }
    });
    let (short, long) = (Duration::from_millis(300), Duration::from_secs(20));
    for (timeouts, why) in [
        (Timeouts { each: short, all: long }, "no answer within 0.3 seconds"),
        (Timeouts { each: long, all: short }, "not asked: the time for this change was up"),
    ] {
        let registries = Registries::new(&process, Vec::new(), false).within(timeouts);
        let found = registries.look_up(&silent, &StopToken::default());
        assert_eq!(found, vec![Standing::Unknown(why.to_owned()); 4]);
    }
}

#[test]
fn rules_win_and_nobody_is_asked_without_an_address() {
    let (server, home) = (PackageServer::start(), tempfile::tempdir().unwrap());
    let address = &server.address;
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
    assert_eq!(server.heard(), ["/npm/left-pad"]);
    let direct = process(&[("GOPROXY", format!("{address}/go,direct"))], None);
    let standing = look_up(&Registries::new(&direct, Vec::new(), false), "go", "example.org/nope");
    assert!(matches!(&standing, Standing::Unknown(why) if why.contains("falls back")), "{standing:?}");
}

#[test]
fn an_answer_is_kept_for_the_next_run() {
    let (server, cache) = (PackageServer::start(), tempfile::tempdir().unwrap());
    let address = &server.address;
    let process = process(&[("NPM_CONFIG_REGISTRY", format!("{address}/npm"))], Some(cache.path()));
    for _ in 0..2 {
        let registries = Registries::new(&process, Vec::new(), false);
        assert!(matches!(look_up(&registries, "npm", "left-pad"), Standing::Published { .. }));
        assert!(matches!(look_up(&registries, "npm", "busy"), Standing::Unknown(_)));
    }
    assert_eq!(server.heard(), ["/npm/busy", "/npm/busy", "/npm/left-pad"]);
}
