//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("version-left-behind", "the change moves a version, and another place that said the same of the same thing still says the old one: of a package, of its entry in a lock file, of a variable of workflows, of a package manager, of what a README installs. A warning where a package had a version that many things begin with, such as 1.0.0, or where another place had the new one before"),
    Rule::new("versions-differ", "places of a package that said the same version are moved to different ones"),
    Rule::new("toolchain-below-floor", "a workflow, a Dockerfile or a file such as `.nvmrc` installs an older Go, Rust, Node.js, Python or Ruby than the manifest asks for, and did not before"),
];
