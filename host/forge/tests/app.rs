//! The credential of an app, SARIF and reviews, against the loopback forge: what only GitHub has.

mod forge;
mod support;

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use guardhost_forge::{App, Forge, ForgeFailure, WriteOutcome, open_or_update};

use forge::app::{ID, KEY, KEY_8};
use forge::{FaultKind, TOKEN};
use support::{Place, process};

#[test]
fn an_app_signs_in_with_its_key_in_either_form() {
    let place = Place::with_branch();
    for key in [KEY.to_owned(), KEY_8.to_owned(), KEY.replace('\n', "\\n")] {
        let app = App::from_env(&process(&[("KEY", &key)]), ID, "KEY").expect("a key");
        place.loopback.fault("POST", "/access_tokens", FaultKind::Lost, 1);
        let token = app.token(&place.address(), place.github_settings()).expect("a token");
        assert_eq!(token.secrets()[0], TOKEN);
        assert!(!format!("{token:?}").contains(TOKEN));
    }
    place.loopback.check();

    // Another app's id is not what is signed for.
    let other = App::from_env(&process(&[("KEY", KEY)]), "9", "KEY").expect("a key");
    let error = other.token(&place.address(), place.github_settings()).unwrap_err();
    assert_eq!(error.class, ForgeFailure::Unauthorized);
}

#[test]
fn what_is_no_key_is_said_without_a_word_of_it() {
    for (value, expected) in [
        ("", "the variable KEY is not set"),
        ("-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n", "holds no RSA private key"),
        ("secret", "holds no RSA private key"),
    ] {
        let error = App::from_env(&process(&[("KEY", value)]), ID, "KEY").err().expect("an error");
        let said = format!("{error:#}");
        assert!(said.contains(expected) && !said.contains("c2VjcmV0") && !said.contains("secret"), "{said}");
    }
}

#[test]
fn findings_are_uploaded_packed_where_the_repository_takes_them() {
    let place = Place::with_branch();
    let github = place.github(TOKEN);
    open_or_update(&github, &place.new_pull("text")).unwrap();
    github.upload_sarif(&place.head(), 1, br#"{"version":"2.1.0"}"#).unwrap();
    {
        let state = place.loopback.state();
        let [upload] = state.sarifs.as_slice() else { panic!("{} uploads", state.sarifs.len()) };
        assert_eq!(
            (upload["commit_sha"].as_str(), upload["ref"].as_str()),
            (Some(&*place.head()), Some("refs/pull/1/head"))
        );
        let packed = STANDARD.decode(upload["sarif"].as_str().unwrap()).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text, r#"{"version":"2.1.0"}"#);
    }
    place.loopback.state().has_no_code_scanning = true;
    assert_eq!(github.upload_sarif(&place.head(), 1, b"{}").unwrap_err().class, ForgeFailure::Forbidden);
    place.loopback.check();
}

#[test]
fn a_commit_has_one_review_of_ours() {
    let place = Place::with_branch();
    let github = place.github(TOKEN);
    open_or_update(&github, &place.new_pull("text")).unwrap();
    let marker = "<!-- guardhost review schema=1 -->";
    let said = |text: &str| github.review(1, &place.head(), &format!("{marker}\n{text}"), marker).unwrap();
    place.loopback.fault("POST", "/reviews", FaultKind::Lost, 1);
    assert_eq!(
        [said("one"), said("one"), said("two")],
        [WriteOutcome::Made, WriteOutcome::Unchanged, WriteOutcome::Changed]
    );
    place.push_file("a.py", "def a():\n    return 2\n");
    assert_eq!(said("three"), WriteOutcome::Made);
    let bodies: Vec<String> = place.loopback.state().whole_reviews.iter().map(|review| review.body.clone()).collect();
    assert_eq!(bodies, [format!("{marker}\ntwo"), format!("{marker}\nthree")]);
    place.loopback.check();
}
