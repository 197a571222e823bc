//! Files of build services, which judge what is proposed and pushed: a workflow of GitHub or Forgejo, a job of GitLab.

mod package;

pub use package::CiPackage;

use std::path::Path;

use guardhost_core::error::{Fault, FaultKind, Result};

use super::marked;
use super::sealed::{Authorship, SealedFile};
use crate::cli::CiService;

/// The placeholder in the templates.
const REQUIREMENT: &str = "REQUIREMENT";
/// What stands before the requirement in a file that was written.
const VARIABLE: &str = "GUARDHOST: \"";

/// Below the root of the work tree.
pub(super) fn path(service: CiService) -> &'static str {
    match service {
        CiService::Github => ".github/workflows/guardhost.yml",
        CiService::Forgejo => ".forgejo/workflows/guardhost.yml",
        CiService::Gitlab => ".gitlab-ci.yml",
    }
}

fn name(service: CiService) -> &'static str {
    match service {
        CiService::Github => "github",
        CiService::Forgejo => "forgejo",
        CiService::Gitlab => "gitlab",
    }
}

/// The file with the job that installs the package; without one, the package that the file names already.
///
/// # Errors
/// A sentence: no package is known, or somebody else wrote or edited the file.
pub(super) fn install(service: CiService, before: Option<&str>, package: Option<&CiPackage>) -> Result<String, String> {
    let known = before.and_then(|text| package_of(service, text));
    let package = package.or(known.as_ref()).ok_or("no package is named that the build service could install")?;
    let requirement = package.requirement(service);
    match service {
        CiService::Github | CiService::Forgejo => match before.map(|text| authorship(service, text)) {
            None | Some(Authorship::Ours) => {
                Ok(file(service).sealed(&template(service).replace(REQUIREMENT, &requirement)))
            }
            Some(Authorship::Edited) => {
                Err(format!("it was edited since it was written; edit its line, too: {VARIABLE}{requirement}\""))
            }
            Some(Authorship::Other) => Err("another file has this name".to_owned()),
        },
        CiService::Gitlab => {
            let rest = before.map(|text| marked::remove(text).unwrap_or_else(|| text.to_owned())).unwrap_or_default();
            if rest.lines().any(|line| line.starts_with("guardhost:")) {
                return Err("it has another job of the name guardhost".to_owned());
            }
            let job = template(service).replace(REQUIREMENT, &requirement);
            // A job is of the stage `test`, unless the file lists its stages: `.pre` is there always.
            let lists_stages = rest.lines().any(|line| line.starts_with("stages:"));
            let job = if lists_stages { job.replacen('\n', "\n  stage: .pre\n", 1) } else { job };
            Ok(marked::insert(&rest, rest.len(), &marked::block(&job)))
        }
    }
}

/// The file as it was before; None when there was none.
///
/// # Errors
/// A sentence: somebody edited the file.
pub(super) fn remove(service: CiService, text: &str) -> Result<Option<String>, String> {
    match service {
        CiService::Github | CiService::Forgejo => match authorship(service, text) {
            Authorship::Ours => Ok(None),
            Authorship::Edited | Authorship::Other => file(service).removed(text),
        },
        CiService::Gitlab => match marked::remove(text) {
            Some(rest) => Ok(Some(rest).filter(|rest| !rest.is_empty())),
            None => Ok(Some(text.to_owned())),
        },
    }
}

/// The package that a file installs; None where it has no digest of one.
pub(super) fn package_of(service: CiService, text: &str) -> Option<CiPackage> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix(VARIABLE)?.strip_suffix('"'))?;
    CiPackage::read(line, service)
}

/// `before` is what the file holds.
///
/// # Errors
/// [`FaultKind::Usage`]: a file would be written that installs what nobody named.
pub(super) fn check_package(service: CiService, file: &Path, before: &str, package: Option<&CiPackage>) -> Result<()> {
    if package.is_some() || package_of(service, before).is_some() {
        return Ok(());
    }
    let what = format!("{} needs the wheel that the build service installs", file.display());
    let hint = format!(
        "host install {} --package FILE.whl, or an https address, or guardhost==VERSION --sha256 DIGEST: \
         without a digest, whoever owns a name runs code in your builds",
        name(service)
    );
    Err(Fault::new(FaultKind::Usage, what).hint(hint).into())
}

fn template(service: CiService) -> &'static str {
    match service {
        CiService::Github => include_str!("github.yml"),
        CiService::Forgejo => include_str!("forgejo.yml"),
        CiService::Gitlab => include_str!("gitlab.yml"),
    }
}

fn file(service: CiService) -> SealedFile {
    SealedFile { comment: "#", target: name(service) }
}

/// The first line of a workflow before it had a digest. It installed a name that nobody owned.
const UNSEALED: &str = "# Written by `host install github`; `host install github --remove` deletes it.";

fn authorship(service: CiService, text: &str) -> Authorship {
    match file(service).authorship(text) {
        Authorship::Other if service == CiService::Github && text.lines().next() == Some(UNSEALED) => Authorship::Ours,
        found => found,
    }
}
