//! What every storage promises, as functions over the trait. Each works in repositories of its own, so that one database serves all.

mod claims;
mod events;
mod facts;
mod observations;
mod retention;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use guardhost_service::storage::Storage;

pub type Shared = Arc<dyn Storage>;
type Promise = fn(Shared) -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// Names a promise and boxes its future.
macro_rules! promises {
    ($($module:ident :: $name:ident),* $(,)?) => {
        pub const PROMISES: &[(&str, Promise)] =
            &[$((stringify!($name), |storage| Box::pin($module::$name(storage)))),*];
    };
}

promises![
    observations::every_outcome_is_kept_and_comes_back_newest_first,
    observations::an_id_is_kept_once_and_names_one_content,
    observations::pages_follow_one_another_without_gap_or_repeat,
    observations::conditions_narrow_what_comes,
    observations::many_at_once_are_all_kept,
    observations::a_commit_leads_to_its_agent,
    claims::one_of_a_thousand_wins_and_fences_rise,
    claims::a_claim_lasts_its_time_and_no_longer,
    claims::the_same_holder_gets_its_claim_again_and_can_extend_it,
    claims::a_stale_fence_writes_nothing,
    claims::only_the_holder_releases,
    claims::a_fence_alone_ends_no_claim,
    claims::a_clock_that_goes_back_holds_nothing,
    events::an_event_is_kept_once_and_in_order,
    events::readers_see_no_gap_while_several_write,
    facts::facts_are_found_by_tree_or_as_the_last_sent,
    facts::tokens_are_found_by_their_digest,
    facts::hostile_text_comes_back_as_it_was,
    retention::old_rows_go_and_young_rows_claims_and_tokens_stay,
    retention::many_rows_go_a_part_at_a_time,
];

/// Holds a storage to all promises.
pub async fn hold(storage: Shared) {
    for (name, promise) in PROMISES {
        eprintln!("  {name}");
        promise(Arc::clone(&storage)).await;
    }
}
