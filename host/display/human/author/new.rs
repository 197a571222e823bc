//! Where the new project lies, and the next commands.

use super::super::super::format_units;
use super::super::writer::{BOLD, CYAN, PageWriter};
use guardhost_report::NewGuard;
use guardhost_report::escape;

pub fn new_guard(page: &mut PageWriter, NewGuard { name, language, folder, files }: &NewGuard) {
    let name = page.paint(BOLD, name);
    let folder = escape::inline(&folder.to_string_lossy(), 400);
    page.line(&format!("{name}: written in {language}, {} in {folder}", format_units::count(files.len(), "file")));
    let label = page.paint(CYAN, "next");
    page.line(&format!("{label}: cd into it, then host guard build, host guard test"));
}
