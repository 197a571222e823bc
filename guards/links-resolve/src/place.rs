//! What stands in the tree where a document's link leads.

use guard_sdk::files::relative::join;
use guard_sdk::{Mode, Side};

use crate::shelf::Shelf;
use crate::site;

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    File(String),
    Folder,
    /// Nothing, and nothing else can be meant.
    Missing,
    /// The tree cannot tell. Says why.
    Unknown(&'static str),
    /// The change has too many links to follow them all.
    Left,
}

/// Where the link stands, and in which tree.
pub struct Ground<'c> {
    pub shelf: &'c Shelf<'c>,
    pub side: Side,
    pub document: &'c str,
    /// Whether a site generator turns the document into a page.
    pub page: bool,
}

/// Of a path that the pin does not grant.
const NOT_SAID: Place = Place::Unknown("the host does not say what is there");

/// Ends of the names that a page's source may have.
const SOURCES: [&str; 9] =
    [".md", ".mdx", ".markdown", ".rst", ".adoc", ".ipynb", "/index.md", "/README.md", "/_index.md"];

/// Extensions of what people write and no generator makes.
const WRITTEN: [&str; 18] = [
    "md", "mdx", "markdown", "rst", "adoc", "ipynb", "py", "rs", "go", "rb", "java", "c", "h", "ts", "tsx", "sh",
    "toml", "yml",
];

