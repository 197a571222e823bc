//! Names that need no `use`.

/// The prelude of any edition, primitive types, and crates that are always there.
pub fn is_known(name: &str) -> bool {
    KNOWN.split_ascii_whitespace().any(|known| known == name)
}

/// Macros of the standard library whose arguments are expressions.
pub fn takes_expressions(name: &str) -> bool {
    EXPRESSIONS.split_ascii_whitespace().any(|known| known == name)
}

/// Attributes of the language, which leave names as they are.
pub fn is_own_attribute(name: &str) -> bool {
    ATTRIBUTES.split_ascii_whitespace().any(|known| known == name)
}

const KNOWN: &str = "Option Some None Result Ok Err Box String Vec ToString ToOwned Clone Copy Send Sync Sized Drop Fn FnMut FnOnce
    AsyncFn AsyncFnMut AsyncFnOnce drop Default Eq PartialEq Ord PartialOrd AsRef AsMut Into From Iterator IntoIterator Extend
    DoubleEndedIterator ExactSizeIterator TryFrom TryInto FromIterator Future IntoFuture Unpin Debug Hash str bool char u8 u16 u32
    u64 u128 usize i8 i16 i32 i64 i128 isize f16 f32 f64 f128 std core alloc proc_macro test size_of size_of_val align_of
    align_of_val RustcEncodable RustcDecodable assert assert_eq assert_ne cfg concat dbg debug_assert env eprintln eprint format
    format_args include include_bytes include_str line matches panic print println stringify todo unimplemented unreachable vec
    write writeln derive global_allocator macro_rules union auto default raw _";

const EXPRESSIONS: &str =
    "assert assert_eq assert_ne dbg debug_assert debug_assert_eq debug_assert_ne eprint eprintln format
    format_args panic print println todo unimplemented unreachable vec write writeln matches";

const ATTRIBUTES: &str = "allow automatically_derived cfg cfg_attr cold deny deprecated derive diagnostic doc expect forbid
    global_allocator ignore inline link link_name macro_export macro_use must_use no_mangle non_exhaustive path repr rustfmt
    should_panic target_feature test track_caller warn";
