//! Whether this host can serve what a component imports: packages and versions by name, functions by comparison with `wit/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use wit_parser::{Resolve, SourceMap};

use crate::failure::GuardFailure;
use crate::grant::{Capability, Grants};

/// A package of the contract: its bare name, the version that this host serves, and its files below `wit/`.
struct Package {
    name: &'static str,
    version: &'static str,
    files: &'static [&'static str],
}

macro_rules! wit {
    ($path:literal) => {
        include_str!(concat!("../../../wit/", $path))
    };
}

/// In the order of their dependencies.
const PACKAGES: [Package; 14] = [
    Package {
        name: "guard",
        version: "0.1.0",
        files: &[
            wit!("guard/types.wit"),
            wit!("guard/change.wit"),
            wit!("guard/report.wit"),
            wit!("guard/log.wit"),
            wit!("guard/guard.wit"),
        ],
    },
    Package { name: "plan", version: "0.1.0", files: &[wit!("plan/plan.wit")] },
    Package { name: "analysis", version: "0.1.0", files: &[wit!("analysis/analysis.wit")] },
    Package { name: "files", version: "0.1.0", files: &[wit!("files/files.wit")] },
    Package { name: "repo", version: "0.1.0", files: &[wit!("repo/repo.wit")] },
    Package { name: "commits", version: "0.1.0", files: &[wit!("commits/commits.wit")] },
    Package { name: "facts", version: "0.1.0", files: &[wit!("facts/facts.wit")] },
    Package { name: "modules", version: "0.1.0", files: &[wit!("modules/modules.wit")] },
    Package { name: "language", version: "0.1.0", files: &[wit!("language/language.wit")] },
    Package { name: "net", version: "0.1.0", files: &[wit!("net/net.wit")] },
    Package { name: "registry", version: "0.1.0", files: &[wit!("registry/registry.wit")] },
    Package { name: "toolchain", version: "0.1.0", files: &[wit!("toolchain/toolchain.wit")] },
    Package { name: "history", version: "0.1.0", files: &[wit!("history/history.wit")] },
    Package { name: "model", version: "0.1.0", files: &[wit!("model/model.wit")] },
];

/// The name of an interface, as components import and export it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InterfaceName<'a> {
    pub package: &'a str,
    pub interface: &'a str,
    pub version: &'a str,
}

impl<'a> InterfaceName<'a> {
    /// None for a name that is not `guardhost:PACKAGE/INTERFACE`, with a version or without.
    pub fn read(name: &'a str) -> Option<Self> {
        let (package, rest) = name.strip_prefix("guardhost:")?.split_once('/')?;
        let (interface, version) = rest.split_once('@').unwrap_or((rest, ""));
        Some(InterfaceName { package, interface, version })
    }

    /// The name by which pins and reports know it: the package of a capability, the interface of the other packages.
    pub fn short(self) -> &'a str {
        if Capability::from_name(self.package).is_some() { self.package } else { self.interface }
    }

    /// Every guard has it, and it has no authority: types, what the guard itself makes, what the rules say of paths, and what a text
    /// says that the guard may read anyway.
    pub fn is_free_of_authority(self) -> bool {
        matches!(
            (self.package, self.interface),
            ("guard", "types" | "report")
                | ("files", "kinds")
                | ("language", "text-facts" | "languages")
                | ("modules", "outline")
                | ("plan", "plan")
                | ("analysis", "points")
        )
    }
}

/// An imported interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedInterface {
    /// With package and version.
    pub name: String,
    /// The functions that the component imports of it, as the binary names them.
    pub functions: Vec<String>,
}

/// Checks the name and version of one import, and that it is granted. Errors name what would allow it.
pub fn check_import(import: &str, grants: &Grants) -> Result<(), GuardFailure> {
    let refused =
        |what: String| Err(GuardFailure::new("ungranted-import", format!("the guard imports `{import}`, {what}")));
    let Some(name) = InterfaceName::read(import) else {
        let hint = if import.starts_with("wasi:") || import.starts_with("wasi_") {
            "; this host has no WASI: build for wasm32-unknown-unknown, or with stubs for WASI"
        } else {
            ""
        };
        return refused(format!("which is not of the contract (guardhost:*), so that no grant allows it{hint}"));
    };
    let Some(package) = PACKAGES.iter().find(|package| package.name == name.package) else {
        return refused("and this host's contract has no such package: update the host".to_owned());
    };
    if !is_compatible(name.version, package.version) {
        let version = if name.version.is_empty() { "no version" } else { name.version };
        return Err(GuardFailure::new(
            "contract-version",
            format!(
                "the guard imports `{import}`: it was built for {version} of guardhost:{}, and this host serves {}: {}",
                name.package,
                Series(package.version),
                "use a host and a guard of one series"
            ),
        ));
    }
    match Capability::from_name(name.package).filter(|_| !name.is_free_of_authority()) {
        None => Ok(()),
        Some(capability) if grants.has(capability) => Ok(()),
        Some(_) => refused(format!("which is not granted; add \"{}\" to its grants to allow it", name.package)),
    }
}

