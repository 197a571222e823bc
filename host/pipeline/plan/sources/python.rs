//! Python: `import a.b` and `from a.b import c`, looked up from the test's folder above and in `src`.

use super::super::tree_files::TreeFiles;
use guard_files::relative::{above, folder, join};

pub fn sources(path: &str, text: &str, files: &TreeFiles) -> Vec<String> {
    let here = folder(path);
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some((module, names)) = line.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
            let module = module.trim();
            let names = names.trim_matches(|c| "() \\".contains(c)).split(',');
            let names = names.filter_map(|name| name.split_whitespace().next());
            // `from package import module` means the module.
            let modules: Vec<String> = names.filter_map(|name| find(here, &dotted(module, name), files)).collect();
            match modules.is_empty() {
                true => found.extend(find(here, module, files)),
                false => found.extend(modules),
            }
        } else if let Some(modules) = line.strip_prefix("import ") {
            let modules = modules.split(',').filter_map(|module| module.split_whitespace().next());
            found.extend(modules.filter_map(|module| find(here, module, files)));
        }
    }
    found
}

fn dotted(module: &str, name: &str) -> String {
    if module.ends_with('.') { format!("{module}{name}") } else { format!("{module}.{name}") }
}

fn find(here: &str, module: &str, files: &TreeFiles) -> Option<String> {
    let dots = module.bytes().take_while(|byte| *byte == b'.').count();
    let relative = module[dots..].replace('.', "/");
    if relative.is_empty() || !relative.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'/' || b >= 128)
    {
        return None;
    }
    let file = |root: &str| {
        let base = join(root, &relative)?;
        [format!("{base}.py"), format!("{base}/__init__.py")].into_iter().find(|path| files.has(path))
    };
    if dots > 0 {
        return file(above(here).nth(dots - 1)?);
    }
    above(here).find_map(|root| file(root).or_else(|| file(&join(root, "src")?)))
}
