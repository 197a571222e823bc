//! `host guard test`, once or on every edit.

use std::path::Path;
use std::time::Duration;

use crate::cli::TestArgs;
use crate::context::CommandContext;
use guardhost_authoring::{Recipe, SourceStamps, cases, language_cases, test_language};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_engine::link_check::LinkChecker;
use guardhost_git::ScratchRepository;
use guardhost_provider::Cancel;
use guardhost_report::{AuthorReport, Report};

use super::target::{AuthorComponent, AuthorTarget, target, unreadable};

/// How often the folder is scanned. A scan takes well under a millisecond, works on every file system, and also decides whether
/// to build.
const SCAN_INTERVAL: Duration = Duration::from_millis(200);

pub fn test(args: &TestArgs, ctx: &CommandContext) -> Result<AuthorReport> {
    let AuthorTarget { component, cases: own } = target(&args.of, ctx, LinkChecker::offline())?;
    let folder = args.cases.as_ref().map_or(own, |folder| ctx.path(folder));
    let tested = match component {
        AuthorComponent::Guard(guard) => {
            let scratch = ScratchRepository::new(&ctx.process.temp)?;
            guardhost_authoring::test(&guard, &cases(&folder)?, &scratch, args.update, ctx.process.threads)?
        }
        AuthorComponent::Language(language, id) => {
            test_language(&language, &id, &language_cases(&folder)?, args.update)?
        }
    };
    Ok(AuthorReport::CaseResults(tested))
}

/// Tests, shows the result, and waits for an edit, until cancelled. Errors are shown as well: the next edit may repair them.
pub fn watch(
    args: &TestArgs,
    ctx: &CommandContext,
    cancel: Cancel,
    show: &dyn Fn(&Report) -> Result<()>,
) -> Result<()> {
    let folder = ctx.path(&args.of.guard);
    if !folder.is_dir() {
        let what = format!("{} is no folder to watch", folder.display());
        return Err(Fault::new(FaultKind::Usage, what).hint("name the guard's folder").into());
    }
    // Scanned before the first test, so that an edit during the test is noticed.
    let mut seen = scan(&folder, args, ctx)?;
    loop {
        let report = match test(args, ctx) {
            Ok(tested) => Report::Author(Box::new(tested)),
            Err(error) => Report::Failure { error: (&error).into() },
        };
        show(&report)?;
        if args.update {
            // The test itself may have written expectations, which is no edit.
            seen = scan(&folder, args, ctx)?;
        }
        loop {
            if cancel.is_cancelled() {
                return Ok(());
            }
            let now = scan(&folder, args, ctx)?;
            if now != seen {
                seen = now;
                break;
            }
            std::thread::sleep(SCAN_INTERVAL);
        }
    }
}

/// The sources in the folder, and in a folder of cases elsewhere.
fn scan(folder: &Path, args: &TestArgs, ctx: &CommandContext) -> Result<Vec<SourceStamps>> {
    let recipe = Recipe::read(folder).ok();
    let elsewhere = args.cases.as_ref().map(|cases| ctx.path(cases));
    let folders = [Some(folder.to_path_buf()), elsewhere];
    folders
        .iter()
        .flatten()
        .map(|folder| SourceStamps::new(folder, recipe.as_ref()).with_context(|| unreadable(folder)))
        .collect()
}
