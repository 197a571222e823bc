//! The default guard set, embedded: components as `build.rs` made them from the folders beside this file, and their code
//! compiled ahead of time for every machine of this architecture. They run like any other guard; no second code path.

use std::borrow::Cow::Borrowed;

use guardhost_engine::embedded::{
    Builtin, Compiled, Described, EmbeddedExample, EmbeddedGuards, EmbeddedReader, LanguageClaim, Literal, LiteralForm,
    MissingReader, Syntax, TextQuestions,
};
use guardhost_engine::{DescribedOutline, Stage};

/// What `main` hands in.
pub static EMBEDDED: EmbeddedGuards = EmbeddedGuards {
    guards: &BUILTIN,
    analyzers: &ANALYZERS,
    readers: &READERS,
    missing_readers: MISSING_READERS,
    target: TARGET,
    fingerprint: ENGINE,
};

/// Sorted by id.
pub fn builtin() -> &'static [Builtin] {
    &BUILTIN
}

/// The component of an embedded guard or analyzer, as its digest has it. The program does not call this, so that its binary holds none.
pub fn component(id: &str) -> Option<&'static [u8]> {
    COMPONENTS.iter().find(|(name, _)| *name == id).map(|(_, component)| *component)
}

/// The page size of x86-64 is fixed; elsewhere the kernel may have been built for pages of 64 KiB.
#[repr(C)]
#[cfg_attr(target_arch = "x86_64", repr(align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(align(65536)))]
struct PageAligned<B: ?Sized>(B);

/// `include_bytes!` at a page boundary.
macro_rules! include_page_aligned {
    ($path:expr) => {{
        static BYTES: &PageAligned<[u8]> = &PageAligned(*include_bytes!($path));
        &BYTES.0
    }};
}

include!(concat!(env!("OUT_DIR"), "/builtin.rs"));
