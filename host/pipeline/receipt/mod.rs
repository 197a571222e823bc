//! Signatures of receipts, and who may make them; what guards say of a commit as a signed statement of in-toto. What a receipt is made of stands in `guardhost_gate::receipt`.

mod allowed;
mod attestation;
mod envelope;
mod signature;

pub use allowed::AllowedSigners;
pub use attestation::{differences, statement};
pub use envelope::{LARGEST, SealForm, open, seal};
pub use signature::{NAMESPACE, ReceiptKey, Statement};
