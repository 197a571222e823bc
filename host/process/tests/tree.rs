//! What a child starts, ends with it, on Windows: this program starts itself in other parts. On Unix an attendant is needed, which is the
//! host: `tests/integration/provide.rs` and `tests/hostile/` have those tests.

#[cfg(unix)]
fn main() {}

#[cfg(windows)]
mod windows;

#[cfg(windows)]
fn main() {
    windows::main();
}
