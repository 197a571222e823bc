//! What follows from each class of failure.

use guardhost_core::change::{Event, NoPatchKind, Reply, Setback};
use guardhost_patch::extract::extract;
use guardhost_patch::repair::repair;
use guardhost_provider::{Chain, Class, Lesson, Next};

use crate::support::agents::Stage;

/// Every class, and who is asked after it.
const THEN: [(Class, Next); 17] = [
    (Class::Overloaded, Next::Other),
    (Class::Unreachable, Next::Other),
    (Class::RateLimited, Next::Other),
    (Class::QuotaExhausted, Next::Other),
    (Class::Auth, Next::Stop),
    (Class::Config, Next::Stop),
    (Class::ContextTooLong, Next::Other),
    (Class::TruncatedOutput, Next::Other),
    (Class::Refused, Next::Other),
    (Class::PermissionDenied, Next::Other),
    (Class::Timeout, Next::Other),
    (Class::TooMuchOutput, Next::Other),
    (Class::Crashed, Next::Other),
    (Class::ProtocolError, Next::Other),
    (Class::Empty, Next::Again),
    (Class::OverBudget, Next::Stop),
    (Class::Interrupted, Next::Stop),
];

/// The class of the first failure that was told.
pub fn class(stage: &Stage) -> Class {
    let told = stage.events.all().into_iter().find_map(|event| match event {
        Event::ProviderFailed { class, .. } => Some(class),
        _ => None,
    });
    let told = told.expect("a failure");
    THEN.iter().find(|(class, _)| class.name() == told).expect("a known class").0
}

/// `name` failed in the way that this class stands for, before `spare` could be asked.
pub fn check(stage: &Stage, class: Class, name: &str, spare: &str) {
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
        assert_eq!(chain.learn(&Setback::NoPatch(none), true), Lesson::Form);
    }
}

#[test]
fn classes_have_the_same_name_everywhere() {
    for (class, next) in THEN {
        assert_eq!(class.next(), next);
        assert_eq!(serde_json::to_value(class).unwrap(), class.name());
    }
}
