//! Signed receipts: with keys of `ssh-keygen`, verified by the host and by `ssh-keygen` itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::cli::host_with;
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

use super::{GOOD, replay_warm, repo, run};

/// A folder with the keys of ada and eve, and a list that allows ada to sign.
pub struct Keys(tempfile::TempDir);

impl Keys {
    pub fn make() -> Self {
        let keys = Keys(tempfile::tempdir().expect("a folder"));
        for name in ["ada", "eve"] {
            let ran = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-C", name, "-f"])
                .arg(keys.path(name))
                .status();
            assert!(ran.expect("ssh-keygen").success());
        }
        let public = fs::read_to_string(keys.path("ada.pub")).expect("a key");
        fs::write(keys.path("allowed"), format!("ada@example.org namespaces=\"guardhost-receipt\" {public}"))
            .expect("written");
        keys
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        self.path(name).to_str().expect("a path").to_owned()
    }
}

fn committed(repo: &TestRepo, key: Option<&str>) -> String {
    let more = key.map_or_else(Vec::new, |key| vec!["--sign-receipts", key]);
    let report = run(repo, &[GOOD], &more);
    report["commit"].as_str().unwrap_or_else(|| panic!("{report:#}")).to_owned()
}

/// The outcome for the commit, and whether all is the same.
fn said(repo: &TestRepo, commit: &str, allowed: Option<&str>) -> (Value, bool) {
    let more = allowed.map_or_else(Vec::new, |allowed| vec!["--allowed-signers", allowed]);
    let report = replay_warm(repo.path(), &[&[commit], &more[..]].concat()).json();
    (report["commit"]["signature"].clone(), report["same"] == true)
}

/// The same change and parent under another message: what somebody writes who edits a trailer.
fn with_message(repo: &TestRepo, commit: &str, message: &str) -> String {
    let (tree, parent) = (format!("{commit}^{{tree}}"), format!("{commit}^"));
    repo.git(&["commit-tree", &tree, "-p", &parent, "-m", message]).trim().to_owned()
}

fn verified_by_ssh(dir: &Path, keys: &Keys, statement: &str, signature: &str) -> bool {
    let armour = format!("-----BEGIN SSH SIGNATURE-----\n{signature}\n-----END SSH SIGNATURE-----\n");
    fs::write(dir.join("receipt.sig"), armour).expect("written");
    fs::write(dir.join("statement"), statement).expect("written");
    let mut ssh = Command::new("ssh-keygen");
    ssh.args(["-Y", "verify", "-n", "guardhost-receipt", "-I", "ada@example.org", "-f"]).arg(keys.path("allowed"));
    ssh.arg("-s").arg(dir.join("receipt.sig")).stdin(fs::File::open(dir.join("statement")).expect("a file"));
    ssh.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("ssh-keygen").success()
}

#[test]
fn a_signed_receipt_is_verified_by_the_host_and_by_ssh() {
    let Some(_) = needs(Tool::SshKeygen) else { return };
    let (repo, keys) = (repo(), Keys::make());
    let allowed = keys.text("allowed");
    let commit = committed(&repo, Some(&keys.text("ada")));
    let (signature, same) = said(&repo, &commit, Some(&allowed));
    assert!(same, "{signature:#}");
    assert_eq!((&signature["outcome"], &signature["signer"]), (&"good".into(), &"ada@example.org".into()));
    let (signature, same) = said(&repo, &commit, None);
    assert_eq!((signature["outcome"].as_str(), same), (Some("unknown-key"), true), "nobody said whose counts");

    // What docs/replay.md says is signed.
    let message = repo.git(&["log", "-1", "--format=%B", &commit]);
    let value = |name: &str| {
        let found = message.lines().find_map(|line| line.strip_prefix(&format!("Guardhost-{name}: ")));
        found.unwrap_or_else(|| panic!("{name}: {message}")).to_owned()
    };
    let tree = |of: &str| repo.git(&["rev-parse", &format!("{of}^{{tree}}")]).trim().to_owned();
    let (base, own) = (tree(&format!("{commit}^")), tree(&commit));
    let statement = format!("base {base}\ntree {own}\nreceipt {}\n", value("Receipt"));
    let dir = tempfile::tempdir().expect("a folder");
    assert!(verified_by_ssh(dir.path(), &keys, &statement, &value("Receipt-Signature")));
    assert!(!verified_by_ssh(dir.path(), &keys, &statement.replace("tree", "tree "), &value("Receipt-Signature")));
}

