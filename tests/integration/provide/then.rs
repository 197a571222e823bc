//! What follows from each class of failure.

use guardhost_core::change::{Event, NoPatchKind, Reply, RoundFailure};
use guardhost_patch::extract::extract;
use guardhost_patch::repair::repair;
use guardhost_provider::{Chain, FailureClass, Next, NextAttempt};

use crate::support::agents::ProviderHarness;

/// Every class, and who is asked after it.
const THEN: [(FailureClass, Next); 17] = [
    (FailureClass::Overloaded, Next::Other),
    (FailureClass::Unreachable, Next::Other),
    (FailureClass::RateLimited, Next::Other),
    (FailureClass::QuotaExhausted, Next::Other),
    (FailureClass::Auth, Next::Stop),
    (FailureClass::Config, Next::Stop),
    (FailureClass::ContextTooLong, Next::Other),
    (FailureClass::TruncatedOutput, Next::Other),
    (FailureClass::Refused, Next::Other),
    (FailureClass::PermissionDenied, Next::Other),
    (FailureClass::Timeout, Next::Other),
    (FailureClass::TooMuchOutput, Next::Other),
    (FailureClass::Crashed, Next::Other),
    (FailureClass::ProtocolError, Next::Other),
    (FailureClass::Empty, Next::Again),
    (FailureClass::OverBudget, Next::Stop),
    (FailureClass::Interrupted, Next::Stop),
];

/// The class of the first failure that was told.
pub fn class(stage: &ProviderHarness) -> FailureClass {
    let told = stage.events.all().into_iter().find_map(|event| match event {
        Event::ProviderFailed { class, .. } => Some(class),
        _ => None,
    });
    let told = told.expect("a failure");
    THEN.iter().find(|(class, _)| class.name() == told).expect("a known class").0
}

/// `name` failed in the way that this class stands for, before `spare` could be asked.
pub fn check(stage: &ProviderHarness, class: FailureClass, name: &str, spare: &str) {
    let (_, next) = THEN.iter().find(|(known, _)| *known == class).expect("a known class");
    let told = |next: &str| format!("{name} {} -> {next}", class.name());
    let story = match next {
        Next::Again => vec![told(name), told(spare)],
        Next::Other => vec![told(spare)],
        Next::Stop => vec![told("")],
    };
    assert_eq!(stage.events.failures(), story);
}

/// A reply holds a patch, or none for this reason; then the same provider is asked again, if anybody is.
pub fn check_patch(reply: &Reply, no_patch: Option<&str>, chain: &mut Chain) {
    let none = extract(repair(reply), &[]).err();
    let kind = none.as_ref().map(|none| serde_json::to_value(none.kind).unwrap());
    assert_eq!(kind, no_patch.map(Into::into), "{}", String::from_utf8_lossy(&reply.bytes));
    if let Some(none) = none.filter(|none| none.kind != NoPatchKind::NoChange) {
        assert_eq!(chain.learn(&RoundFailure::NoPatch(none), true), NextAttempt::Form);
    }
}

#[test]
fn classes_have_the_same_name_everywhere() {
    for (class, next) in THEN {
        assert_eq!(class.next(), next);
        assert_eq!(serde_json::to_value(class).unwrap(), class.name());
    }
}
