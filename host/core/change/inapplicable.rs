//! Why a guard has nothing to say of a change.

/// Each reason follows from the change, its trees and the command. What the host, a sandbox or a tool could not do is none of them: it is
/// an error ([`super::GuardVerdict::Error`]), whatever the guard makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inapplicable {
    /// No touched file is one that concerns it.
    NoFile(String),
    /// It judges something else than changes.
    OtherStage(String),
    /// It was not called, because the change is held by another guard in any case.
    NotCalled(String),
    /// It says so itself, and was told everything that it asked.
    NothingHere(String),
    /// It asks for something that this command offers to no guard.
    NotOffered(String),
}

impl Inapplicable {
    /// For people.
    pub fn reason(&self) -> &str {
        match self {
            Inapplicable::NoFile(reason)
            | Inapplicable::OtherStage(reason)
            | Inapplicable::NotCalled(reason)
            | Inapplicable::NothingHere(reason)
            | Inapplicable::NotOffered(reason) => reason,
        }
    }
}
