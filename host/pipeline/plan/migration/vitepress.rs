//! The template of VitePress. It has a folder of its own below `docs/`, so that the manifest of the repository stays as it is.

use super::pages::Documents;

/// What a page has to be for VitePress, which makes a component of Vue of it and fails for a link that leads nowhere.
pub const RULES: &str = "\
Change the form of the page and none of its words:
- An admonition (`!!! note \"Title\"` with an indented text) becomes a container: `::: info Title`, the text without its indentation, `:::`. \
`note` and `info` become `info`, `tip` and `hint` become `tip`, `warning` and `caution` become `warning`, `danger` and `error` become `danger`, \
and `???` becomes `::: details Title`.
- Tabs (`=== \"Name\"`) of code become `::: code-group` with ```` ```sh [Name] ````; tabs of text become headings.
- `{{ text }}` becomes `<code v-pre>{{ text }}</code>` where it is code within a line, and `<span v-pre>{{ text }}</span>` where it is \
text. Fenced code stays as it is.
- `{% … %}` and directives of other tools become the Markdown that they stand for.
- Links to pages stay relative and keep `.md`.";

/// The version that the template is tested with.
const VERSION: &str = "^1.6.4";

/// The files by their paths.
pub fn template(documents: &Documents) -> Vec<(String, String)> {
    let mut files = vec![
        ("docs/.vitepress/config.mjs".to_owned(), config(documents)),
        ("docs/package.json".to_owned(), manifest()),
        ("docs/.gitignore".to_owned(), "node_modules/\n.vitepress/cache/\n.vitepress/dist/\n".to_owned()),
    ];
    if !documents.has("index.md") && !documents.has("README.md") {
        let links: String = documents.pages.iter().map(|(page, title)| format!("- [{title}](./{page})\n")).collect();
        files.push(("docs/index.md".to_owned(), format!("# {}\n\n{links}", documents.title)));
    }
    files
}

fn manifest() -> String {
    format!(
        "{{\n  \"private\": true,\n  \"type\": \"module\",\n  \"scripts\": {{\n    \"dev\": \"vitepress dev\",\n    \"build\": \"vitepress build\",\n    \
         \"preview\": \"vitepress preview\"\n  }},\n  \"devDependencies\": {{\n    \"vitepress\": \"{VERSION}\"\n  }}\n}}\n"
    )
}

fn config(documents: &Documents) -> String {
    let mut sidebar = String::new();
    let mut folders: Vec<&str> = documents.pages.iter().filter_map(|(page, _)| folder(page)).collect();
    folders.dedup();
    for (page, title) in documents.pages.iter().filter(|(page, _)| folder(page).is_none()) {
        sidebar += &format!("      {},\n", item(page, title));
    }
    for folder in folders {
        let own = documents.pages.iter().filter(|(page, _)| self::folder(page) == Some(folder));
        let items: String = own.map(|(page, title)| format!("          {},\n", item(page, title))).collect();
        sidebar +=
            &format!("      {{\n        text: {},\n        items: [\n{items}        ],\n      }},\n", quoted(folder));
    }
    // A README is the page of its folder, as at a forge.
    let rewrites = if documents.has("README.md") && !documents.has("index.md") {
        "  rewrites: { 'README.md': 'index.md' },\n"
    } else {
        ""
    };
    format!(
        "import {{ defineConfig }} from 'vitepress'\n\nexport default defineConfig({{\n  title: {},\n{rewrites}  themeConfig: {{\n    search: {{ \
         provider: 'local' }},\n    sidebar: [\n{sidebar}    ],\n  }},\n}})\n",
        quoted(&documents.title)
    )
}

fn folder(page: &str) -> Option<&str> {
    page.split_once('/').map(|(folder, _)| folder)
}

fn item(page: &str, title: &str) -> String {
    let link = page.trim_end_matches(".md");
    let link = match link {
        "index" | "README" => "",
        link => link.strip_suffix("/index").map_or(link, |folder| &link[..folder.len() + 1]),
    };
    format!("{{ text: {}, link: {} }}", quoted(title), quoted(&format!("/{link}")))
}

/// A string of JavaScript.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
