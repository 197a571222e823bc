//! Fingerprints, tokens, and text that no database should mind.

use guardhost_observer::wire::{NewObservation, TreeFacts};
use guardhost_service::storage::{LogQuery, TokenRow};

use super::Shared;
use super::observations::observed;

pub async fn facts_are_found_by_tree_or_as_the_last_sent(storage: Shared) {
    let facts = |tree: &str, stack: &str| TreeFacts {
        repo: "facts".into(),
        tree: tree.into(),
        stack: vec![stack.into()],
        ..TreeFacts::default()
    };
    for (tree, stack) in [("t1", "npm"), ("t2", "go"), ("t1", "python")] {
        storage.put_fingerprint(facts(tree, stack)).await.unwrap();
    }
    let found = async |tree: Option<&str>| storage.fingerprint("facts", tree).await.unwrap().map(|facts| facts.stack);
    assert_eq!(found(Some("t1")).await, Some(vec!["python".to_owned()]));
    assert_eq!(found(Some("t2")).await, Some(vec!["go".to_owned()]));
    assert_eq!(found(None).await, Some(vec!["python".to_owned()]), "the last that was sent");
    assert_eq!(found(Some("t3")).await, None);
    assert!(storage.fingerprint("nowhere", None).await.unwrap().is_none());
}

pub async fn tokens_are_found_by_their_digest(storage: Shared) {
    let all = TokenRow { name: "all".into(), hash: "a".repeat(64), repos: None };
    let some = TokenRow { name: "some".into(), hash: "b".repeat(64), repos: Some(vec!["x".into(), "y".into()]) };
    for token in [&all, &some] {
        storage.add_token(token.clone()).await.unwrap();
    }
    assert!(storage.add_token(TokenRow { hash: "c".repeat(64), ..all.clone() }).await.is_err(), "names are unique");
    assert_eq!(storage.token(&some.hash).await.unwrap().as_ref(), Some(&some));
    assert_eq!(storage.tokens().await.unwrap(), [all, some.clone()]);
    assert!(storage.remove_token("some").await.unwrap());
    assert!(!storage.remove_token("some").await.unwrap());
    assert_eq!(storage.token(&some.hash).await.unwrap(), None);
}

pub async fn hostile_text_comes_back_as_it_was(storage: Shared) {
    const TEXTS: [&str; 6] =
        ["'; drop table observation; --", "\u{0}nul", "$1 ?1 %s", "\u{202e}bidi", "a\nb\r\u{1b}[31m", "\"\\"];
    for text in TEXTS {
        // PostgreSQL keeps no NUL in a text of its own, so names are refused before they come here; content is JSON, which escapes it.
        let run = text.replace('\u{0}', "");
        let new = NewObservation { touched_files: vec![text.into()], ..observed("hostile", &run) };
        storage.observe(new.clone()).await.unwrap();
        let query = LogQuery { run_id: Some(run), limit: 10, ..LogQuery::default() };
        let page = storage.agent_log(query).await.unwrap();
        assert_eq!(page.rows.len(), 1, "{text:?}");
        assert_eq!(page.rows[0].observed, new, "{text:?}");
    }
}