impl Ground<'_> {
    /// `raw`: the link stands in an attribute of HTML.
    pub fn find(&self, path: &str, raw: bool) -> Place {
        if path.is_empty() {
            return Place::File(self.document.to_string());
        }
        let relative = path.trim_start_matches('/');
        let absolute = relative.len() < path.len();
        let own = self.document.rsplit_once('/').map_or("", |(folder, _)| folder);
        let Some(plain) = join(if absolute { "" } else { own }, relative) else {
            return Place::Unknown("it leads out of the repository");
        };
        if let Some(place) = self.at(&plain) {
            return place;
        }
        // Other readings of the same words: of a page, of the page's own address, of a root.
        let stem = self.document.rsplit_once('.').map_or(self.document, |(stem, _)| stem);
        let pretty = [own.to_string(), stem.to_string()];
        let bases: Vec<String> = if absolute { site::roots(self.document).collect() } else { pretty.to_vec() };
        for candidate in bases.iter().filter_map(|base| join(base, relative)) {
            if let Some(place) = self.at(&candidate).or_else(|| self.source_of(&candidate)) {
                return place;
            }
        }
        self.missing(&plain, relative, absolute, raw)
    }

    fn at(&self, path: &str) -> Option<Place> {
        match self.shelf.stat(self.side, path) {
            Ok(Some(_)) => return Some(Place::File(path.to_string())),
            Ok(None) => {}
            Err(_) => return Some(NOT_SAID),
        }
        match self.shelf.is_dir(self.side, path) {
            Ok(true) => Some(Place::Folder),
            Ok(false) => None,
            Err(_) => Some(NOT_SAID),
        }
    }

    /// The document from which a page of this name is made.
    fn source_of(&self, path: &str) -> Option<Place> {
        let stem = path.strip_suffix(".html").or_else(|| path.strip_suffix(".htm")).unwrap_or(path);
        let stem = stem.strip_suffix("/index").unwrap_or(stem);
        let source = SOURCES
            .iter()
            .map(|end| format!("{stem}{end}"))
            .find(|path| matches!(self.shelf.stat(self.side, path), Ok(Some(_))))?;
        Some(Place::File(source))
    }

    fn missing(&self, path: &str, written: &str, absolute: bool, raw: bool) -> Place {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        if self.shelf.is_exhausted() {
            return Place::Left;
        }
        if matches!(extension.as_deref(), Some("html" | "htm" | "xml" | "pdf" | "zip" | "gz" | "php" | "aspx")) {
            return Place::Unknown("such files are often made later");
        }
        if extension.is_none() && (absolute || self.page) {
            return Place::Unknown("it may be a route of a site");
        }
        let is_source = extension.as_deref().is_some_and(|extension| WRITTEN.contains(&extension));
        if self.page && (absolute || (raw && !is_source)) {
            return Place::Unknown("it may be made by the site's generator");
        }
        if self.is_found_by_name(written) {
            return Place::Unknown("ExDoc finds a page by its name, in whatever folder it is");
        }
        if self.is_found_by_doxygen(written) {
            return Place::Unknown("Doxygen finds pages and images by their names, in whatever folder they are");
        }
        if self.is_found_by_writerside(written) {
            return Place::Unknown("Writerside finds topics and images by their names, in whatever folder they are");
        }
        let is_original = |other: String| self.at(&other).is_some();
        if self.page && (site::in_other_languages(path).any(is_original) || site::originals(path).any(is_original)) {
            return Place::Unknown("a page that is not translated is shown in another language");
        }
        if self.page && !self.shelf.is_dir(self.side, folder).unwrap_or(true) && self.is_named_by_the_site(written) {
            return Place::Unknown("the site's configuration names a folder that is not in the tree");
        }
        if self.page
            && !folder.is_empty()
            && self.shelf.is_dir(self.side, folder) != Ok(true)
            && !own_below(self.document, folder)
        {
            return Place::Unknown("it may lie in another site beside this one");
        }
        for above in site::folders_above(&site::join(folder, name)).filter(|above| !above.is_empty()) {
            match self.shelf.stat(self.side, above).ok().flatten().map(|blob| blob.mode) {
                Some(Mode::Submodule) => return Place::Unknown("it lies in a submodule"),
                Some(Mode::Symlink) => return Place::Unknown("it lies behind a symbolic link"),
                _ => {}
            }
        }
        if self.is_ignored(path) {
            return Place::Unknown("git ignores it");
        }
        Place::Missing
    }

    /// Whether ExDoc, which makes the documents of a project of Elixir, finds the page: it puts all of them into one folder.
    fn is_found_by_name(&self, written: &str) -> bool {
        let is_page = written.ends_with(".md") || written.ends_with(".livemd") || written.ends_with(".cheatmd");
        is_page
            && !written.contains('/')
            && self.document.contains('/')
            && matches!(self.shelf.stat(self.side, "mix.exs"), Ok(Some(_)))
            && !self.shelf.named(written).is_empty()
    }

    /// Whether Writerside, which makes the documents below the folder of its configuration, finds a topic or an image of that name.
    fn is_found_by_writerside(&self, written: &str) -> bool {
        let is_below = || {
            let configs = site::folders_above(self.document).map(|folder| site::join(folder, "writerside.cfg"));
            configs.into_iter().any(|config| matches!(self.shelf.stat(self.side, &config), Ok(Some(_))))
        };
        !written.contains('/') && is_below() && !self.shelf.named(written).is_empty()
    }

    /// Whether Doxygen, which reads the documents of the folder, finds a file of that name
    /// (<https://www.doxygen.nl/manual/config.html#cfg_image_path>).
    fn is_found_by_doxygen(&self, written: &str) -> bool {
        let folders: Vec<&str> = self.document.split('/').rev().skip(1).collect();
        let configs = ["", "doc", "docs"]
            .into_iter()
            .flat_map(|folder| ["Doxyfile", "Doxyfile.in"].into_iter().map(move |name| site::join(folder, name)));
        let reads = |config: &str| {
            let text = self.shelf.text(self.side, config).unwrap_or_default();
            let mut words = text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
            words.any(|word| folders.contains(&word.trim_end_matches('/').rsplit('/').next().unwrap_or_default()))
        };
        let is_for_the_forge = self.document.rsplit('/').next().is_some_and(|name| name.starts_with("README"));
        !written.contains('/')
            && !folders.is_empty()
            && !is_for_the_forge
            && configs.into_iter().any(|config| reads(&config))
            && !self.shelf.named(written).is_empty()
    }

    /// Whether the configuration of the site speaks of the first folder of a path: pages of an interface are made into one.
    fn is_named_by_the_site(&self, written: &str) -> bool {
        let mut parts = written.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
        let (Some(first), Some(_)) = (parts.next(), parts.next()) else { return false };
        let folder = format!("{first}/");
        let begins = |text: &str, at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || "-_.".contains(c));
        site::configs(self.document).any(|config| {
            let text = self.shelf.text(self.side, &config);
            text.is_some_and(|text| text.match_indices(&folder).any(|(at, _)| begins(&text, at)))
        })
    }

    /// Whether a line of a `.gitignore` above names the path, or a part of it; read generously.
    fn is_ignored(&self, path: &str) -> bool {
        site::folders_above(path).any(|folder| {
            let Some(text) = self.shelf.text(self.side, &site::join(folder, ".gitignore")) else { return false };
            let below = path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/');
            text.lines().map(|line| line.trim().trim_matches('/')).any(|line| {
                let line = line.trim_start_matches("**/").trim_end_matches("/**").trim_end_matches("/*");
                let ending = line.strip_prefix("*.").is_some_and(|ending| below.ends_with(&format!(".{ending}")));
                let named = below == line
                    || below.starts_with(&format!("{line}/"))
                    || below.split('/').any(|part| part == line);
                !line.is_empty() && !line.starts_with(['#', '!']) && (ending || named)
            })
        })
    }
}

/// Whether a folder lies below the document's own.
fn own_below(document: &str, folder: &str) -> bool {
    let own = document.rsplit_once('/').map_or("", |(own, _)| own);
    folder.strip_prefix(own).is_some_and(|rest| own.is_empty() || rest.starts_with('/'))
}
