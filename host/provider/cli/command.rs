//! Any program that reads a prompt and writes a reply. Its exit code and a reply that is not empty are all the evidence there is;
//! whether there is a patch in it, `extract` will see.

use super::Dialect;
use crate::Limits;
use crate::answer::Answer;
use guardhost_core::change::Usage;

pub(crate) const COMMAND: Dialect = Dialect {
    name: "command",
    keys: &[],
    settings: &[],
    fixed: &[],
    limits: Limits::new(None),
    sign_in: "see to it that the program is signed in",
    args: |_, more| more.to_vec(),
    write: <[u8]>::to_vec,
    read: |heard, _| {
        heard.exited_well()?;
        if heard.stdout.trim_ascii().is_empty() {
            return Err(heard.failure(None, "it wrote nothing"));
        }
        Ok(Answer::new(heard.stdout.as_slice(), None, Usage::default()))
    },
    progress: |_| None,
};