/// Whether a host that serves `ours` may serve a component that was built for `theirs`: equal up to the first number that is not zero. A
/// later version may ask for functions that this host lacks; they are found by name.
fn is_compatible(theirs: &str, ours: &str) -> bool {
    match (numbers(theirs), numbers(ours)) {
        (Some(theirs), Some(ours)) => series(theirs) == series(ours),
        _ => false,
    }
}

/// Without a pre-release, which is compatible with nothing.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let mut parts = version.split('.').map(|part| part.parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

fn series([major, minor, patch]: [u64; 3]) -> [u64; 3] {
    match (major, minor) {
        (0, 0) => [0, 0, patch],
        (0, minor) => [0, minor, 0],
        (major, _) => [major, 0, 0],
    }
}

/// Shows `0.1.0` as `0.1.x`.
struct Series(&'static str);

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match numbers(self.0) {
            Some([0, 0, patch]) => write!(f, "0.0.{patch}"),
            Some([0, minor, _]) => write!(f, "0.{minor}.x"),
            Some([major, ..]) => write!(f, "{major}.x"),
            None => f.write_str(self.0),
        }
    }
}

/// Checks that this host has every imported function. Errors name the first missing one, and its version.
pub fn check_functions(imports: &[ImportedInterface]) -> Result<(), GuardFailure> {
    let known =
        functions().map_err(|error| GuardFailure::new("link", format!("the contract cannot be read: {error:#}")))?;
    for import in imports {
        let Some(name) = InterfaceName::read(&import.name) else { continue };
        let served = PACKAGES.iter().find(|package| package.name == name.package).map_or("", |package| package.version);
        let update = "update the host, or pin a guard that was built for it";
        let Some(functions) = known.get(&(name.package.to_owned(), name.interface.to_owned())) else {
            let what = format!("the guard needs `{}`, and this host has {served} without it: {update}", import.name);
            return Err(GuardFailure::new("contract-version", what));
        };
        if let Some(missing) = import.functions.iter().find(|function| !functions.contains(*function)) {
            let what = format!(
                "the guard needs the function `{}` of `{}`, which version {served} of this host does not have: {update}",
                plain(missing),
                import.name
            );
            return Err(GuardFailure::new("contract-version", what));
        }
    }
    Ok(())
}

/// `[method]finding.set-path` as people write it.
fn plain(function: &str) -> &str {
    function.split_once(']').map_or(function, |(_, name)| name)
}

/// The packages of the contract that this host serves. Errors: only if the embedded texts are wrong.
pub fn packages() -> anyhow::Result<Resolve> {
    let mut resolve = Resolve::default();
    for package in &PACKAGES {
        let mut sources = SourceMap::new();
        for (index, text) in package.files.iter().enumerate() {
            sources.push_str(&format!("{}/{index}.wit", package.name), *text);
        }
        let group = sources.parse().map_err(|(_, error)| anyhow::anyhow!("{error:?}"))?;
        resolve.push_group(group).map_err(|error| anyhow::anyhow!("{error:?}"))?;
    }
    Ok(resolve)
}

/// The functions of each interface of `wit/`, with the names that components use.
fn functions() -> anyhow::Result<BTreeMap<(String, String), BTreeSet<String>>> {
    let resolve = packages()?;
    let interfaces = resolve.interfaces.iter().filter_map(|(_, interface)| {
        let package = &resolve.packages[interface.package?].name.name;
        let functions = interface.functions.keys().cloned().collect();
        Some(((package.clone(), interface.name.clone()?), functions))
    });
    Ok(interfaces.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        for (theirs, ours, fits) in [
            ("0.1.0", "0.1.0", true),
            ("0.1.7", "0.1.0", true),
            ("0.1.0", "0.1.7", true),
            ("0.2.0", "0.1.0", false),
            ("1.0.0", "0.1.0", false),
            ("1.4.0", "1.2.3", true),
            ("0.0.1", "0.0.2", false),
            ("0.1", "0.1.0", false),
            ("", "0.1.0", false),
            ("0.1.0-rc.1", "0.1.0", false),
            ("x", "0.1.0", false),
        ] {
            assert_eq!(is_compatible(theirs, ours), fits, "{theirs} {ours}");
        }
        assert_eq!(Series("0.1.0").to_string(), "0.1.x");
        assert_eq!(Series("2.1.0").to_string(), "2.x");
    }

    /// The table above is written by hand.
    #[test]
    fn the_table_of_packages_is_that_of_the_files() {
        for package in &PACKAGES {
            let header = format!("package guardhost:{}@{};", package.name, package.version);
            assert!(package.files.iter().any(|text| text.lines().any(|line| line == header)), "{header}");
        }
        let functions = functions().unwrap();
        assert!(functions[&("guard".into(), "report".into())].contains("[method]finding.set-path"));
        assert!(functions[&("repo".into(), "tree".into())].contains("stat"));
        assert!(Capability::ALL.iter().all(|one| PACKAGES.iter().any(|package| package.name == one.name())));
    }
}
