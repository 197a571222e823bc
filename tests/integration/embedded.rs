//! The embedded components, as they were built.

use std::collections::BTreeSet;

use guardhost_engine::Description;

use crate::support::component::imports;

/// Packages whose interfaces every guard may import without a grant.
const GIVEN: [&str; 2] = ["guardhost:guard", "guardhost:plan"];

/// The SDK has bindings of every capability; what a guard never calls, its component must not import.
#[test]
fn a_guard_imports_the_capabilities_that_it_needs_and_no_other() {
    let mut needed = BTreeSet::new();
    for guard in guards::builtin() {
        let imports = imports(guard.wasm);
        assert!(
            imports.iter().any(|import| import.starts_with("guardhost:guard/report@")),
            "{}: {imports:?}",
            guard.id
        );
        let packages = imports.iter().map(|import| import.split_once('/').unwrap().0);
        let imported: BTreeSet<&str> = packages
            .filter(|package| !GIVEN.contains(package))
            .map(|package| package.strip_prefix("guardhost:").unwrap())
            .collect();
        let description: Description = serde_json::from_str(guard.description).unwrap();
        let needs: BTreeSet<&str> = description.needs.iter().map(|need| need.name.as_str()).collect();
        assert_eq!(imported, needs, "{}", guard.id);
        needed.extend(needs.into_iter().map(str::to_owned));
    }
    assert!(needed.len() >= 5, "only {needed:?} are needed by any guard");
}
