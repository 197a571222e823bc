//! Asking from inside an async runtime: by awaiting, and by blocking where a caller cannot await.

use std::sync::Arc;
use std::time::Duration;

use guardhost_core::change::Event;
use guardhost_core::error::{FaultKind, kind};
use guardhost_provider::Chain;

use super::gone;
use crate::support::agents::ProviderHarness;

/// Leaves its process id, says on stderr that it works, and never answers.
const HANGS: &str = "echo $$ >$LEFT/self; echo ready >&2; echo ready >&2; sleep 60";

fn chain(stage: &ProviderHarness, names: &[&str]) -> Chain {
    Chain::new(names.iter().map(|name| stage.provider(&format!("command:{name}"))).collect())
}

/// Two agents of which neither answers before both were asked.
fn stage_with_a_pair() -> ProviderHarness {
    let stage = ProviderHarness::new();
    for (name, other) in [("left", "right"), ("right", "left")] {
        let wait = format!("touch $LEFT/{name}; until test -e $LEFT/{other}; do sleep 0.01; done");
        stage.agent(name, &format!("cat >/dev/null; {wait}; echo {name}"));
    }
    stage
}

async fn wait_for_progress(stage: &ProviderHarness) {
    while !stage.events.all().iter().any(|event| matches!(event, Event::Progress { .. })) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn ask_both_ways() {
    let stage = ProviderHarness::new();
    stage.agent("broken", "exit 1").agent("agent", "cat >/dev/null; echo answer");
    let mut chain = chain(&stage, &["broken", "agent"]);
    let awaited = stage.ask_chain_async(&mut chain, 1).await.unwrap();
    assert_eq!((awaited.bytes.as_slice(), awaited.provider.as_str()), (&b"answer\n"[..], "agent"));
    let blocked = stage.ask_chain(&mut chain, 2).unwrap();
    assert_eq!((blocked.bytes.as_slice(), blocked.provider.as_str()), (&b"answer\n"[..], "agent"));
    assert_eq!(stage.events.failures(), ["broken crashed -> agent"], "the one that answered is asked first");
}

#[tokio::test]
async fn a_runtime_of_one_thread_awaits_and_blocks() {
    ask_both_ways().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_runtime_of_several_threads_awaits_and_blocks() {
    ask_both_ways().await;
    // A task of its own may move between threads.
    tokio::spawn(ask_both_ways()).await.unwrap();
}

async fn cancel_an_awaited_question() {
    let stage = ProviderHarness::new();
    stage.agent("agent", HANGS);
    let mut chain = chain(&stage, &["agent"]);
    let cancel = async {
        wait_for_progress(&stage).await;
        stage.cancel.cancel();
    };
    let (asked, ()) = tokio::join!(stage.ask_chain_async(&mut chain, 1), cancel);
    assert_eq!(kind(&asked.unwrap_err()), FaultKind::Interrupted);
    assert_eq!(stage.events.failures(), ["agent interrupted -> "]);
    assert!(gone(&stage, "self"));
}

#[tokio::test]
async fn cancelling_ends_an_awaited_question_on_one_thread() {
    cancel_an_awaited_question().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelling_ends_an_awaited_question_on_several_threads() {
    cancel_an_awaited_question().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelling_ends_a_question_that_blocks_a_thread_of_the_runtime() {
    let stage = Arc::new(ProviderHarness::new());
    stage.agent("agent", HANGS);
    let canceller = tokio::spawn({
        let stage = Arc::clone(&stage);
        async move {
            wait_for_progress(&stage).await;
            stage.cancel.cancel();
        }
    });
    let blocking = tokio::task::spawn_blocking({
        let stage = Arc::clone(&stage);
        move || stage.ask_chain(&mut chain(&stage, &["agent"]), 1)
    });
    let asked = blocking.await.unwrap();
    canceller.await.unwrap();
    assert_eq!(kind(&asked.unwrap_err()), FaultKind::Interrupted);
    assert!(gone(&stage, "self"));
}

#[tokio::test]
async fn a_dropped_question_ends_its_agent_and_the_chain_can_be_asked_again() {
    let stage = ProviderHarness::new();
    stage.agent("agent", &format!("test -e $LEFT/self && {{ cat >/dev/null; echo answer; exit; }}; {HANGS}"));
    let mut chain = chain(&stage, &["agent"]);
    tokio::select! {
        asked = stage.ask_chain_async(&mut chain, 1) => panic!("it cannot answer: {:?}", asked.map(|reply| reply.bytes)),
        () = wait_for_progress(&stage) => {}
    }
    assert!(gone(&stage, "self"));
    assert_eq!(stage.events.failures(), Vec::<String>::new());
    assert_eq!(stage.ask_chain_async(&mut chain, 1).await.unwrap().bytes, b"answer\n");
}

#[tokio::test]
async fn two_questions_are_awaited_at_once() {
    let stage = stage_with_a_pair();
    let (mut left, mut right) = (chain(&stage, &["left"]), chain(&stage, &["right"]));
    let (left, right) = tokio::join!(stage.ask_chain_async(&mut left, 1), stage.ask_chain_async(&mut right, 1));
    assert_eq!((left.unwrap().bytes.as_slice(), right.unwrap().bytes.as_slice()), (&b"left\n"[..], &b"right\n"[..]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_questions_block_at_once() {
    let stage = Arc::new(stage_with_a_pair());
    let ask = |name: &'static str| {
        let stage = Arc::clone(&stage);
        tokio::task::spawn_blocking(move || stage.ask_chain(&mut chain(&stage, &[name]), 1).unwrap().bytes)
    };
    let (left, right) = tokio::join!(ask("left"), ask("right"));
    assert_eq!((left.unwrap().as_slice(), right.unwrap().as_slice()), (&b"left\n"[..], &b"right\n"[..]));
}
