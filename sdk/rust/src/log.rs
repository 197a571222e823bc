//! Lines for people and figures for records. Never shown to a model.

use std::fmt::Display;

use crate::bindings::guardhost::guard::log::{self as import, Level};

pub fn debug(text: impl Display) {
    line(Level::Debug, text);
}

pub fn info(text: impl Display) {
    line(Level::Info, text);
}

pub fn warn(text: impl Display) {
    line(Level::Warn, text);
}

pub fn error(text: impl Display) {
    line(Level::Error, text);
}

/// A figure that belongs to this verdict, such as a score; reported even when the guard passes. The last value given
/// under a name holds. The contract allows 64 names, and no value that is not finite.
pub fn metric(name: &str, value: f64) {
    if cfg!(target_arch = "wasm32") {
        import::metric(name, value);
    } else {
        eprintln!("metric: {name} = {value}");
    }
}

fn line(level: Level, text: impl Display) {
    let text = text.to_string();
    if cfg!(target_arch = "wasm32") {
        import::line(level, &text);
    } else {
        // In a native test; the test runner shows it when the test fails.
        eprintln!("{level:?}: {text}");
    }
}

/// Without this a guest's panic is a trap without a word.
#[cfg(not(feature = "testing"))]
pub(crate) fn panics() {
    std::panic::set_hook(Box::new(|panic| error(panic)));
}