#[test]
fn no_signature_a_strangers_and_a_wrong_one_are_named() {
    let Some(_) = needs(Tool::SshKeygen) else { return };
    let (repo, keys) = (repo(), Keys::make());
    let allowed = keys.text("allowed");
    let outcome = |commit: &str, allowed: Option<&str>| {
        let (signature, same) = said(&repo, commit, allowed);
        (signature["outcome"].as_str().expect("a word").to_owned(), same)
    };
    let unsigned = committed(&repo, None);
    assert_eq!(outcome(&unsigned, None), ("unsigned".to_owned(), true));
    assert_eq!(outcome(&unsigned, Some(&allowed)), ("unsigned".to_owned(), false));
    let foreign = committed(&repo, Some(&keys.text("eve")));
    assert_eq!(outcome(&foreign, Some(&allowed)), ("unknown-key".to_owned(), false));

    // A run whose commit must be signed, too.
    let signed = committed(&repo, Some(&keys.text("ada")));
    let message = repo.git(&["log", "-1", "--format=%B", &signed]);
    let run_of = |commit: &str| {
        let trailer = repo.git(&["log", "-1", "--format=%(trailers:key=Guardhost-Run,valueonly)", commit]);
        let report = replay_warm(repo.path(), &[trailer.trim(), "--allowed-signers", &allowed]).json();
        report["runs"][0]["problems"].clone()
    };
    assert_eq!(run_of(&signed), serde_json::json!([]));
    assert_eq!(run_of(&foreign)[0]["kind"], "signature-not-good");

    // One change: of the signature, of the receipt, and of the change.
    let at = message.find("Receipt-Signature: ").expect("signed") + "Receipt-Signature: ".len();
    for (at, expected) in [(at + 200, "wrong"), (at, "unreadable")] {
        let mut flipped = message.clone().into_bytes();
        flipped[at] = if flipped[at] == b'A' { b'B' } else { b'A' };
        let commit = with_message(&repo, &signed, &String::from_utf8(flipped).expect("text"));
        assert_eq!(outcome(&commit, None), (expected.to_owned(), false));
    }
    let receipt = message.find("Receipt: sha256:").expect("a receipt") + "Receipt: sha256:".len();
    let mut other = message.clone().into_bytes();
    other[receipt] = if other[receipt] == b'0' { b'1' } else { b'0' };
    let commit = with_message(&repo, &signed, &String::from_utf8(other).expect("text"));
    assert_eq!(outcome(&commit, Some(&allowed)), ("wrong".to_owned(), false));
    repo.write("x.py", "def x():\n    return 3\n");
    let copied = repo.commit(&message).to_string();
    assert_eq!(outcome(&copied, Some(&allowed)), ("wrong".to_owned(), false));
}

#[test]
fn a_key_that_cannot_sign_is_named_before_anybody_is_asked() {
    let Some(_) = needs(Tool::SshKeygen) else { return };
    let (repo, keys) = (repo(), Keys::make());
    let ran = |key: &str| {
        let args =
            ["run", "--task", "Let x return 2", "--offline", "--provider", "command:false", "--sign-receipts", key];
        host_with(repo.path(), &args, b"", &[]).expect(2).stderr
    };
    let make = |name: &str, more: &[&str]| {
        let made = Command::new("ssh-keygen").args(["-q", "-f"]).arg(keys.path(name)).args(more).status();
        assert!(made.expect("ssh-keygen").success());
        keys.text(name)
    };
    let locked = make("locked", &["-t", "ed25519", "-N", "a passphrase"]);
    assert!(ran(&locked).contains("has a passphrase"));
    let ecdsa = make("ecdsa", &["-t", "ecdsa", "-N", ""]);
    assert!(ran(&ecdsa).contains("for Ed25519"));
    assert!(ran(&keys.text("ada.pub")).contains("chmod 600") || ran(&keys.text("ada.pub")).contains("no private key"));
    assert!(ran(&keys.text("none")).contains("cannot read"));
    assert!(ran("guards.toml").contains("others can read") || ran("guards.toml").contains("no private key"));
}
