//! What is known of a component before it runs.

use crate::load::component_interface::ComponentInterface;

/// Known without running any of the guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// `sha256:…` of the bytes that will run.
    pub digest: String,
    /// Bytes of the component.
    pub size: usize,
    pub surface: ComponentInterface,
}
