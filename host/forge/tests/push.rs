//! Pushing, and where the token is meanwhile: nowhere but in the environment of git.

mod forge;
mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use guardhost_core::error::fault;
use guardhost_forge::PushOutcome;

use forge::TOKEN;
use support::{BRANCH, Place};

#[test]
fn a_branch_is_created_moved_forward_and_left_alone() {
    let place = Place::with_branch();
    assert_eq!(place.push_as(BRANCH, None).unwrap(), PushOutcome::UpToDate);
    let before = place.tip("refs/heads/guardhost/work");
    place.commit("refs/heads/guardhost/work", &[("a.py", "x\n")], Some(before));
    assert_eq!(place.push_as(BRANCH, None).unwrap(), PushOutcome::Updated);

    // Other commits in the place of those that the remote has.
    let main = place.tip("refs/heads/main");
    let remote = place.head();
    place.commit("refs/heads/guardhost/work", &[("a.py", "y\n")], Some(main));
    let error = place.push_as(BRANCH, None).unwrap_err();
    assert_eq!(fault(&error).and_then(|fault| fault.code), Some("push-rejected"));
    let error = place.push_as(BRANCH, Some(&before.to_string())).unwrap_err();
    assert_eq!(
        fault(&error).and_then(|fault| fault.code),
        Some("push-rejected"),
        "the remote is not what was expected"
    );
    assert_eq!(place.push_as(BRANCH, Some(&remote)).unwrap(), PushOutcome::Updated);
}

#[test]
fn a_wrong_token_is_refused_without_a_question_and_without_being_shown() {
    let place = Place::with_branch();
    let error = place.push_with(BRANCH, None, "ghp_wrong_wrong_wrong", &[]).unwrap_err();
    let said = format!("{error:?}");
    assert!(said.contains("git push failed") && !said.contains("ghp_wrong"), "{said}");
    assert!(fault(&error).and_then(|fault| fault.hint.as_ref()).is_some_and(|hint| hint.contains("GITHUB_TOKEN")));
}

/// What a workflow's checkout leaves in the settings of the repository would be a second header, which a server refuses.
#[test]
fn a_header_in_the_settings_of_the_repository_is_replaced() {
    let place = Place::with_branch();
    let origin = place.loopback.remote().split("/team").next().unwrap().to_owned();
    let config = place.git_dir().join("config");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("{text}[http \"{origin}/\"]\n\textraheader = Authorization: Basic other\n")).unwrap();
    assert_eq!(place.push_as(BRANCH, None).unwrap(), PushOutcome::UpToDate);
}

#[test]
fn the_token_is_in_no_argument_file_hook_or_trace() {
    let place = Place::with_branch();
    let hook = place.git_dir().join("hooks/pre-push");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, format!("#!/bin/sh\nenv > {}/hooked\n", place.folder.path().display())).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();

    place.push_tip_with(&[
        ("GITHUB_TOKEN", TOKEN),
        ("GIT_TRACE", &place.folder.path().join("trace").display().to_string()),
        ("GIT_TRACE_CURL", &place.folder.path().join("trace-curl").display().to_string()),
        ("GIT_CURL_VERBOSE", "1"),
    ]);
    let arguments = place.loopback.state().command_lines.join("\n");
    assert!(
        arguments.contains("--porcelain") && arguments.contains("git-remote-http"),
        "the processes were not seen: {arguments}"
    );
    assert!(!place.folder.path().join("hooked").exists(), "a hook ran, with the token in its environment");
    let encoded = base64_of(&format!("x-access-token:{TOKEN}"));
    assert!(!arguments.contains(TOKEN) && !arguments.contains(&encoded), "a process was given the token as a word");
    let mut files = 0;
    each_file(place.folder.path(), &mut |file| {
        files += 1;
        let bytes = fs::read(file).unwrap();
        for secret in [TOKEN, &encoded] {
            let is_there = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!is_there, "{} holds the token", file.display());
        }
    });
    assert!(files > 10);
}

fn base64_of(text: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(text)
}

fn each_file(folder: &Path, see: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_file(&path, see);
        } else {
            see(&path);
        }
    }
}
