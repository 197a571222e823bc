//! A call that does not fit, and what is said of it.

use guard_sdk::Finding;

use crate::outline::Call;
use crate::signature::{Misfit, Signature};

pub struct Wrong<'w> {
    /// The file of the call.
    pub path: &'w str,
    pub call: &'w Call,
    pub name: &'w str,
    pub signature: &'w Signature,
    pub misfits: Vec<Misfit>,
    /// The call is as it was, and the signature is not.
    pub is_left: bool,
    /// File and line of the function.
    pub defined: (&'w str, u32),
}

impl Wrong<'_> {
    pub fn finding(&self) -> Finding {
        let says: Vec<String> = self.misfits.iter().map(Misfit::says).collect();
        let (says, shown) = (says.join("; "), format!("{}({})", self.name, self.signature.shown()));
        let (rule, message) = match self.is_left {
            true => (
                "caller-left-behind",
                format!("the change gives `{shown}` other parameters, and this call no longer fits: {says}"),
            ),
            false => ("call-misfits", format!("this call does not fit `{shown}`: {says}")),
        };
        let ((file, line), lines) = (self.defined, self.call.lines);
        let help =
            format!("Call it as `{shown}` ({file}, line {line}), or keep the parameters that this call relies on.");
        // Whether the call is meant to fail, or the change silences what is wrong with it, a person sees.
        let finding = match self.call.excused_by {
            None => Finding::error(rule, message),
            Some(_) => {
                Finding::warning(rule, format!("{message}; the change itself writes the comment that excuses it"))
            }
        };
        let defined = format!("`{shown}` is defined here");
        finding.at(self.path, lines.0).to(lines.1).help(help).related(file, line..=line, defined)
    }
}
