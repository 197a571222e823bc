//! What builds are waited with: a clock, or the forge's webhook too.

use guardhost_core::change::{Event, Observer as _};
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_forge::watch::{Receiver, Webhook};
use guardhost_forge::{ForgeKind, Pause, StopPause};

use crate::cli::WaitArgs;
use crate::context::CommandContext;

/// # Errors
/// [`FaultKind::Usage`]: there is no secret, the forge does not sign, or the address is taken.
pub fn webhook_pause(args: &WaitArgs, kind: ForgeKind, ctx: &CommandContext) -> Result<Box<dyn Pause>> {
    let stop = ctx.process.stop.clone();
    let Some(address) = args.listen else { return Ok(Box::new(StopPause(stop))) };
    match kind {
        ForgeKind::GitHub | ForgeKind::Gitea => {}
        ForgeKind::GitLab => {
            let fault = Fault::new(FaultKind::Usage, "GitLab does not sign its webhook, so it is not listened to");
            return Err(fault.hint("leave out --listen: the forge is asked after each interval").into());
        }
    }
    let variable = &args.webhook_secret_env;
    let secret = ctx.process.var(variable).map(|value| value.to_string_lossy().trim().to_owned()).unwrap_or_default();
    let webhook = Webhook::new(secret).ok_or_else(|| {
        let fault = Fault::new(FaultKind::Usage, format!("the variable {variable} is not set"));
        fault.hint("it holds the secret that the forge signs its webhook with; anyone could send one without")
    })?;
    let receiver = Receiver::start(address, webhook, stop).with_context(|| {
        Fault::new(FaultKind::Usage, format!("cannot listen on {address}")).hint("name another address with --listen")
    })?;
    ctx.see(&Event::Notice { text: format!("listening for the forge's webhook on {}", receiver.address) });
    Ok(Box::new(receiver))
}
