//! What a component says of itself before it is locked.

use serde_json::Value;

use guardhost_core::component::Component;
use guardhost_engine::{
    ComponentKind, EngineContext, GuardFailure, Identity, Inspection, LanguageInspection, inspect, inspect_language,
};

pub enum Introduction {
    Guard(Box<Inspection>),
    Language(LanguageInspection),
}

impl Introduction {
    /// Of a component that need not be pinned. Errors: it cannot be loaded, or does not say what it is.
    pub fn new(component: &Component, machine: &EngineContext) -> Result<Self, GuardFailure> {
        Ok(match ComponentKind::from_component(component.bytes())? {
            ComponentKind::Guard => Introduction::Guard(Box::new(inspect(component, machine)?)),
            ComponentKind::Language => Introduction::Language(inspect_language(component, machine)?),
        })
    }

    pub fn identity(&self) -> &Identity {
        match self {
            Introduction::Guard(guard) => &guard.identity,
            Introduction::Language(language) => &language.identity,
        }
    }

    pub fn version(&self) -> &str {
        match self {
            Introduction::Guard(guard) => &guard.description.version,
            Introduction::Language(language) => &language.version,
        }
    }

    /// A language has the id that its pin gives it.
    pub fn id(&self) -> Option<&str> {
        match self {
            Introduction::Guard(guard) => Some(&guard.description.id),
            Introduction::Language(_) => None,
        }
    }

    /// Checks the settings of the pin. Errors: a message about the first violation.
    pub fn accepts(&self, settings: &Value) -> Result<(), String> {
        match self {
            Introduction::Guard(guard) => guard.accepts(settings),
            // The table of a language has no settings.
            Introduction::Language(_) => Ok(()),
        }
    }

    /// The imports that the pin has to grant, each with the guard's reason.
    pub fn rights(&self) -> Vec<(&str, &str)> {
        match self {
            Introduction::Guard(guard) => guard.rights(),
            Introduction::Language(_) => Vec::new(),
        }
    }

    /// What a language reads.
    pub fn reads(&self) -> Option<String> {
        match self {
            Introduction::Guard(_) => None,
            Introduction::Language(language) => Some(language.reads()),
        }
    }
}
