//! Any program that reads a prompt and writes a reply. The only evidence of success is exit code 0 and a reply that is not empty;
//! whether the reply holds a patch is for `extract` to find out.

use super::{CliDialect, OnChange};
use crate::AnswerLimits;
use crate::transports::ProviderResponse;
use guardhost_core::change::Usage;

pub(crate) const COMMAND: CliDialect = CliDialect {
    name: "command",
    keys: &[],
    settings: &[],
    fixed: &[],
    defaults: &[],
    files: &[],
    inert_tools: &[],
    on_change: OnChange::Refuse,
    limits: AnswerLimits::new(None),
    sign_in: "sign in to the program",
    args: |line| line.extra.to_vec(),
    encode: <[u8]>::to_vec,
    parse: |output, _| {
        output.check_exit()?;
        if output.stdout.trim_ascii().is_empty() {
            return Err(output.failure(None, "it wrote nothing"));
        }
        Ok(ProviderResponse::new(output.stdout.as_slice(), None, Usage::default()))
    },
    progress: |_| None,
    hopeless: |_| None,
    traces: |_, _| Vec::new(),
};
