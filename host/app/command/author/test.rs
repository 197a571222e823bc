//! `host guard test`, once or again and again.

use std::path::Path;
use std::time::Duration;

use crate::cli::TestArgs;
use crate::command::CommandContext;
use guardhost_authoring::{Recipe, Sources, cases};
use guardhost_core::error::{Context, Fault, Kind, Result};
use guardhost_engine::link_check::LinkChecker;
use guardhost_git::Scratch;
use guardhost_provider::Cancel;
use guardhost_report::{AuthorReport, Report};

use super::subject::{subject, unreadable};

/// How often the files are looked at. A look at a guard's folder takes well under a millisecond, works on every file system,
/// and is the same look that decides whether to build.
const PAUSE: Duration = Duration::from_millis(200);

pub fn test(args: &TestArgs, ctx: &CommandContext) -> Result<AuthorReport> {
    let subject = subject(&args.of, ctx, LinkChecker::offline())?;
    let folder = args.cases.as_ref().map_or(subject.cases, |folder| ctx.path(folder));
    let scratch = Scratch::new(&ctx.process.temp)?;
    let tested =
        guardhost_authoring::test(&subject.guard, &cases(&folder)?, &scratch, args.update, ctx.process.threads)?;
    Ok(AuthorReport::CaseResults(tested))
}

/// Tests, shows, and waits for an edit, until it is cancelled. An error is shown like any outcome: the next edit may mend it.
pub fn watch(
    args: &TestArgs,
    ctx: &CommandContext,
    cancel: Cancel,
    show: &dyn Fn(&Report) -> Result<()>,
) -> Result<()> {
    let folder = ctx.path(&args.of.guard);
    if !folder.is_dir() {
        let what = format!("{} is no folder to watch", folder.display());
        return Err(Fault::new(Kind::Usage, what).hint("name the guard's folder").into());
    }
    // Before the first round, so that an edit during it is seen.
    let mut seen = look(&folder, args, ctx)?;
    loop {
        let report = match test(args, ctx) {
            Ok(tested) => Report::Author(Box::new(tested)),
            Err(error) => Report::Failure((&error).into()),
        };
        show(&report)?;
        if args.update {
            // Its own writing is no edit.
            seen = look(&folder, args, ctx)?;
        }
        loop {
            if cancel.is_cancelled() {
                return Ok(());
            }
            let now = look(&folder, args, ctx)?;
            if now != seen {
                seen = now;
                break;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// The folder, and cases that lie elsewhere.
fn look(folder: &Path, args: &TestArgs, ctx: &CommandContext) -> Result<Vec<Sources>> {
    let recipe = Recipe::read(folder).ok();
    let elsewhere = args.cases.as_ref().map(|cases| ctx.path(cases));
    let folders = [Some(folder.to_path_buf()), elsewhere];
    folders
        .iter()
        .flatten()
        .map(|folder| Sources::of(folder, recipe.as_ref()).with_context(|| unreadable(folder)))
        .collect()
}
