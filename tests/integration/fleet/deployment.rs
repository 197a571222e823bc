//! The unit file, the container file and the manifest in docs/deployment, as far as they can be checked without systemd, a container engine or
//! Kubernetes: what they name exists in this program, and the validators of systemd and of Kubernetes take them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use clap::CommandFactory as _;
use guardhost_server::cli::ServerCli;
use serde_json::Value;

use crate::support::cli::server;
use crate::support::tools::{Tool, needs};

/// Seconds that a worker has for the jobs that it has when it is told to end.
const DRAIN: u64 = 60;

fn deployed(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/deployment").join(name);
    fs::read_to_string(file).expect("a file")
}

/// Values of `NAME=` lines.
fn values<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix('=')).collect()
}

fn parses(words: &[String]) {
    let split: Vec<std::ffi::OsString> = words.iter().map(Into::into).collect();
    ServerCli::read(&split).unwrap_or_else(|error| panic!("{words:?}: {error}"));
}

/// The variables of `host worker`, for people.
fn variables() -> BTreeSet<String> {
    let mut command = ServerCli::command();
    command.build();
    let worker = command.find_subcommand("worker").expect("host worker");
    let named = worker.get_arguments().filter_map(|arg| Some(arg.get_env()?.to_string_lossy().into_owned()));
    named.collect()
}

#[test]
fn the_unit_starts_a_worker_and_systemd_reads_it() {
    let unit = deployed("guardhost-worker.service");
    let start = values(&unit, "ExecStart");
    let words = shlex::split(start.first().expect("ExecStart")).expect("words");
    assert_eq!(words.first().map(String::as_str), Some("/usr/local/bin/guardhost-server"));
    parses(&words);
    let stop: u64 = values(&unit, "TimeoutStopSec")[0].parse().expect("seconds");
    assert!(stop > DRAIN, "systemd would kill a worker that drains");
    let Some(analyze) = needs(Tool::SystemdAnalyze) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let verify = |text: &str| {
        let file = folder.path().join("guardhost-worker.service");
        fs::write(&file, text).expect("written");
        let ran = Command::new(&analyze).arg("verify").arg(&file).output().expect("systemd-analyze");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        // It also speaks of units of this machine.
        said.lines().filter(|line| line.contains("guardhost-worker")).collect::<Vec<_>>().join("\n")
    };
    // A program that is there.
    let unit = unit.replace("/usr/local/bin/guardhost-server", server().to_str().expect("UTF-8"));
    assert_eq!(verify(&unit), "");
    assert!(!verify(&unit.replace("KillMode=mixed", "KillMode=mixd")).is_empty(), "systemd-analyze finds nothing");
}

#[test]
fn the_container_starts_a_worker() {
    let file = deployed("worker.Dockerfile");
    let entry = file.lines().find_map(|line| line.strip_prefix("ENTRYPOINT ")).expect("ENTRYPOINT");
    let words: Vec<String> = serde_json::from_str(entry).expect("a JSON list");
    parses(&words);
    // Git fetches, by HTTPS or SSH.
    for package in ["git", "ca-certificates", "openssh-client"] {
        assert!(file.contains(&format!(" {package} ")), "{package}");
    }
    let instructions = ["FROM", "RUN", "COPY", "USER", "ENTRYPOINT"];
    for line in file.lines() {
        assert!(instructions.iter().any(|word| line.starts_with(&format!("{word} "))), "{line}");
    }
}

#[test]
fn the_manifest_is_one_of_kubernetes_and_names_what_a_worker_has() {
    let Some(environment) = needs(Tool::KubernetesValidate) else { return };
    let (folder, text) = (tempfile::tempdir().expect("a folder"), deployed("worker.yaml"));
    let file = folder.path().join("manifest.yaml");
    let validate = |text: &str| {
        fs::write(&file, text).expect("written");
        let mut validate = Command::new(environment.join("bin/kubernetes-validate"));
        validate.args(["--strict"]).arg(&file).output().expect("kubernetes-validate")
    };
    let ran = validate(&text);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()));
    for (right, wrong) in [("replicas: 3", "replicas: three"), ("replicas: 3", "replica: 3"), ("mountPath", "mount")] {
        assert!(!validate(&text.replacen(right, wrong, 1)).status.success(), "{wrong} is not found");
    }

    // What no schema knows.
    fs::write(&file, &text).expect("written");
    let script = "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)";
    let ran = Command::new(environment.join("bin/python")).args(["-c", script]).arg(&file).output().expect("python");
    let manifest: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    let (spec, pod) = (&manifest["spec"], &manifest["spec"]["template"]["spec"]);
    assert_eq!(spec["selector"]["matchLabels"], spec["template"]["metadata"]["labels"]);
    assert!(pod["terminationGracePeriodSeconds"].as_u64() > Some(DRAIN), "a worker that drains would be killed");
    let container = &pod["containers"][0];
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let names = |value: &Value| -> BTreeSet<String> {
        list(value).iter().map(|each| each["name"].as_str().expect("a name").to_owned()).collect()
    };
    let words = ["host".to_owned(), "worker".to_owned()].into_iter();
    parses(
        &words
            .chain(list(&container["args"]).iter().map(|word| word.as_str().expect("a text").to_owned()))
            .collect::<Vec<_>>(),
    );
    let unknown: Vec<String> = names(&container["env"]).difference(&variables()).cloned().collect();
    assert!(unknown.is_empty(), "`host worker` reads no {unknown:?}");
    assert_eq!(names(&container["volumeMounts"]), names(&pod["volumes"]));
    // Every file that a variable names lies in a volume.
    for value in
        list(&container["env"]).iter().filter_map(|each| each["value"].as_str()).filter(|text| text.starts_with('/'))
    {
        let mounts = list(&container["volumeMounts"]);
        assert!(mounts.iter().any(|mount| value.starts_with(mount["mountPath"].as_str().expect("a path"))), "{value}");
    }
}
