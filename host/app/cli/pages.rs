//! Completions and manual pages, made from the same description of the command line as the help.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::Cli;
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// The script for a shell that completes the program as `name`.
pub fn completions(shell: Shell, name: &str) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), name, &mut script);
    script
}

/// The manual page of a command, in roff. No words: that of the whole program.
///
/// # Errors
/// [`FaultKind::Usage`]: there is no such command.
pub fn manual(words: &[String]) -> Result<Vec<u8>> {
    let mut pages = Vec::new();
    collect(&built(), "host", &mut pages)?;
    let wanted = std::iter::once("host").chain(words.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
    let page = pages.into_iter().find(|(name, _)| *name == wanted);
    page.map(|(_, page)| page).ok_or_else(|| {
        Fault::new(FaultKind::Usage, format!("there is no command `{}`", words.join(" ")))
            .hint("host --help lists them")
            .into()
    })
}

/// All pages: the file's name, such as `host-guard-add.1`, and its content.
pub fn manuals() -> Result<Vec<(String, Vec<u8>)>> {
    let mut pages = Vec::new();
    collect(&built(), "host", &mut pages)?;
    Ok(pages.into_iter().map(|(name, page)| (format!("{name}.1"), page)).collect())
}

/// With global options and names passed on to subcommands.
fn built() -> Command {
    let mut command = Cli::command();
    command.build();
    command
}

fn collect(command: &Command, name: &str, pages: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    let mut page = Vec::new();
    let named = command.clone().name(name.to_owned());
    Man::new(named).render(&mut page).context("cannot write a manual page")?;
    pages.push((name.to_owned(), page));
    let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help");
    shown.into_iter().try_for_each(|sub| collect(sub, &format!("{name}-{}", sub.get_name()), pages))
}
