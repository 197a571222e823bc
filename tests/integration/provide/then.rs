//! What follows from each class of failure.

use guardhost_core::change::{Event, NoPatchKind, Reply, RoundFailure};
use guardhost_core::stop::StopToken;
use guardhost_patch::extract::{Surroundings, extract};
use guardhost_patch::repair::repair;
use guardhost_provider::{Chain, FailureClass, Fallback, NextAttempt};

use crate::support::agents::ProviderHarness;

/// Every class, and what is tried after it.
const AFTER: [(FailureClass, Fallback); 19] = [
    (FailureClass::Overloaded, Fallback::NextProvider),
    (FailureClass::Unreachable, Fallback::NextProvider),
    (FailureClass::RateLimited, Fallback::NextProvider),
    (FailureClass::QuotaExhausted, Fallback::NextProvider),
    (FailureClass::Auth, Fallback::Stop),
    (FailureClass::Config, Fallback::Stop),
    (FailureClass::ContextTooLong, Fallback::NextProvider),
    (FailureClass::TruncatedOutput, Fallback::NextProvider),
    (FailureClass::Refused, Fallback::NextProvider),
    (FailureClass::PermissionDenied, Fallback::NextProvider),
    (FailureClass::Timeout, Fallback::NextProvider),
    (FailureClass::TooMuchOutput, Fallback::NextProvider),
    (FailureClass::Crashed, Fallback::NextProvider),
    (FailureClass::UsedTools, Fallback::NextProvider),
    (FailureClass::RepositoryChanged, Fallback::Stop),
    (FailureClass::ProtocolError, Fallback::NextProviderOrRetry),
    (FailureClass::Empty, Fallback::RetryOnce),
    (FailureClass::OverBudget, Fallback::Stop),
    (FailureClass::Interrupted, Fallback::Stop),
];

/// The class of the first failure that was observed.
pub fn class(stage: &ProviderHarness) -> FailureClass {
    let seen = stage.events.all().into_iter().find_map(|event| match event {
        Event::ProviderFailed { class, .. } => Some(class),
        _ => None,
    });
    let seen = seen.expect("a failure");
    AFTER.iter().find(|(class, _)| class.name() == seen).expect("a known class").0
}

/// What the first failure that was observed says.
pub fn message(stage: &ProviderHarness) -> String {
    let seen = stage.events.all().into_iter().find_map(|event| match event {
        Event::ProviderFailed { message, .. } => Some(message),
        _ => None,
    });
    seen.expect("a failure")
}

/// `name` failed, and what this class stands for followed; `spare` is the next provider.
pub fn check(stage: &ProviderHarness, class: FailureClass, name: &str, spare: &str) {
    let (_, fallback) = AFTER.iter().find(|(known, _)| *known == class).expect("a known class");
    let failed = |next: &str| format!("{name} {} -> {next}", class.name());
    let expected = match fallback {
        Fallback::RetryOnce => vec![failed(name), failed(spare)],
        Fallback::NextProvider | Fallback::NextProviderOrRetry => vec![failed(spare)],
        Fallback::Stop => vec![failed("")],
    };
    assert_eq!(stage.events.failures(), expected);
}

/// The reply holds a patch, or none for this reason; then the same provider is asked again.
pub fn check_patch(reply: &Reply, no_patch: Option<&str>, chain: &mut Chain) {
    let none =
        extract(repair(reply, &StopToken::default()).unwrap(), &[], &Surroundings::unknown(), &StopToken::default())
            .unwrap()
            .err();
    let kind = none.as_ref().map(|none| serde_json::to_value(none.kind).unwrap());
    assert_eq!(kind, no_patch.map(Into::into), "{}", String::from_utf8_lossy(&reply.bytes));
    if let Some(none) = none.filter(|none| none.kind != NoPatchKind::NoChange) {
        assert_eq!(chain.learn(&RoundFailure::NoPatch(none), true), NextAttempt::Form);
    }
}

#[test]
fn classes_have_the_same_name_everywhere() {
    for (class, fallback) in AFTER {
        assert_eq!(class.fallback(), fallback);
        assert_eq!(serde_json::to_value(class).unwrap(), class.name());
    }
}
