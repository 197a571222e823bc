//! What is known of a component before it runs.

use guardhost_core::component::Component;

use crate::embedded::Builtin;
use crate::failure::GuardFailure;
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

impl Identity {
    pub(crate) fn new(component: &Component) -> Result<Self, GuardFailure> {
        let bytes = component.bytes();
        Ok(Identity {
            digest: component.digest().to_owned(),
            size: bytes.len(),
            surface: ComponentInterface::read(bytes)?,
        })
    }

    /// Of the component that the guard's code was compiled from.
    pub(crate) fn from_embedded(guard: &Builtin) -> Result<Self, GuardFailure> {
        Identity::from_skeleton(guard.skeleton, guard.digest, guard.size)
    }

    /// Of an embedded component, of which the binary has no more than this.
    pub(crate) fn from_skeleton(skeleton: &[u8], digest: &str, size: usize) -> Result<Self, GuardFailure> {
        Ok(Identity { digest: digest.to_owned(), size, surface: ComponentInterface::read(skeleton)? })
    }
}
