//! `host guard new` and `host guard build`.

use std::path::Path;

use crate::cli::{BuildArgs, NewArgs};
use crate::command::Desk;
use guardhost_authoring::{Recipe, scaffold};
use guardhost_core::error::Result;
use guardhost_engine::link_check::Net;
use guardhost_report::{AuthorReport, BuiltReport};

use super::subject::{load, workplace};

pub fn new(args: &NewArgs, desk: &Desk) -> Result<AuthorReport> {
    let folder = args.dir.as_deref().unwrap_or(Path::new(&args.name));
    Ok(AuthorReport::Made(scaffold(&args.name, &args.lang, &desk.path(folder))?))
}

pub fn build(args: &BuildArgs, desk: &Desk) -> Result<AuthorReport> {
    let folder = desk.path(&args.folder);
    let built = guardhost_authoring::build(&folder, &Recipe::read(&folder)?, args.install, &workplace(desk))?;
    // What cannot be loaded is no guard, however well the tool ended.
    let guard = load(&built.component, desk, Net::offline())?;
    Ok(AuthorReport::Built(BuiltReport {
        id: guard.description().id.clone(),
        version: guard.description().version.clone(),
        component: built.component,
        digest: guard.digest().to_owned(),
        size: guard.size() as u64,
        imports: guard.imports().to_vec(),
        micros: built.micros,
    }))
}
