//! Signatures of receipts, and who may make them. What a receipt is made of stands in `guardhost_gate::receipt`.

mod allowed;
mod signature;

pub use allowed::AllowedSigners;
pub use signature::{NAMESPACE, ReceiptKey, Statement};
