//! The name of this machine, by which people tell runs apart.

use std::fs;

use crate::context::CommandContext;

/// Where systems keep it, if they do.
const FILES: [&str; 2] = ["/proc/sys/kernel/hostname", "/etc/hostname"];
/// Characters of a name.
const LONGEST: usize = 64;

/// `GUARDHOST_MACHINE`, or the name that the system has. None when there is neither.
pub fn machine(ctx: &CommandContext) -> Option<String> {
    let of = |name: &str| ctx.process.var(name).map(|value| value.to_string_lossy().into_owned());
    let of_system = || FILES.iter().find_map(|file| tidy(&fs::read_to_string(file).ok()?));
    let of_environment = || ["HOSTNAME", "COMPUTERNAME"].iter().find_map(|variable| tidy(&of(variable)?));
    of("GUARDHOST_MACHINE").and_then(|name| tidy(&name)).or_else(of_system).or_else(of_environment)
}

fn tidy(name: &str) -> Option<String> {
    let name: String = name.trim().chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    (!name.is_empty()).then_some(name)
}
