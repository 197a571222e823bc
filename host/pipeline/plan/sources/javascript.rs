//! JavaScript and TypeScript: relative `import … from`, `import(…)` and `require(…)`.

use super::super::tree_files::TreeFiles;
use guard_files::relative::{folder, join};

const ENDINGS: [&str; 8] = ["ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts"];

pub fn sources(path: &str, text: &str, files: &TreeFiles) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| line.contains("from") || line.contains("import") || line.contains("require"))
    {
        for quote in ['\'', '"', '`'] {
            let quoted = line.split(quote).skip(1).step_by(2).filter(|specifier| specifier.starts_with('.'));
            found.extend(quoted.filter_map(|specifier| find(&join(folder(path), specifier)?, files)));
        }
    }
    found
}

fn find(base: &str, files: &TreeFiles) -> Option<String> {
    if files.has(base) {
        return Some(base.to_owned());
    }
    // TypeScript's imports name the file that will be made of the source.
    let stem = base.strip_suffix(".js").or_else(|| base.strip_suffix(".mjs")).unwrap_or(base);
    let endings = ENDINGS.iter().flat_map(|ending| [format!("{stem}.{ending}"), format!("{base}/index.{ending}")]);
    endings.into_iter().find(|path| files.has(path))
}
