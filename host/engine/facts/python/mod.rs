//! Python's manifests.

mod lexer;
mod pep508;
mod pipfile;
mod pyproject;
mod requirements;
mod setup_cfg;
mod setup_py;

pub use pipfile::pipfile;
pub use pyproject::pyproject;
pub use requirements::requirements;
pub use setup_cfg::setup_cfg;
pub use setup_py::setup_py;
