use super::{Target, folder, join};

const ENDINGS: [&str; 11] = [".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

fn stem(path: &str) -> &str {
    ENDINGS.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path)
}

pub fn key(path: &str) -> String {
    let path = stem(path);
    path.strip_suffix("/index").unwrap_or(path).to_owned()
}

pub fn places(key: &str) -> Vec<String> {
    let both = ENDINGS.iter().chain([".json", ".vue", ".svelte"].iter());
    both.flat_map(|ending| [format!("{key}{ending}"), format!("{key}/index{ending}")]).collect()
}

pub fn is(target: &Target, module: &str, importer: &str) -> bool {
    let module = module.split(['?', '#']).next().unwrap_or(module);
    if module.starts_with("./") || module.starts_with("../") || module == "." || module == ".." {
        return join(folder(importer), module).is_some_and(|path| target.key == path || target.key == key(&path));
    }
    // What bundlers are told to call the root of a project's own sources: another project means its own by it.
    let Some(inside) = module.strip_prefix("@/").or_else(|| module.strip_prefix("~/")) else { return false };
    let project = target.key.strip_suffix(&format!("src/{}", key(inside)));
    target.key == inside
        || project.is_some_and(|root| (root.is_empty() || root.ends_with('/')) && importer.starts_with(root))
}
